import Foundation

/// The repository that these tests were compiled from.
enum Repository {
  /// Symbolic links resolved: a module may be built through a link to its folder.
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every Swift file under a folder, by path.
  static func files(under folder: String) throws -> [SwiftFile] {
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: root.appending(path: folder).path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      SwiftFile(path: "\(folder)/\(path)", text: try text(of: "\(folder)/\(path)"))
    }
  }

  static func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }
}
