import FoundationEssentials
import Glibc

/// Reads small files and folders with errors that name them.
enum FileContents {
  /// The file's bytes, at most `limit` of them.
  static func bytes(of path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    let file = try FileDescriptor.open(path, O_RDONLY, to: "read")
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 65_536))
    while bytes.count < limit {
      let count = read(file.number, &chunk, min(chunk.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure("read", path, code: errno) }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
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
