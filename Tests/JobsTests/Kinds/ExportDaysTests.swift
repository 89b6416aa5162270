import Feeds
import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

@testable import Jobs
@testable import Workspace

/// Exports of one day, written into a folder and imported from there.
final class ExportDays {
  /// One event of the day.
  struct Row: Hashable {
    var number: Int
    /// What a later export fills in.
    var value = 0
    var stream: String? = "1"
    var day: String? = "20261127"
  }

  let folder: TemporaryFolder
  let store: Store
  /// A file's time of change, which a clock need not move on.
  private var version = 0

  init() throws {
    folder = try TemporaryFolder()
    store = try NewDatabase.open(path: folder.path + "/firetally.sqlite")
  }

  func write(_ rows: some Sequence<Row>, to name: String) throws {
    let lines = rows.map { row in
      let members = [
        row.day.map { #""event_date":"\#($0)""# }, row.stream.map { #""stream_id":"\#($0)""# },
        #""event_timestamp":"\#(1_764_230_400_000_000 + row.number)","event_name":"e""#,
        #""event_params":[{"key":"v","value":{"int_value":"\#(row.value)"}}]"#,
      ]
      return "{\(members.compactMap(\.self).joined(separator: ","))}\n"
    }
    try folder.write(lines.joined(), to: name)
    version += 1
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 + Double(version))],
      ofItemAtPath: folder.path(of: name))
  }

  @discardableResult
  func run(
    _ names: String..., replacesDays: Bool = false, isForced: Bool = false,
    eachPage: () throws -> Void = {}, eachFile: () throws -> Void = {}
  ) async throws -> [EventsImport.FileResult] {
    try await run(
      names, replacesDays: replacesDays, isForced: isForced, eachPage: eachPage, eachFile: eachFile)
  }

  @discardableResult
  func run(
    _ names: [String], replacesDays: Bool = false, isForced: Bool = false,
    eachPage: () throws -> Void = {}, eachFile: () throws -> Void = {}
  ) async throws -> [EventsImport.FileResult] {
    var results: [EventsImport.FileResult] = []
    try await EventsImport(
      store: store, rejects: folder.path + "/rejects.txt", replacesDays: replacesDays,
      isForced: isForced
    ).run(names.map(folder.path(of:))) { _, _ in
      try eachPage()
    } eachFile: {
      results.append($0)
      try eachFile()
    }
    return results
  }

  /// What the ledger holds, as number and value.
  func rows() throws -> [[Int]] {
    var rows: [[Int]] = []
    try store.read { reader in
      try reader.forEachEvent { event in
        guard case .integer(let value) = event.parameters["v"] else { return }
        rows.append([Int(event.at.microseconds - 1_764_230_400_000_000), Int(value)])
      }
    }
    return rows.sorted { $0.lexicographicallyPrecedes($1) }
  }

  static func rows(_ numbers: some Sequence<Int>, value: Int = 0, stream: String? = "1") -> [Row] {
    numbers.map { Row(number: $0, value: value, stream: stream) }
  }
}

extension [EventsImport.FileResult] {
  var sentences: [String] { flatMap(\.news).map(\.sentence) }
}

/// A day that is exported again: docs/events.md#days-that-come-again.
@Suite struct ExportDaysTests {
  private let days: ExportDays
  private let daily = "events_20261127.ndjson"
  private let intraday = "events_intraday_20261127.ndjson"
  private let part = (0...2).map { "events_20261127-00000000000\($0).ndjson" }

  init() throws { days = try ExportDays() }

  private func values() throws -> [Int: Int] {
    Dictionary(grouping: try days.rows(), by: { $0[1] }).mapValues(\.count)
  }

  @Test func `the daily table replaces the intraday one, and says so`() async throws {
    try days.write(ExportDays.rows(0..<100), to: intraday)
    try days.write(ExportDays.rows(0..<103, value: 1), to: daily)
    #expect(try await days.run(intraday).sentences == [])
    let results = try await days.run(daily)
    #expect(results.sentences == ["27 Nov replaced: 100 before, 103 now"])
    #expect(results[0].counts.added == 103 && results[0].counts.known == 0)
    #expect(try values() == [1: 103])
    // Both again add nothing, in either order.
    #expect(try await days.run(daily, intraday).map(\.counts.added) == [0, 0])
    #expect(try values() == [1: 103])
  }

  @Test func `an intraday table that comes later is left out`() async throws {
    try days.write(ExportDays.rows(0..<100), to: intraday)
    try days.write(ExportDays.rows(0..<100, value: 1), to: daily)
    try await days.run(daily)
    let results = try await days.run(intraday)
    #expect(
      results.sentences == ["27 Nov unchanged: 100 events left out, since the daily table has come"]
    )
    #expect(results[0].counts.leftOut == 100 && !results[0].isPending)
    #expect(try values() == [1: 100])
  }

  @Test func `the fresh table stands between them`() async throws {
    let fresh = "events_fresh_20261127.ndjson"
    for (value, name) in [intraday, fresh, daily].enumerated() {
      try days.write(ExportDays.rows(0..<10, value: value), to: name)
    }
    try await days.run(daily, fresh, intraday)
    #expect(try values() == [2: 10])
  }

  @Test func `a table that is written again: filled in, taken back, and what stays is known`()
    async throws
  {
    try days.write(ExportDays.rows(0..<100), to: daily)
    try await days.run(daily)
    try days.write(ExportDays.rows(0..<90) + ExportDays.rows(90..<95, value: 1), to: daily)
    let results = try await days.run(daily)
    #expect(results.sentences == ["27 Nov replaced: 100 before, 95 now"])
    #expect(results[0].counts.added == 5 && results[0].counts.known == 90)
    #expect(try values() == [0: 90, 1: 5])
  }

  @Test func `a country that is filled in later replaces an empty one`() async throws {
    let line = #"{"event_date":"20261127","event_timestamp":"1764230400000000","event_name":"e""#
    try days.folder.write(line + "}\n", to: daily)
    try await days.run(daily)
    try days.folder.write(line + #","geo":{"country":"Japan"}}"# + "\n", to: daily)
    try await days.run(daily)
    #expect(
      try days.store.read { try $0.newestEvents(EventFilter(), limit: 9) }.map(\.country)
        == ["Japan"])
  }

  @Test func `an export that is far shorter is refused, and taken with force`() async throws {
    try days.write(ExportDays.rows(0..<100), to: daily)
    try await days.run(daily)
    try days.write(ExportDays.rows(0..<50, value: 1), to: daily)
    let results = try await days.run(daily)
    #expect(results.count == 1 && results[0].isPending)
    #expect(
      results.sentences[0].hasPrefix(
        "27 Nov unchanged: its new export has 50 events, the stored one 100. If the new one is "
          + "right: `firetally events import --force /"))
    #expect(try values() == [0: 100])
    #expect(
      try await days.run([daily], isForced: true).sentences == [
        "27 Nov replaced: 100 before, 50 now"
      ])
    #expect(try values() == [1: 50])
  }

  @Test func `files of one export add up in any order, given together or one by one`() async throws
  {
    for place in 0...2 {
      try days.write(ExportDays.rows(place * 100..<(place + 1) * 100), to: part[place])
    }
    try await days.run(part[2], part[0])
    #expect(try await days.run(part[1]).sentences == [])
    #expect(try values() == [0: 300])
    #expect(try await days.run(part).map(\.counts.added) == [0, 0, 0])
  }

  @Test func `a later export in files replaces the earlier one as a whole, once it is whole`()
    async throws
  {
    for place in 0...1 {
      try days.write(ExportDays.rows(place * 100..<place * 100 + 100), to: part[place])
    }
    try await days.run(part[0], part[1])
    // BigQuery deals the rows out anew.
    for place in 0...1 {
      try days.write(
        ExportDays.rows((0..<200).filter { $0 % 2 == place }, value: 1), to: part[place])
    }
    let first = try await days.run(part[0])
    #expect(first.count == 1 && first[0].isPending)
    #expect(first.sentences[0].hasPrefix("27 Nov unchanged: 1 file of its new export is missing."))
    #expect(try values() == [0: 200])
    let second = try await days.run(part[1])
    #expect(second.sentences == ["27 Nov replaced: 200 before, 200 now"])
    #expect(try values() == [1: 200])
    // A third file comes later, and the first two again add nothing.
    try days.write(ExportDays.rows(200..<300, value: 1), to: part[2])
    try await days.run(part)
    #expect(try values() == [1: 300])
  }

  @Test func `streams of another property are not replaced, in folders with equal names`()
    async throws
  {
    try days.write(ExportDays.rows(0..<100), to: "a/" + daily)
    try days.write(ExportDays.rows(50..<150, value: 1, stream: "2"), to: "b/" + daily)
    #expect(try await days.run("a/" + daily, "b/" + daily).sentences == [])
    try days.write(ExportDays.rows(0..<100, value: 2), to: "a/" + daily)
    #expect(try await days.run("a/" + daily).sentences == ["27 Nov replaced: 100 before, 100 now"])
    #expect(try values() == [1: 100, 2: 100])
  }

  @Test func `an event that two properties have stays while one of them has it`() async throws {
    try days.write(ExportDays.rows(0..<100), to: "a/" + daily)
    try days.write(ExportDays.rows(0..<100, stream: "2"), to: "b/" + daily)
    try await days.run("a/" + daily, "b/" + daily)
    #expect(try values() == [0: 100])
    try days.write(ExportDays.rows(0..<100, value: 1), to: "a/" + daily)
    try await days.run("a/" + daily)
    #expect(try values() == [0: 100, 1: 100])
    try days.write(ExportDays.rows(0..<100, value: 2, stream: "2"), to: "b/" + daily)
    try await days.run("b/" + daily)
    #expect(try values() == [1: 100, 2: 100])
  }

  @Test func `where nobody can tell, nothing is replaced, and one line says what to type`()
    async throws
  {
    try days.write(ExportDays.rows(0..<100), to: "one.ndjson")
    try days.write(ExportDays.rows(0..<100, value: 1), to: "two.ndjson")
    #expect(try await days.run("one.ndjson").sentences == [])
    let results = try await days.run("two.ndjson")
    #expect(results.sentences.count == 1 && !results[0].isPending)
    #expect(
      results.sentences[0].contains("27 Nov came twice with differing rows")
        && results.sentences[0].contains("firetally events import --replace-day"))
    #expect(try values() == [0: 100, 1: 100])
    // The longest of the two counts, not their sum.
    try days.write(ExportDays.rows(0..<89, value: 2), to: "three.ndjson")
    let short = try await days.run(["three.ndjson"], replacesDays: true)
    #expect(short[0].isPending && short.sentences[0].contains("--replace-day --force"))
    #expect(try values() == [0: 100, 1: 100])
    let replaced = try await days.run(["two.ndjson"], replacesDays: true)
    #expect(replaced.sentences == ["27 Nov replaced: 200 before, 100 now"])
    #expect(try values() == [1: 100])
  }

  @Test func `hours of a day in files of other names add up without a word`() async throws {
    for hour in 0..<4 {
      try days.write(ExportDays.rows(hour * 100..<hour * 100 + 101), to: "hour\(hour).ndjson")
      #expect(try await days.run("hour\(hour).ndjson").sentences == [])
    }
    #expect(try values() == [0: 401])
  }

  @Test func `rows without a day stay additive, whatever the name`() async throws {
    func rows(_ value: Int) -> [ExportDays.Row] {
      (0..<10).map { ExportDays.Row(number: $0, value: value, day: nil) }
    }
    try days.write(rows(0), to: daily)
    try await days.run(daily)
    try days.write(rows(1), to: daily)
    #expect(try await days.run(daily).sentences == [])
    #expect(try values() == [0: 10, 1: 10])
    await #expect(throws: WorkspaceError.self) {
      try await days.run([self.daily], replacesDays: true)
    }
    #expect(try values() == [0: 10, 1: 10])
  }

  @Test func `an import that dies at any step is right after the next`() async throws {
    struct Dead: Error {}
    let many = GA4Export.mostEvents + 10
    for place in 0...1 {
      try days.write(ExportDays.rows(place * many..<(place + 1) * many), to: part[place])
    }
    try await days.run(part[0], part[1])
    for place in 0...1 {
      try days.write(
        ExportDays.rows((0..<2 * many).filter { $0 % 2 == place }, value: 1), to: part[place])
    }
    for step in 1...6 {
      var passed = 0
      func die() throws {
        passed += 1
        if passed == step { throw Dead() }
      }
      await #expect(throws: Dead.self) {
        try await days.run([part[0], part[1]], eachPage: die, eachFile: die)
      }
      // All or nothing: four pages are one transaction, then come the two files.
      #expect(try values() == (step <= 4 ? [0: 2 * many] : [1: 2 * many]))
    }
    try await days.run(part[0], part[1])
    #expect(try values() == [1: 2 * many])
  }

  @Test func `a file that breaks off replaces nothing`() async throws {
    try days.write(ExportDays.rows(0..<10), to: daily)
    try await days.run(daily)
    try days.folder.write(
      "[" + #"{"event_date":"20261127","event_timestamp":1,"event_name":"e"},"#, to: daily)
    let results = try await days.run(daily)
    #expect(results.count == 1 && results[0].problem != nil)
    #expect(try values() == [0: 10])
  }
}

/// Exports in any order, beside a model that keeps what each table holds.
@Suite struct ExportOrderTests {
  /// A table of one property, in so many files.
  private struct Table {
    let names: [String]
    let numbers: Range<Int>
    let stream: String

    func write(_ days: ExportDays, value: Int, _ random: inout SeededGenerator) throws -> Set<[Int]>
    {
      let missing = random.integer(0...numbers.count / 20)
      let rows = ExportDays.rows(numbers.dropLast(missing), value: value, stream: stream)
      var parts = [[ExportDays.Row]](repeating: [], count: names.count)
      for row in rows { parts[random.integer(0...names.count - 1)].append(row) }
      for (name, part) in zip(names, parts) { try days.write(part, to: name) }
      return Set(rows.map { [$0.number, $0.value] })
    }
  }

  @Test(arguments: FuzzCases.seeds(12, orMany: 200))
  func `whatever the order, the ledger has each table's last export, the daily one first`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let days = try ExportDays()
    let parts = (0...2).map { "b/events_20261127-00000000000\($0).ndjson" }
    let tables = [
      Table(names: ["a/events_intraday_20261127.ndjson"], numbers: 0..<60, stream: "1"),
      Table(names: ["a/events_20261127.ndjson"], numbers: 0..<60, stream: "1"),
      Table(names: parts, numbers: 30..<90, stream: "2"),
    ]
    var held: [Set<[Int]>?] = [nil, nil, nil]
    var undated: Set<[Int]> = []
    for step in 1...8 {
      let choice = random.integer(0...3)
      if choice == 3 {
        let row = ExportDays.Row(number: 1_000 + step, value: step, day: nil)
        try days.write([row], to: "undated\(step).ndjson")
        undated.insert([row.number, row.value])
        _ = try await days.run(["undated\(step).ndjson"])
      } else {
        let table = tables[choice]
        held[choice] = try table.write(days, value: 10 * step + choice, &random)
        var names = table.names.shuffled(using: &random)
        if random.flip() { names += names.prefix(1) }
        if random.flip() {
          _ = try await days.run(names)
        } else {
          for name in names { _ = try await days.run([name]) }
        }
      }
      let expected = undated.union(held[1] ?? held[0] ?? []).union(held[2] ?? [])
      let found = try days.rows()
      #expect(Set(found) == expected && found.count == expected.count, "seed \(seed), step \(step)")
    }
    // All again, in any order: nothing is added.
    let before = try days.rows()
    for name in tables.flatMap(\.names).shuffled(using: &random)
    where FileManager.default.fileExists(atPath: days.folder.path(of: name)) {
      _ = try await days.run([name])
    }
    #expect(try days.rows() == before, "seed \(seed)")
  }
}
