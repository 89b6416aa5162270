import Model
import ReportsTesting
import Store
import Testing

@testable import Reports

/// The sentence of the index and its tiles: docs/reports/form.md#tiles.
@Suite struct IndexVerdictTests {
  private static let stars = [5, 5, 10, 10, 20]

  /// Whole days alike, the last of them yesterday, and the running day.
  private func tiles(
    days: Int, readsFrom: Int = 0, _ change: (inout DayFacts) -> Void = { _ in }
  ) -> IndexTiles {
    let start = SampleReports.at("2026-01-01T00:00:00Z")
    var all = (0...days).map { day in
      let begin = start + .seconds(86_400 * day)
      var facts = DayFacts(
        start: begin, end: begin + .seconds(86_400), coverage: day == days ? .running : .whole)
      facts.activeUsers = 200
      facts.blockedUsers = 50
      facts.subscriptionTaps = 40
      facts.newSubscribers = 2
      facts.reads = day < readsFrom ? 0 : 5_000
      facts.stars = Self.stars
      return facts
    }
    change(&all[days - 1])
    return IndexTiles(DayHistory(days: all), ReportCalendar(timeZone: "UTC"))
  }

  private func expected(_ id: String, in tiles: IndexTiles) -> Figure.Expected? {
    tiles.figures.first { $0.id == id }?.expected
  }

  @Test func `a tile says what is usual of six same weekdays, and has no change`() throws {
    let tiles = tiles(days: 60)
    let active = try #require(expected("active", in: tiles))
    #expect(active.words == "usual 182 to 218" && active.days == 6)
    #expect(tiles.figures.allSatisfy { $0.change == nil })
    #expect(tiles.title == "Sun 1 Mar, compared with the 6 Sundays before")
    #expect(
      tiles.sentence()
        == "200 people were active yesterday, as usual (182 to 218); nothing stands out.")
    #expect(
      tiles.sentence(besideFinding: true)
        == "200 people were active yesterday, as usual (182 to 218).")
    #expect(expected("stars", in: tiles)?.words == "usual 3.46 to 3.94")
  }

  @Test(arguments: [
    (181, "not far from the usual 182 to 218"), (182, "as usual (182 to 218)"),
    (218, "as usual (182 to 218)"), (219, "not far from the usual 182 to 218"),
  ])
  func `a value outside of what is usual that is no alarm is not as usual`(
    value: Double, words: String
  ) {
    let usual = Figure.Expected(
      range: 181.6...218.4, places: 0, days: 6, verdict: .usual)
    #expect(usual.words(of: value) == words)
    let above = Figure.Expected(range: 181.6...218.4, places: 0, days: 6, verdict: .above)
    #expect(above.words(of: value) == "above the usual 182 to 218")
  }

  @Test(arguments: [(12, true), (13, false)])
  func `reads are compared with a week before when something had been read then`(
    readsFrom: Int, isCompared: Bool
  ) {
    let reads = tiles(days: 20, readsFrom: readsFrom).figures.first { $0.id == "reads" }
    #expect((reads?.change != nil) == isCompared)
  }

  @Test(arguments: [(28, false), (29, true)])
  func `four of the same weekday are needed, and before the week before is compared with`(
    days: Int, isJudged: Bool
  ) {
    let tiles = tiles(days: days)
    #expect((expected("active", in: tiles) != nil) == isJudged)
    #expect((tiles.figures.first { $0.id == "active" }?.change == nil) == isJudged)
    let words = tiles.sentence()
    #expect(words.contains("nothing stands out") == isJudged, "\(words)")
    #expect(words.contains("usage was about as on") == !isJudged, "\(words)")
  }

  @Test(arguments: [
    (136, Figure.Expected.Verdict.below), (137, .usual), (263, .usual), (264, .above),
  ])
  func `the sentence and the tile have one verdict`(active: Int, verdict: Figure.Expected.Verdict) {
    let tiles = tiles(days: 60) { $0.activeUsers = active }
    #expect(expected("active", in: tiles)?.verdict == verdict)
    let words = tiles.sentence()
    #expect(words.contains("nothing stands out") == (verdict == .usual), "\(words)")
    #expect(words.contains("\(verdict.rawValue) the usual 182 to 218") == (verdict != .usual))
  }

  @Test(arguments: [20, 60])
  func `stars that fell are named, and never called about as before`(days: Int) {
    let tiles = tiles(days: days) { $0.stars = [40, 7, 2, 0, 1] }
    let words = tiles.sentence()
    #expect(
      words.contains(
        days == 60
          ? "mean stars 1.30, below the usual 3.46 to 3.94" : "mean stars 1.30 after 3.70"),
      "\(words)")
    #expect(!words.contains("about as") && !words.contains("nothing stands out"), "\(words)")
    let note = tiles.figures.first { $0.id == "stars" }?.note
    #expect(note == (days == 60 ? "of 50 ratings" : "of 50 ratings, 3.70 before"))
  }

  @Test func `means of few ratings are compared neither in the tile nor in the sentence`() {
    let tiles = tiles(days: 20) { $0.stars = [7, 0, 0, 0, 0] }
    #expect(tiles.figures.first { $0.id == "stars" }?.note == "of 7 ratings")
    #expect(tiles.sentence().contains("about as"))
  }

  @Test(arguments: [(0, 0, true), (8, 2, true), (16, 2, false)])
  func `without a base for percentages chance decides`(now: Int, before: Int, isAlike: Bool) {
    let tiles = tiles(days: 20) { $0.newSubscribers = now }
    #expect(tiles.sentence().contains("about as") == isAlike, "\(tiles.sentence())")
  }

  @Test func `today's users online are compared with loads up to this hour`() {
    var history = DayHistory(days: [])
    let start = SampleReports.at("2026-01-01T00:00:00Z")
    history.days = (0...49).map { day in
      var facts = DayFacts(
        start: start + .seconds(86_400 * day), end: start + .seconds(86_400 * (day + 1)),
        coverage: day == 49 ? .running : .whole)
      facts.onlineNow = day == 49 ? 40 : 400
      facts.onlineByNow = 40
      return facts
    }
    let calendar = ReportCalendar(timeZone: "UTC")
    let online = IndexTiles(history, calendar).figures.first { $0.id == "online" }
    #expect(online?.expected?.verdict == .usual)
    history.days[49].onlineNow = nil
    history.days[49].onlineByNow = nil
    let evening = IndexTiles(history, calendar).figures.first { $0.id == "online" }
    #expect(evening?.value == .count(400) && evening?.expected?.verdict == .usual)
  }

  @Test(arguments: [
    (nil, "at the last load"), (48, "at the last load, 48 at that of the day before"),
  ])
  func `without anything to compare with, who is online stands beside the day before`(
    yesterday: Int?, note: String
  ) {
    let start = SampleReports.at("2026-01-01T00:00:00Z")
    var history = DayHistory(days: [])
    history.days = (0...1).map { day in
      DayFacts(
        start: start + .seconds(86_400 * day), end: start + .seconds(86_400 * (day + 1)),
        coverage: day == 1 ? .running : .whole)
    }
    history.days[0].onlineNow = yesterday
    history.days[1].onlineNow = 37
    let tiles = IndexTiles(history, ReportCalendar(timeZone: "UTC"))
    let online = tiles.figures.first { $0.id == "online" }
    #expect(online?.value == .count(37) && online?.note == note)
  }

  @Test func `one profile's days have no usual`() {
    let start = SampleReports.at("2026-01-01T00:00:00Z")
    let days = (0...50).map { day in
      DayFacts(
        start: start + .seconds(86_400 * day), end: start + .seconds(86_400 * (day + 1)),
        coverage: day == 50 ? .running : .whole)
    }
    let tiles = IndexTiles(
      DayHistory(days: days), ReportCalendar(timeZone: "UTC"), judgedBy: nil)
    #expect(tiles.figures.allSatisfy { $0.expected == nil })
  }
}
