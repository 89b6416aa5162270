import FoundationEssentials
import Glibc

/// Reads small files and folders with errors that name them.
enum FileContents {
  /// The file's bytes, at most `limit` of them.
  static func bytes(of path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    let file = try FileDescriptor.open(path, O_RDONLY, to: "read")
    var bytes = [UInt8](repeating: 0, count: limit)
    var filled = 0
    while filled < limit {
      let count = bytes[filled...].withUnsafeMutableBytes { buffer in
        read(file.number, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure("read", path, code: errno) }
      guard count > 0 else { break }
      filled += count
    }
    return Array(bytes[..<filled])
  }

  /// The names in a folder, sorted.
  static func names(in folder: String) throws(FileFailure) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
      throw FileFailure("list", folder, code: code ?? EIO)
    }
  }

  /// Makes a folder; one that is there already is fine.
  static func makeFolder(_ path: String) throws(FileFailure) {
    guard mkdir(path, 0o755) != 0, errno != EEXIST else { return }
    throw FileFailure("make the folder", path, code: errno)
  }
}
