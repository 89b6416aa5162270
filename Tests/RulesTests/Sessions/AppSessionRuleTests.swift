import Fixtures
import Model
import Rules
import Testing

@Suite("Sessions of events")
struct AppSessionRuleTests {
  private static let start = Instant.morning
  private let first = AppSession(id: "a", lastEventAt: start, eventCount: 3)

  private func next(
    after pause: Duration, now: Duration? = nil, with kind: EventKind = .buttonTapped
  ) -> AppSession {
    AppSessionRule.session(
      first, with: FeatureEventName(platform: "ios", feature: .refresh, kind: kind),
      at: Self.start + pause, now: Self.start + (now ?? pause)
    ) { "b" }
  }

  @Test(
    "a session lasts until 30 minutes have passed without an event",
    arguments: [
      (Duration.zero, "a"), (.microseconds(1_799_999_999), "a"), (.seconds(1_800), "b"),
      (.microseconds(1_800_000_001), "b"), (.seconds(-1), "a"),
      (.microseconds(-1_799_999_999), "a"), (.seconds(-1_800), "b"),
    ] as [(Duration, String)])
  func timeout(pause: Duration, id: String) {
    let session = next(after: pause)
    #expect(session.id == id)
    #expect(session.eventCount == (id == "a" ? 4 : 1))
    #expect(session.lastEventAt == Self.start + pause)
  }

  @Test("the first event begins one")
  func beginning() {
    let session = AppSessionRule.session(
      nil, with: nil, at: Self.start, now: Self.start, newId: { "b" })
    #expect(session == AppSession(id: "b", lastEventAt: Self.start, eventCount: 1))
  }

  @Test(
    "an event of an earlier time goes to the session it lies in, and never divides a later one",
    arguments: [
      (Duration.seconds(120), "a", Duration.seconds(120)), (.seconds(1_800), "b", .seconds(1_800)),
      (.seconds(-7_200), "a", .zero),
    ] as [(Duration, String, Duration)])
  func earlier(pause: Duration, id: String, last: Duration) {
    let session = next(after: pause, now: .seconds(9_000))
    #expect(session.id == id)
    #expect(session.lastEventAt == Self.start + last)
  }

  @Test("only what was performed is counted, by feature", arguments: EventKind.allCases)
  func counts(kind: EventKind) {
    #expect(
      next(after: .seconds(1), with: kind).performedCounts
        == (kind == .performed ? [.refresh: 1] : [:]))
  }
}
