import CZlib
import Feeds
import Foundation
import Model

/// An export in a folder of its own, which goes when the value does.
final class ExportFile: Sendable {
  private let folder: URL
  let path: String

  init(_ bytes: [UInt8], gzip: Bool = false) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("firetally-feeds-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("events.ndjson").path
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

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("\(folder.path) was left behind: \(error)")
    }
  }

  /// The file's bytes as they are, packed or not.
  func content() throws -> [UInt8] {
    try withExtendedLifetime(self) { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  func export() throws -> GA4Export {
    try withExtendedLifetime(self) { try GA4Export(path: path) }
  }

  func lines() throws -> [GA4Export.Line] {
    let export = try export()
    var lines: [GA4Export.Line] = []
    while let line = try export.next() { lines.append(line) }
    return lines
  }

  /// The lines of an export with this content.
  static func lines(_ text: String) throws -> [GA4Export.Line] {
    try ExportFile(text).lines()
  }
}

extension GA4Export.Line {
  var event: Event? {
    if case .event(let event) = self { return event }
    return nil
  }

  var rejection: GA4Export.Rejection? {
    if case .rejected(let rejection) = self { return rejection }
    return nil
  }
}
