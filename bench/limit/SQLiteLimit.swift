import Foundation

/// Measures how fast SQLite itself takes the benchmark's rows: the limit that a sync can approach.
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
    let arguments = CommandLine.arguments
    guard arguments.count == 3 || arguments.count == 4 && arguments[3] == "elements" else {
      print("usage: SQLiteLimit PAGES DATABASE [elements]")
      exit(64)
    }
    let pages = try pages(in: URL(filePath: arguments[1]))
    let workload: BareWorkload =
      try arguments.count == 4 ? .elements(in: pages) : .users(in: pages)
    let clock = ContinuousClock()
    let database = try BareDatabase(newFileAt: arguments[2], for: workload)
    let inserts = try clock.measure { try database.insert() }
    let indexes = try clock.measure { try database.createIndexes() }
    let timing = Timing(
      documents: workload.documentCount, inserts: inserts / .seconds(1),
      indexes: indexes / .seconds(1), total: (inserts + indexes) / .seconds(1))
    print(String(decoding: try JSONEncoder().encode(timing), as: UTF8.self))
  }

  private static func pages(in folder: URL) throws -> [[UInt8]] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try files.filter { $0.hasSuffix(".json") }.sorted().map {
      [UInt8](try Data(contentsOf: folder.appending(path: $0)))
    }
  }
}
