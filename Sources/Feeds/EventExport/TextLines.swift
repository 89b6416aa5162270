/// The lines of a plain or gzip file, such as NDJSON, each as its bytes; in constant memory.
package final class TextLines {
  /// Bytes of a line at most: a document has 1 MiB, and JSON may need six for one.
  private static let longestLine = 16 << 20

  private let lines: LineReader

  /// - Throws: `FeedError.cannotOpen`.
  package init(path: String) throws(FeedError) {
    lines = try LineReader(path: path, longestLine: Self.longestLine)
  }

  /// The next line without its end, and its number from 1; nil after the last one.
  ///
  /// - Throws: `FeedError` for a file that ends early; nil bytes are a line that is too long.
  package func next() throws(FeedError) -> (bytes: [UInt8]?, number: Int)? {
    try lines.next { line in (line.isTooLong ? nil : Array(line.bytes), line.number) }
  }
}
