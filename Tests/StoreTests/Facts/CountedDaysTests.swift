import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite("Days that are counted again")
struct CountedDaysTests {
  private let folder: TemporaryStore
  private let store: Store
  private static let view = FactTables.View(timeZone: "UTC", platform: nil)
  private static let days = RandomLedger.days

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func append(_ user: String, day: Int, second: Int = 0) throws {
    let event = Event(
      name: "ios_refresh_button_tapped", at: Self.days[day].lowerBound + .seconds(second),
      userId: user, parameters: ["ios_user_type": .string("free_user")])
    _ = try store.write { try $0.append([event], source: "test") }
  }

  private func keep(_ days: [Range<Instant>] = Self.days, on platform: String? = nil) throws {
    try store.keepCounts(of: days, in: "UTC", on: platform)
  }

  /// The numbers of the days whose counts do not hold.
  private func uncounted(_ view: FactTables.View = Self.view) throws -> [Int] {
    let kept = try store.read { try $0.keptDays(of: view) }
    return Self.days.indices.filter { !kept.contains(Self.days[$0].lowerBound.microseconds) }
  }

  private func run(_ sql: String) throws {
    try store.write { try $0.database.execute(sql: sql) }
  }

  private func count(_ sql: String) throws -> Int {
    try store.read { try $0.count(sql) }
  }

  @Test func `the days of the history are kept, and those of another view are none`() throws {
    #expect(try uncounted().count == Self.days.count)
    try keep()
    #expect(try uncounted() == [])
    #expect(try uncounted(FactTables.View(timeZone: "UTC", platform: "ios")).count == 50)
    #expect(try uncounted(FactTables.View(timeZone: "Europe/Berlin", platform: nil)).count == 50)
    try keep(on: "ios")
    #expect(try uncounted().count == 50)
  }

  @Test(arguments: [(0, 0), (86_399, 0), (86_400, 1)])
  func `an event that comes concerns its own day`(second: Int, day: Int) throws {
    try append("ada", day: 20)
    try keep()
    try append("ada", day: 30, second: second)
    #expect(try uncounted() == [30 + day])
    try keep()
    #expect(try uncounted() == [])
    #expect(try count("SELECT sum(taps) FROM fact_person_day") == 2)
  }

  @Test func `an event that is there already changes nothing`() throws {
    try append("ada", day: 20)
    try keep()
    try append("ada", day: 20)
    #expect(try uncounted() == [])
  }

  @Test(arguments: [[40, 30], [30, 40], [5, 30, 40], [40, 30, 5]])
  func `events outside the kept days hide none within them`(days: [Int]) throws {
    try keep(Array(Self.days[10...30]))
    for day in days { try append("ada", day: day) }
    #expect(try uncounted() == Array(0..<10) + Array(30..<50))
  }

  @Test func `rows that take the numbers of deleted ones are counted`() throws {
    try append("ada", day: 20)
    try append("ada", day: 21)
    try keep()
    try run("DELETE FROM events WHERE id = (SELECT max(id) FROM events)")
    try append("ada", day: 25)
    #expect(try uncounted() == [21, 25])
  }

  @Test(arguments: [
    "UPDATE events SET user_type = NULL", "UPDATE events SET country = 'Chile'",
    "UPDATE events SET parameters = '{}'", "UPDATE events SET source = 'other'",
    "DELETE FROM events",
  ])
  func `a change by hand concerns its day`(sql: String) throws {
    try append("ada", day: 20)
    try append("ada", day: 22)
    try keep()
    try run("\(sql) WHERE id = 1")
    #expect(try uncounted() == [20])
  }

  @Test func `an event that moves to another day concerns both`() throws {
    try append("ada", day: 20)
    try keep()
    let at = Self.days[23].lowerBound.microseconds
    try run("UPDATE events SET at = \(at)")
    #expect(try uncounted() == [20, 23])
  }

  @Test func `what no count reads may change`() throws {
    try append("ada", day: 20)
    try keep()
    try run("UPDATE events SET export_id = 7")
    #expect(try uncounted() == [])
  }

  @Test func `who is erased is in no count`() throws {
    try append("ada", day: 20)
    try append("bo", day: 20)
    try keep()
    _ = try store.erasing { try $0.erasePerson(id: "ada") }
    #expect(try count("SELECT count(*) FROM fact_person") == 0)
    #expect(try count("SELECT count(*) FROM fact_person_day") == 0)
    try keep()
    #expect(try store.read { try $0.values("SELECT user_id FROM fact_person") } == ["bo"])
  }

  @Test func `who is erased after the events went is in no count`() throws {
    try append("ada", day: 20)
    try append("bo", day: 20)
    try keep()
    try run("DELETE FROM events WHERE user_id = 'ada'")
    try keep()
    _ = try store.erasing { try $0.erasePerson(id: "ada") }
    #expect(try count("SELECT count(*) FROM fact_person WHERE user_id = 'ada'") == 0)
  }

  @Test func `what is left of a changed day goes with its age`() throws {
    try append("ada", day: 20)
    try append("bo", day: 30)
    try keep()
    try run("DELETE FROM events WHERE user_id = 'ada'")
    try keep(Array(Self.days.dropFirst(25)))
    #expect(try store.read { try $0.values("SELECT user_id FROM fact_person") } == ["bo"])
  }

  @Test func `counts that hold are not written again`() throws {
    try append("ada", day: 20)
    try keep()
    let before = try count("SELECT total_changes()")
    try keep()
    #expect(try count("SELECT total_changes()") == before)
  }

  @Test func `counts older than the history go, and people of whom none are left`() throws {
    try append("ada", day: 0)
    try append("bo", day: 0)
    try append("bo", day: 1)
    try keep()
    try keep(Array(Self.days.dropFirst()))
    #expect(try store.read { try $0.values("SELECT user_id FROM fact_person") } == ["bo"])
    #expect(try uncounted() == [0])
    // A number that is free stays so: another person comes behind all that are there.
    try append("cy", day: 30)
    try keep(Array(Self.days.dropFirst()))
    #expect(
      try store.read { try $0.values("SELECT person FROM fact_person ORDER BY user_id") } == [1, 2])
  }

  @Test func `events that are too old to keep take their counts with them`() throws {
    try append("ada", day: 20)
    try append("bo", day: 21)
    try keep()
    _ = try store.write { try $0.removeEvents(before: Self.days[21].lowerBound) }
    #expect(try store.read { try $0.values("SELECT user_id FROM fact_person") } == ["bo"])
  }

  @Test func `a day that cannot be counted leaves the others as they are`() throws {
    try append("ada", day: 20)
    try keep()
    try append("bo", day: 30)
    try run("UPDATE events SET kind = 'dreamt' WHERE user_id = 'bo'")
    #expect(throws: StoreError.self) { try keep() }
    #expect(try uncounted() == [30])
    #expect(try store.read { try $0.values("SELECT user_id FROM fact_person") } == ["ada"])
  }

  @Test func `a store that only reads keeps nothing`() throws {
    try append("ada", day: 20)
    try folder.open(.readOnly).keepCounts(of: Self.days, in: "UTC", on: nil)
    #expect(try uncounted().count == 50)
  }

  @Test func `days that begin within a quarter of an hour are not kept`() throws {
    let shifted = Self.days.map { $0.lowerBound + .seconds(60)..<$0.upperBound + .seconds(60) }
    try keep(shifted)
    #expect(try count("SELECT count(*) FROM fact_day") == 0)
  }

  @Test(arguments: [
    ("SELECT count(*) FROM day", false, false), ("SELECT * FROM usage_day", false, true),
    ("SELECT * FROM price_seen", true, false), ("SELECT * FROM v_person_day", true, false),
    ("SELECT * FROM newest_day", true, true), ("SELECT * FROM rating, \"person\"", true, false),
  ])
  func `a query says whether people and usage have to be counted`(
    sql: String, people: Bool, usage: Bool
  ) {
    let needs = RelationNeeds(of: sql)
    #expect(needs.havePeople == people)
    #expect(needs.haveUsage == usage)
    #expect(!needs.areOfPages)
  }
}
