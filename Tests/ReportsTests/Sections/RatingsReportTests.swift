import Testing

@testable import Model
@testable import Reports
@testable import Store

@Suite struct RatingsReportTests {
  private func tally(_ ratings: [RatingsData.Rating]) -> RatingsTally {
    var data = EmptyReports.ratings
    data.ratings = ratings
    return RatingsTally(
      data, context: SampleReports.context, calendar: ReportCalendar(timeZone: "Europe/Berlin"))
  }

  @Test func `ratings of the period and of the one before it are counted apart`() {
    let context = SampleReports.context
    let instants = [
      context.previousStart - .microseconds(1), context.previousStart,
      context.start - .microseconds(1),
      context.start, context.end - .microseconds(1), context.end,
    ]
    let tally = tally(
      instants.map {
        RatingsData.Rating(at: $0, stars: 4, userId: "u", country: nil, appVersion: nil)
      })
    #expect(tally.current.count == 2)
    #expect(tally.previous.count == 2)
  }

  @Test func `three stars are low, four are high; a value that is no rating is not counted`() {
    let tally = tally(
      [0, 1, 2, 3, 4, 5, 6].map { SampleReports.rating("2026-02-20T12:00:00Z", $0, nil, nil) })
    #expect(tally.current.counts == [1, 1, 1, 1, 1])
    #expect(tally.current.low == 3 && tally.current.high == 2)
    #expect(tally.current.mean.value == 3)
  }

  @Test func `rejected items are an error, waiting ones a note, delivered ones nothing`() {
    var data = EmptyReports.ratings
    func levels() -> [Level] {
      RatingsReport.make(data, context: SampleReports.context).findings.map(\.level)
    }
    #expect(levels().isEmpty)
    data.outbox = [.delivered: 4, .parked: 1]
    #expect(levels().isEmpty)
    data.outbox = [.rejected: 1, .sending: 1]
    #expect(levels() == [.error, .notice])
  }
}

@Suite struct RatingSectionsTests {
  private func section(_ id: String, _ data: RatingsData) throws -> Section {
    try #require(
      RatingsReport.make(data, context: SampleReports.context).sections.first { $0.id == id })
  }

  private func rows(_ id: String, table: String, _ data: RatingsData) throws -> [[Cell]] {
    for case .table(let found) in try section(id, data).blocks where found.id == table {
      return found.rows.map(\.cells)
    }
    Issue.record("no table \(table)")
    return []
  }

  @Test func `the page has nothing about the App Store until reviews were read`() throws {
    var data = SampleReports.ratings
    data.reviews = nil
    let report = RatingsReport.make(data, context: SampleReports.context)
    #expect(!report.sections.map(\.id).contains { ["app-store", "reviews"].contains($0) })
    #expect(!report.headline.contains { $0.id == "store-mean" })
    let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
    #expect(!text.contains("App Store, mean") && !text.contains("In the App Store"))
    data.reviews = ReviewData(count: 0, stars: 0, newest: [], fetchedAt: SampleReports.context.now)
    #expect(try section("reviews", data).blocks.count == 1)
  }

  @Test func `profiles are counted by what comes next, each once`() throws {
    var data = EmptyReports.ratings
    func counters(
      _ sent: Int64, _ received: Int64, _ tries: Int64
    ) -> RatingsData.PromptAudience.Member {
      .init(userId: "", counters: RatingCounters(sent: sent, received: received, tries: tries))
    }
    data.audience = RatingsData.PromptAudience(
      members: [
        counters(11, 11, 0), counters(10, 11, 0), counters(11, 10, 1), counters(50, 50, 2),
        counters(-999_999_999, -999_999_999, 0),
      ], threshold: 10, maxPrompts: 2)
    let counts = try rows("asking", table: "asking", data).map { $0[1] }
    #expect(counts == [1, 2, 1, 1, 0].map(Cell.count))
    data.audience.maxPrompts = 0
    #expect(try rows("asking", table: "asking", data).last?[1] == .count(5))
  }

  @Test func `feedback says whose it is, and how many texts are own and foreign`() throws {
    var data = EmptyReports.ratings
    data.feedback = (0..<3).map { number in
      var entry = SampleReports.feedback("I wait and wait \(number)", stars: 2)
      entry.origin = number == 0 ? .own : .foreign
      if number > 0 { entry.state = nil }
      return entry
    }
    let report = RatingsReport.make(data, context: SampleReports.context)
    #expect(
      report.headline.first { $0.id == "feedback" }?.note
        == "1 own, 2 foreign, whatever the period")
    let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
    #expect(text.contains("foreign\n") && text.contains("own · "))
  }
}

@Suite struct ReviewMarkupTests {
  @Test
  func `a review's title stands above its text, as text, where the page's search finds both`()
    throws
  {
    let report = RatingsReport.make(SampleReports.ratings, context: SampleReports.context)
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
    let quotes = root.all("blockquote").map { $0.children.map(\.text) }
    #expect(quotes.contains(["That <b>timer</b>", "Two minutes & nothing."]))
    #expect(quotes.contains(["Sehr schön"]))
  }
}

@Suite struct RatingFunnelTests {
  private static let context = SampleReports.context

  private func funnel(
    _ events: [RatingPromptEvent],
    profiles: [RatingsData.PromptAudience.Member] = []
  ) -> RatingFunnel {
    var data = EmptyReports.ratings
    data.prompts = events
    data.audience = .init(members: profiles, threshold: 10, maxPrompts: 2)
    return RatingFunnel(data, context: Self.context)
  }

  private func event(
    _ kind: RatingPromptEvent.Kind, _ userId: String = "u", after: Duration = .zero,
    stars: Int? = nil
  ) -> RatingPromptEvent {
    RatingPromptEvent(at: Self.context.start + after, kind: kind, userId: userId, stars: stars)
  }

  private func table(_ id: String, _ events: [RatingPromptEvent]) throws -> [[Cell]] {
    let section = funnel(events).section
    for case .table(let table) in section.blocks where table.id == id {
      return table.rows.map(\.cells)
    }
    Issue.record("no table \(id)")
    return []
  }

  @Test func `each step has its denominator`() throws {
    let rows = try table("rating-funnel", SampleReports.prompts)
    #expect(
      rows.map { $0[2] }
        == [(3, 3), (0, 3), (1, 3), (2, 3), (0, 1), (1, 1)].map { .ratio(Ratio($0, of: $1)) })
    #expect(funnel(SampleReports.prompts).current.unasked == 1)
    #expect(try table("rating-funnel", []).isEmpty)
  }

  @Test
  func `of the people who met the conditions, those who were asked are the show rate`() throws {
    func event(
      _ kind: RatingPromptEvent.Kind, _ userId: String, sent: Int64, tries: Int64 = 0,
      after: Duration = .zero
    ) -> RatingPromptEvent {
      var event = self.event(kind, userId, after: after)
      event.thresholds = .init(messages: 10, maxPrompts: 2)
      event.counters = RatingCounters(sent: sent, received: 11, tries: tries)
      return event
    }
    var fromSettings = self.event(.shown, "settings")
    fromSettings.isFromSettings = true
    let events = [
      event(.shown, "asked", sent: 11), event(.shown, "asked", sent: 12),
      // Neither too few messages nor used up tries are the conditions.
      event(.shown, "few", sent: 10), event(.shown, "tired", sent: 11, tries: 2), fromSettings,
      // Rated by the way of the settings, though the question was due.
      event(.stars, "unasked", sent: 11), event(.shown, "before", sent: 11, after: .seconds(-1)),
      // An app that tells no counters asks those who met them.
      self.event(.shown, "app"),
    ]
    func profile(_ userId: String, sent: Int64) -> RatingsData.PromptAudience.Member {
      .init(userId: userId, counters: RatingCounters(sent: sent, received: 11))
    }
    let profiles = [
      profile("asked", sent: 11), profile("waits", sent: 11), profile("young", sent: 10),
    ]
    #expect(funnel(events).asked == Ratio(2, of: 3))
    // Who met the conditions, as an event tells, and saw no dialog.
    let told = [
      event(.due, "told", sent: 11), event(.due, "few", sent: 10), self.event(.due, "app2"),
    ]
    #expect(funnel(events + told).asked == Ratio(2, of: 5))
    #expect(funnel(events, profiles: profiles).asked == Ratio(2, of: 4))
    let figures = funnel(events, profiles: profiles).figures
    #expect(figures.first { $0.id == "prompts-asked" }?.value == .ratio(Ratio(2, of: 4)))
    let section = funnel([], profiles: profiles).section
    guard case .table(let table) = section.blocks.first else {
      Issue.record("no table")
      return
    }
    #expect(table.rows.first?.cells[2] == .ratio(Ratio(0, of: 2)))
  }

  @Test func `a dialog belongs to the period in which it was shown, to the microsecond`() {
    let length = Self.context.end - Self.context.start
    let events = [
      event(.shown, "a", after: .microseconds(-1)), event(.shown, "b"),
      event(.stars, "a", after: .seconds(1), stars: 5),
      event(.shown, "c", after: length - .microseconds(1)), event(.shown, "d", after: length),
    ]
    let funnel = funnel(events)
    #expect((funnel.current.shown, funnel.current.stars) == (2, 0))
    #expect(funnel.asked == Ratio(2, of: 2))
  }

  @Test func `three stars lead to feedback, four to the App Store`() {
    for (stars, isHigh) in [(3, false), (4, true)] {
      let counts = funnel([event(.shown), event(.stars, stars: stars), event(.store)]).current
      #expect((counts.low, counts.high) == (isHigh ? 0 : 1, isHigh ? 1 : 0))
      #expect((counts.feedback, counts.store) == (isHigh ? 0 : 1, isHigh ? 1 : 0))
    }
  }
}
