import Foundation
import JobsTesting
import Model
import ReportWriters
import Reports
import Store
import Testing

@testable import Jobs
@testable import Workspace

/// What is open on a morning, and on a past one: docs/findings.md#list.
struct FindingsReadingTests {
  private static let report = "kind: report\nschedule: \"35 6 * * *\"\nformats: [json]\n"
  /// Midnight of Friday, 20 November 2026.
  private static let friday = Instant(unixSeconds: 1_795_132_800)

  private static func at(_ hours: Double) -> Instant { friday + .seconds(hours * 3_600) }

  /// Twenty people tap every fourth hour for six weeks; on Friday four of them do.
  ///
  /// All that happened up to an instant, but for some hours; nil for all up to Tuesday.
  private func workspace(
    until end: Instant? = nil, silent: Range<Int> = 0..<0, configuration: String = "",
    report: String = report
  ) throws -> TestWorkspace {
    let workspace = try TestWorkspace(
      jobs: ["report": report],
      configuration: "app: {name: Chat, bundle_id: com.example.app}\n" + configuration)
    let last = end ?? Self.at(4 * 24 + 12)
    // Silent hours are found where they would have had a hundred lines.
    let usual = silent.isEmpty ? 5 : 12
    var events: [Event] = []
    for hour in (-45 * 24)..<(5 * 24) where !silent.contains(hour) {
      let people = silent.isEmpty && (0..<24).contains(hour) ? 1 : usual
      for person in 0..<people {
        let at = Self.at(Double(hour)) + .seconds(60 * person)
        guard at <= last else { continue }
        events.append(
          Event(
            name: FeatureEventName(platform: "ios", feature: .refresh, kind: .buttonTapped).text,
            at: at, userId: "u\(abs(hour) % 4 * usual + person)",
            parameters: ["ios_user_type": .string(UserType.freeUser.rawValue)]))
      }
    }
    try workspace.store.write { _ = try $0.append(events, source: "a.json") }
    return workspace
  }

  private func list(
    _ workspace: TestWorkspace, at now: Instant, on day: String? = nil
  ) throws -> FindingList {
    let context = try workspace.context(at: ManualClock(start: now))
    return try FindingsReading(context, on: day.flatMap { CivilDay(iso8601: $0) }).list()
  }

  private func json(_ list: FindingList) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(list), as: UTF8.self)
  }

  @Test func `a past day is judged as on its next morning, and what came later is not looked at`()
    throws
  {
    let all = try workspace()
    let morning = Self.at(24 + 6) + .seconds(35 * 60)
    let past = try list(all, at: morning, on: "2026-11-20")
    #expect(past.ids == ["usage-outage-2026-11-20"])
    #expect(past.findings.first?.since == "2026-11-20" && past.findings.first?.rule == .outage)
    // As a ledger that ends then says, and on Tuesday it is over.
    let ended = try list(try workspace(until: morning), at: morning, on: "2026-11-20")
    #expect(try json(past) == json(ended))
    #expect(
      try list(all, at: Self.at(4 * 24 + 6.6)).ids.contains("usage-outage-2026-11-20") == false)
    #expect(try list(all, at: Self.at(6.6), on: "2026-11-19").ids == [])
  }

  @Test func `of the morning itself nothing later is looked at: an outage is open until then`()
    throws
  {
    let morning = Self.at(24 + 6) + .seconds(35 * 60)
    // Nothing from Friday at 14 to Saturday at 8; later events are in one of the ledgers.
    let lists = try [nil, morning].map { end in
      try list(try workspace(until: end, silent: 14..<32), at: morning, on: "2026-11-20")
    }
    #expect(try json(lists[0]) == json(lists[1]))
    #expect(lists[0].findings.map(\.level) == [.warn])
    #expect(lists[0].findings.first?.sentence.hasSuffix("or its lines are late.") == true)
  }

  @Test(arguments: [
    ("findings: {rules: {outage: off}}\n", []),
    ("findings: {quiet: [2026-11-20]}\n", []),
    ("findings: {quiet: [2026-11-19, 2026-11-21]}\n", ["usage-outage-2026-11-20"]),
    ("findings: {rules: {outage: {floor: 120}}}\n", ["usage-outage-2026-11-20"]),
    ("findings: {rules: {outage: {floor: 121}}}\n", []),
  ])
  func `firetally yml decides what is found`(configuration: String, ids: [String]) throws {
    let workspace = try workspace(configuration: configuration)
    #expect(try list(workspace, at: Self.at(30), on: "2026-11-20").ids == ids)
  }

  @Test(arguments: [
    ("2026-11-20", "kind: report\nschedule: \"35 6 * * *\"\n", "2026-11-21T06:35:00Z"),
    ("2026-11-20", "kind: report\nschedule: \"0 9,18 * * *\"\n", "2026-11-21T09:00:00Z"),
    ("2026-11-20", "kind: report\nschedule: \"0 9 * * 1\"\n", "2026-11-21T06:35:00Z"),
    ("2026-11-20", "kind: report\n", "2026-11-21T06:35:00Z"),
    ("2026-11-20", "kind: report\ntime_zone: Asia/Tokyo\n", "2026-11-20T21:35:00Z"),
    ("2026-02-28", "kind: report\nschedule: \"0 0 * * *\"\n", "2026-03-01T00:00:00Z"),
  ])
  func `the morning is when the report is due on the next day, else at 6 35`(
    day: String, report: String, instant: String
  ) throws {
    let workspace = try TestWorkspace(jobs: ["report": report])
    let morning = FindingsReading.morning(
      after: try #require(CivilDay(iso8601: day)), try workspace.folder.jobs().jobs,
      try workspace.folder.config())
    #expect(morning == Instant(iso8601: instant))
  }

  /// Writes the reports as their job does, or with other days as a person may.
  private func write(
    _ workspace: TestWorkspace, at now: Instant, makesCopy: Bool = true
  ) throws {
    let context = try workspace.context(at: ManualClock(start: now))
    _ = try ReportWork(.last(in: context.catalog.jobs), context, makesCopy: makesCopy).write()
  }

  @Test func `without a day an acknowledgement ends with the finding, when the job tells it`()
    throws
  {
    // The lines of later days are there already, as those of clocks that are ahead.
    let workspace = try workspace(configuration: "findings: {rules: {clocks: off}}\n")
    let saturday = Self.at(24 + 7)
    let id = "usage-outage-2026-11-20"
    #expect(try list(workspace, at: saturday).findings.contains { $0.id == id })
    try workspace.store.write { writer in
      try writer.acknowledge(Acknowledgement(id: id, at: saturday))
      try writer.acknowledge(
        Acknowledgement(id: "users-region-japan", at: saturday, until: "2026-11-23"))
    }
    let quiet = try list(workspace, at: saturday)
    #expect(!quiet.findings.contains { $0.id == id })
    #expect(quiet.acknowledged.map(\.finding.id) == [id])
    func stored() throws -> [String] {
      try workspace.store.read { try $0.acknowledgements() }.map(\.id)
    }
    try write(workspace, at: saturday)
    #expect(try stored() == [id, "users-region-japan"])
    let sunday = Self.at(2 * 24 + 7)
    #expect(try list(workspace, at: sunday).ids.contains(id) == false)
    try write(workspace, at: sunday, makesCopy: false)
    #expect(try stored() == [id, "users-region-japan"])
    try write(workspace, at: sunday)
    #expect(try stored() == ["users-region-japan"])
    try write(workspace, at: Self.at(3 * 24 + 7))
    #expect(try stored() == [])
  }

  @Test func `completions offer the findings of the last report, and none before it`() throws {
    let saturday = Self.at(24 + 7)
    let workspace = try workspace(until: saturday)
    #expect(try workspace.folder.reportedFindings() == [])
    try write(workspace, at: saturday)
    #expect(try workspace.folder.reportedFindings().contains("usage-outage-2026-11-20"))
  }
}
