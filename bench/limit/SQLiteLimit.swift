import Firestore
import Foundation
import Model
import Sync

/// Measures how fast SQLite itself takes the benchmark's users: the limit that a sync can approach.
///
/// The pages are parsed first, which is not timed. Then a fresh file without a journal takes the
/// rows, and after them the indexes. Prints the seconds as JSON; see `bench/README.md`.
@main
enum SQLiteLimit {
  private struct Timing: Encodable {
    var documents: Int
    var inserts: Double
    var indexes: Double
    var total: Double
  }

  static func main() throws {
    guard CommandLine.arguments.count == 3 else {
      print("usage: SQLiteLimit PAGES DATABASE")
      exit(64)
    }
    let pages = try parsedPages(in: URL(filePath: CommandLine.arguments[1]))
    let clock = ContinuousClock()
    let database = try BareDatabase(newFileAt: CommandLine.arguments[2])
    let inserts = try clock.measure { try database.insert(pages) }
    let indexes = try clock.measure { try database.createIndexes() }
    let timing = Timing(
      documents: pages.reduce(0) { $0 + $1.count }, inserts: inserts / .seconds(1),
      indexes: indexes / .seconds(1), total: (inserts + indexes) / .seconds(1))
    print(String(decoding: try JSONEncoder().encode(timing), as: UTF8.self))
  }

  private static func parsedPages(in folder: URL) throws -> [TableRows] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try files.filter { $0.hasSuffix(".json") }.sorted().map {
      try rows(of: [UInt8](Data(contentsOf: folder.appending(path: $0))))
    }
  }

  private static func rows(of page: [UInt8]) throws -> TableRows {
    let later = Instant(unixSeconds: 1_770_000_000)
    let mapping = UserMapping(fields: .app, ownUserId: nil, now: later)
    var scanner = DocumentScanner(fields: mapping.wireNames)
    var bytes = page
    var rows = TableRows.users()
    _ = try scanner.scan(&bytes) { document, buffer in
      _ = mapping.map(document, in: buffer, to: &rows)
    }
    return rows
  }
}
