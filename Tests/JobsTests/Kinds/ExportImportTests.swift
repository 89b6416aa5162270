import Feeds
import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Synchronization
import Testing

@testable import Jobs

struct ExportImportTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try NewDatabase.open(path: folder.path + "/firetally.sqlite")
  }

  private func line(_ number: Int) -> String {
    #"{"event_name":"e","event_timestamp":\#(number),"user_id":"u"}"#
  }

  private func run(
    _ name: String, eachPage: (ExportImport.Counts) throws -> Void = { _ in }
  ) async throws -> ExportImport.Counts {
    try await ExportImport(store: store, rejects: folder.path + "/rejects.txt")
      .run("\(folder.path)/\(name)", eachPage: eachPage)
  }

  private func eventsCount() throws -> Int {
    try store.read { try $0.eventsCount() }
  }

  @Test func `the number of lines is estimated from the size of the file`() async throws {
    try folder.write((1...25_000).map(line).joined(separator: "\n"), to: "a.ndjson")
    var expected: [Int] = []
    let counts = try await run("a.ndjson") { expected.append($0.expectedLines ?? 0) }
    // The file is read ahead of the lines, so a small one seems shorter than it is.
    #expect(expected.count == 3 && expected.allSatisfy { (10_000...30_000).contains($0) })
    #expect(counts.expectedLines == 25_000, "\(expected)")
  }

  @Test func `every line is added, known or rejected, and again all are known`() async throws {
    let lines = (1...25_000).map { $0.isMultiple(of: 100) ? "bad" : line($0 % 20_000) }
    try folder.write(lines.joined(separator: "\n"), to: "a.ndjson")
    let counts = try await run("a.ndjson")
    #expect(counts.lines == 25_000)
    #expect(counts.rejected == 250)
    #expect(counts.added == 19_800)
    #expect(counts.known == 4_950)
    #expect(try eventsCount() == 19_800)
    let again = try await run("a.ndjson")
    #expect(again.added == 0)
    #expect(again.known == 24_750)
    let rejects = try folder.text(of: "rejects.txt").split(separator: "\n")
    #expect(rejects.count == 250)
    #expect(rejects.first?.hasPrefix("\(folder.path)/a.ndjson:100: ") == true)
  }

  @Test func `an import that died after any page runs again and adds the rest`() async throws {
    let lines = (1...(3 * GA4Export.mostEvents + 1)).map(line)
    try folder.write(lines.joined(separator: "\n"), to: "a.ndjson")
    for deadPage in 1...3 {
      var pages = 0
      await #expect(throws: Dead.self) {
        _ = try await run("a.ndjson") { _ in
          pages += 1
          if pages == deadPage { throw Dead() }
        }
      }
      #expect(try eventsCount() == deadPage * GA4Export.mostEvents)
    }
    #expect(try await run("a.ndjson").added == 1)
    #expect(try eventsCount() == lines.count)
  }

  private struct Dead: Error {}

  @Test func `a cancelled import ends after a whole page`() async throws {
    let lines = (1...(2 * GA4Export.mostEvents + 1)).map(line)
    try folder.write(lines.joined(separator: "\n"), to: "a.ndjson")
    let task = Task {
      try await run("a.ndjson") { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try eventsCount() == GA4Export.mostEvents)
  }

  @Test func `a file that is not there changes nothing`() async throws {
    await #expect(throws: FeedError.self) { _ = try await run("none.ndjson") }
    #expect(try eventsCount() == 0)
  }
}
