import Fixtures
import Model
import Testing

@Suite("Sessions of events")
struct AppSessionRuleTests {
  private static let start = Instant.morning

  private static func session(_ id: String, from: Int, to: Int, count: Int64 = 3) -> AppSession {
    AppSession(
      id: id, startedAt: start + .seconds(from), lastEventAt: start + .seconds(to),
      eventCount: count)
  }

  private func add(
    at time: Duration, to sessions: inout [AppSession], _ kind: EventKind = .buttonTapped
  ) -> AppSession {
    AppSessionRule.add(
      FeatureEventName(platform: "ios", feature: .refresh, kind: kind), at: Self.start + time,
      to: &sessions
    ) { "new" }
  }

  @Test(
    arguments: [
      (Duration.zero, "a"), (.seconds(60), "a"), (.seconds(600), "a"),
      (.microseconds(2_399_999_999), "a"), (.seconds(2_400), "new"),
      (.microseconds(-1_799_999_999), "a"), (.seconds(-1_800), "new"),
    ] as [(Duration, String)])
  func `an event belongs to a session that it is less than 30 minutes from, before or after`(
    time: Duration, id: String
  ) {
    var sessions = [Self.session("a", from: 0, to: 600)]
    let found = add(at: time, to: &sessions)
    #expect(found.id == id)
    #expect(found.eventCount == (id == "a" ? 4 : 1))
    let at = Self.start + time
    #expect(found.startedAt == (id == "a" ? min(at, Self.start) : at))
    #expect(found.lastEventAt == (id == "a" ? max(at, Self.start + .seconds(600)) : at))
    #expect(sessions.count == (id == "a" ? 1 : 2) && sessions.last == found)
  }

  @Test func `the first event begins one`() {
    var sessions: [AppSession] = []
    let session = add(at: .zero, to: &sessions)
    #expect(session == Self.session("new", from: 0, to: 0, count: 1))
    #expect(sessions == [session])
  }

  @Test(arguments: [
    (60, "old"), (2_399, "old"), (2_400, "new"), (8_200, "new"), (8_201, "today"),
    (10_000, "today"),
  ])
  func `an event dated before the current session belongs to that of its time, or its own`(
    seconds: Int, id: String
  ) {
    let others = [
      Self.session("old", from: 0, to: 600), Self.session("today", from: 10_000, to: 10_060),
    ]
    var sessions = others
    #expect(add(at: .seconds(seconds), to: &sessions).id == id)
    #expect(sessions.filter { $0.id != id } == others.filter { $0.id != id })
  }

  @Test func `between two sessions, an event goes on with the earlier one`() {
    var sessions = [
      Self.session("a", from: 0, to: 0), Self.session("b", from: 1_860, to: 1_900),
    ]
    #expect(add(at: .seconds(1_000), to: &sessions).id == "a")
    #expect(sessions[1] == Self.session("b", from: 1_860, to: 1_900))
  }

  @Test func `a session is open to events while its last event is less than 30 min before`() {
    let sessions = [
      Self.session("a", from: 0, to: 0), Self.session("b", from: 0, to: 1),
      Self.session("c", from: 5_000, to: 5_000),
    ]
    #expect(
      AppSessionRule.open(sessions, from: Self.start + .seconds(1_800)).map(\.id) == ["b", "c"])
  }

  @Test(arguments: EventKind.allCases)
  func `only what was performed is counted, by feature`(kind: EventKind) {
    var sessions = [Self.session("a", from: 0, to: 0)]
    #expect(
      add(at: .seconds(1), to: &sessions, kind).performedCounts
        == (kind == .performed ? [.refresh: 1] : [:]))
  }
}
