import CZlib
import Glibc
package import Model

/// Writes events as the lines that `GA4Export` reads, plain or gzip.
package final class GA4ExportWriter {
  private let path: String
  /// Nil once it is finished.
  private var file: gzFile?

  /// Writes to an open file, which stays open; `path` names it in errors.
  ///
  /// Throws `FeedError.cannotWrite`.
  package init(descriptor: Int32, path: String, isGzip: Bool) throws(FeedError) {
    self.path = path
    let copy = dup(descriptor)
    // T: transparent, without gzip's frame.
    file = copy < 0 ? nil : gzdopen(copy, isGzip ? "wbe" : "wbeT")
    guard file != nil else { throw failure }
    gzbuffer(file, 256 << 10)
  }

  deinit {
    if let file { gzclose_w(file) }
  }

  /// Throws `FeedError.cannotWrite`.
  package func write(_ event: Event) throws(FeedError) {
    var line = GA4Export.line(for: event)
    line += "\n"
    let count = line.withUTF8 { gzwrite(file, $0.baseAddress, UInt32($0.count)) }
    guard count > 0 else { throw failure }
  }

  /// Writes what is still in memory.
  ///
  /// Throws `FeedError.cannotWrite`.
  package func finish() throws(FeedError) {
    guard let file else { return }
    self.file = nil
    guard gzclose_w(file) == Z_OK else { throw failure }
  }

  private var failure: FeedError {
    .cannotWrite(path: path, reason: String(cString: strerror(errno)))
  }
}
