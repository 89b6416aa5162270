import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

/// What the findings ask of the ledger: lines ahead, ratings by version and day.
@Suite struct FindingsDataTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func tap(
    _ user: String, _ country: String?, at seconds: Int, kind: EventKind = .buttonTapped
  ) -> Event {
    Event(
      name: FeatureEventName(platform: "ios", feature: .refresh, kind: kind).text,
      at: .morning + .seconds(seconds), userId: user,
      parameters: ["ios_number": .integer(Int64(seconds))], country: country)
  }

  @Test func `lines that came by import are ahead when dated 5 minutes later than now`() throws {
    func ahead() throws -> LinesAhead? { try store.read { try $0.linesAhead(of: .morning) } }
    try store.write {
      _ = try $0.append([tap("a", nil, at: 300)], source: "a.json")
      _ = try $0.append([tap("b", nil, at: 301)], source: Event.ownSource)
    }
    #expect(try ahead() == nil)
    try store.write {
      _ = try $0.append(
        [
          tap("a", nil, at: 301), tap("a", nil, at: 400), tap("", nil, at: 500),
          tap("b", nil, at: 900),
        ], source: "b.json")
    }
    #expect(
      try ahead() == LinesAhead(lines: 4, people: 2, latest: .morning + .seconds(900)))
  }

  @Test func `ratings are counted by version and day of UTC, those without a version left out`()
    throws
  {
    let midnight = Instant(unixSeconds: 1_772_409_600)
    func rating(_ stars: Int, _ version: String?, at seconds: Int) -> Event {
      Event(
        name: "app_events", at: midnight + .seconds(seconds), userId: "u1",
        parameters: ["rating_ChatHub_\(stars)": .integer(1)], appVersion: version)
    }
    try store.write {
      _ = try $0.append(
        [
          rating(5, "3.2", at: -1), rating(1, "3.3", at: 0), rating(1, "3.3", at: 1),
          rating(4, "3.2", at: 2), rating(3, nil, at: 3), rating(2, "", at: 4),
          rating(5, "3.3", at: 86_400), rating(5, "3.3", at: 86_401),
        ], source: "a.json")
    }
    let days = try store.read {
      try $0.versionDays(from: midnight - .seconds(1), to: midnight + .seconds(86_401))
    }
    let starts = try store.read { try $0.versionStarts(until: midnight + .seconds(1)) }
    #expect(
      starts == [
        RatingsData.VersionStart(
          version: "3.2", at: midnight - .seconds(1), ratingsBefore: 0),
        RatingsData.VersionStart(version: "3.3", at: midnight, ratingsBefore: 1),
      ])
    #expect(try store.read { try $0.versionStarts(until: midnight) }.map(\.version) == ["3.2"])
    let day = Duration.seconds(86_400)
    #expect(
      days == [
        RatingsData.VersionDay(version: "3.2", day: midnight - day, stars: [0, 0, 0, 0, 1]),
        RatingsData.VersionDay(version: "3.2", day: midnight, stars: [0, 0, 0, 1, 0]),
        RatingsData.VersionDay(version: "3.3", day: midnight, stars: [2, 0, 0, 0, 0]),
        RatingsData.VersionDay(version: "3.3", day: midnight + day, stars: [0, 0, 0, 0, 1]),
      ])
  }
}
