package import Foundation

/// The repository that these tests were compiled from.
package enum SourceTree {
  /// Symbolic links resolved: a module may be built through a link to its folder.
  package static var root: URL {
    URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  package static func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }
}
