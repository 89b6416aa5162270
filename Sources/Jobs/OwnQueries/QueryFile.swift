import Glibc
package import Workspace

/// The source of a query's text: a file or standard input.
package enum QueryFile {
  package static let standardInput = "-"

  /// The largest size of a query, in bytes.
  static let longest = 1_000_000

  /// Returns the name of the file in messages.
  package static func name(of path: String) -> String {
    path == standardInput ? "standard input" : path
  }

  /// Reads the whole text.
  ///
  /// - Throws: `WorkspaceError`, also for a text that is too long or not UTF-8.
  package static func text(of path: String) throws(WorkspaceError) -> String {
    let bytes: [UInt8]
    do {
      bytes =
        path == standardInput ? try typed() : try FileContents.bytes(of: path, limit: longest + 1)
    } catch {
      throw .refused(.badData, "\(error)")
    }
    guard bytes.count <= longest else {
      throw .refused(
        .badData, "\(name(of: path)) has more than \(longest) bytes: name a file with one query.")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .refused(.badData, "\(name(of: path)) is not UTF-8: save it as UTF-8.")
    }
    return text
  }

  private static func typed() throws(WorkspaceError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= longest {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .cannot("read", name(of: standardInput)) }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
