import CZlib
import Feeds
import Fixtures
import Foundation
import Model

/// An export in a folder of its own, which goes when the value does.
final class ExportFile: Sendable {
  private let folder: TemporaryFolder
  let path: String

  init(_ bytes: [UInt8], gzip: Bool = false) throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "events.ndjson")
    if gzip {
      let file = gzopen(path, "wb")
      gzwrite(file, bytes, UInt32(bytes.count))
      gzclose_w(file)
    } else {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
  }

  convenience init(_ text: String, gzip: Bool = false) throws {
    try self.init(Array(text.utf8), gzip: gzip)
  }

  /// The file's bytes as they are, packed or not.
  func bytes() throws -> [UInt8] {
    try withExtendedLifetime(self) { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  func export() throws -> GA4Export {
    try withExtendedLifetime(self) { try GA4Export(path: path) }
  }

  /// All that is in the file; fails where the file breaks off.
  func content() throws -> ExportContent {
    let export = try export()
    var content = ExportContent()
    var page = GA4Export.Page()
    repeat {
      try export.read(into: &page)
      content.events += page.events.events.compactMap(\.self)
      content.columns += page.events.columns
      content.rejections += page.rejections
    } while page.lineCount > 0
    return content
  }

  /// What an export with this text holds.
  static func content(_ text: String) throws -> ExportContent {
    try ExportFile(text).content()
  }
}

/// Events and rejections of a file, each in the order of its lines.
struct ExportContent: Hashable {
  var events: [Event] = []
  /// As the ledger stores them.
  var columns: [[String?]] = []
  var rejections: [GA4Export.Rejection] = []

  /// The names of events, then `line N` for each rejection.
  var names: [String] {
    events.map(\.name) + rejections.map { "line \($0.line)" }
  }
}
