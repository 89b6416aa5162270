package import Foundation
import Testing

/// A folder of one test's own, removed with everything in it when the value goes.
///
/// That is when the test ends, passed or not. A folder that cannot be removed is an issue of the
/// run.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "firetally-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit {
    do {
      try remove()
    } catch {
      Issue.record("\(path) could not be removed: \(error)")
    }
  }

  /// A program that ends meanwhile removes files of its own.
  private func remove() throws {
    do {
      try FileManager.default.removeItem(at: url)
    } catch CocoaError.fileNoSuchFile where FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(at: url)
    }
  }

  package var path: String { url.path }

  /// Where a file of this name lies, whether it is there or not.
  package func path(of name: String) -> String { url.appending(path: name).path }

  /// Writes a file, and makes the folders that its name needs.
  package func write(_ text: String, to name: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  package func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
  }

  /// All names in the folder, hidden ones too; sorted.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
