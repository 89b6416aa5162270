import Model
import Testing

@testable import Reports

@Suite struct RatingsReportTests {
  private func tally(_ ratings: [RatingsFacts.Rating]) -> RatingsTally {
    var facts = EmptyFacts.ratings
    facts.ratings = ratings
    return RatingsTally(
      facts, frame: SampleFacts.frame, calendar: ReportCalendar(timeZone: "Europe/Berlin"))
  }

  @Test("ratings of the period and of the one before it are counted apart")
  func bounds() {
    let frame = SampleFacts.frame
    let instants = [
      frame.previousStart - .microseconds(1), frame.previousStart, frame.start - .microseconds(1),
      frame.start, frame.end - .microseconds(1), frame.end,
    ]
    let tally = tally(
      instants.map {
        RatingsFacts.Rating(at: $0, stars: 4, userId: "u", country: nil, appVersion: nil)
      })
    #expect(tally.current.count == 2)
    #expect(tally.previous.count == 2)
  }

  @Test("three stars are low, four are high; what is no rating is not counted")
  func lowAndHigh() {
    let tally = tally(
      [0, 1, 2, 3, 4, 5, 6].map { SampleFacts.rating("2026-02-20T12:00:00Z", $0, nil, nil) })
    #expect(tally.current.counts == [1, 1, 1, 1, 1])
    #expect(tally.current.low == 3 && tally.current.high == 2)
    #expect(tally.current.mean.value == 3)
  }

  @Test("weeks are those of both periods, each Monday once, the empty ones too")
  func weeks() {
    let tally = tally(SampleFacts.ratings.ratings)
    #expect(
      tally.weeks.map(\.iso8601) == ["2026-02-02", "2026-02-09", "2026-02-16", "2026-02-23"])
    #expect(tally.byWeek[tally.weeks[1]] == nil)
    #expect(tally.byWeek[tally.weeks[3]]?.count == 3)
  }

  @Test("rejected items are an error, waiting ones a note, delivered ones nothing")
  func outbox() {
    var facts = EmptyFacts.ratings
    func levels() -> [Level] {
      RatingsReport.make(facts, frame: SampleFacts.frame).findings.map(\.level)
    }
    #expect(levels().isEmpty)
    facts.outbox = [.delivered: 4, .parked: 1]
    #expect(levels().isEmpty)
    facts.outbox = [.rejected: 1, .sending: 1]
    #expect(levels() == [.error, .notice])
  }
}

@Suite struct RatingSectionsTests {
  private func section(_ id: String, _ facts: RatingsFacts) throws -> Section {
    try #require(
      RatingsReport.make(facts, frame: SampleFacts.frame).sections.first { $0.id == id })
  }

  private func rows(_ id: String, table: String, _ facts: RatingsFacts) throws -> [[Cell]] {
    for case .table(let found) in try section(id, facts).blocks where found.id == table {
      return found.rows.map(\.cells)
    }
    Issue.record("no table \(table)")
    return []
  }

  @Test("without reviews ever read, nothing of the App Store is on the page")
  func noReviews() throws {
    var facts = SampleFacts.ratings
    facts.reviews = nil
    let report = RatingsReport.make(facts, frame: SampleFacts.frame)
    #expect(!report.sections.map(\.id).contains { ["app-store", "reviews"].contains($0) })
    #expect(!report.headline.contains { $0.id == "store-mean" })
    let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
    #expect(!text.contains("App Store, ") && !text.contains("In the App Store"))
    facts.reviews = ReviewFacts(groups: [], newest: [], fetchedAt: SampleFacts.frame.now)
    #expect(try section("reviews", facts).blocks.count == 1)
  }

  @Test("profiles are counted by what comes next, each once, and those asked before")
  func asking() throws {
    var facts = EmptyFacts.ratings
    func counters(_ sent: Int64, _ received: Int64, _ tries: Int64) -> RatingCounters {
      RatingCounters(sent: sent, received: received, tries: tries)
    }
    facts.asking = RatingsFacts.Asking(
      counters: [
        counters(11, 11, 0), counters(10, 11, 0), counters(11, 10, 1), counters(50, 50, 2),
        counters(-999_999_999, -999_999_999, 0),
      ], threshold: 10, maxPrompts: 2)
    let counts = try rows("asking", table: "asking", facts).map { $0[1] }
    #expect(counts == [1, 2, 1, 1, 0].map(Cell.count))
    #expect(RatingAsking(facts.asking).figure.value == .ratio(Ratio(3, of: 5)))
    facts.asking.maxPrompts = 0
    #expect(try rows("asking", table: "asking", facts).last?[1] == .count(5))
  }

  @Test("a rating is completed by a visit or by a text of this period, by its own stars")
  func completion() throws {
    var facts = SampleFacts.ratings
    let frame = SampleFacts.frame
    facts.visits = [
      frame.start, frame.end - .microseconds(1), frame.end, frame.start - .seconds(1),
    ]
    .map { RatingVisit(at: $0, stars: 5) }
    facts.visits.append(RatingVisit(at: frame.start, stars: 3))
    let cells = try rows("completion", table: "completion", facts).map { $0[3] }
    #expect(
      cells
        == [Ratio(2, of: 2), Ratio(0, of: 1), Ratio(0, of: 0), Ratio(0, of: 0), Ratio(1, of: 1)]
        .map(Cell.ratio))
  }

  @Test("versions and countries stand side by side where both have something")
  func comparison() throws {
    var facts = SampleFacts.ratings
    facts.ratings.append(SampleFacts.rating("2026-02-20T12:00:00Z", 3, "türkiye", "9"))
    facts.reviews?.groups.append(
      SampleFacts.reviewGroup("tr", "1", [2, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]))
    let versions = try rows("app-store", table: "store-versions", facts)
    #expect(versions.map { $0[0] } == [.text("2.4")])
    #expect(versions[0][1] == .count(3) && versions[0][3] == .count(52))
    let countries = try rows("app-store", table: "store-countries", facts)
    #expect(countries.map { $0[0] } == [.text("Germany"), .text("Türkiye")])
    #expect(
      countries[0].dropFirst() == [
        .count(2), .mean(Mean(total: 10, count: 2)), .count(43),
        .mean(Mean(total: 209, count: 43)),
      ])
  }

  @Test("the App Store's mean counts each review of the period, of the one before, and of all")
  func means() throws {
    let counts = try rows("app-store", table: "store-means", SampleFacts.ratings).map { $0[1] }
    #expect(counts == [4, 1, 4, 1, 53].map(Cell.count))
  }

  @Test("stars, mean and their distribution stand by week, version and country")
  func distribution() throws {
    let germany = try rows("groups", table: "ratings-by-country", SampleFacts.ratings)[0]
    #expect(
      germany == [.text("Germany"), .count(2), .mean(Mean(total: 10, count: 2))]
        + [2, 0, 0, 0, 0].map(Cell.count))
  }
}

@Suite struct AgeBandTests {
  @Test(
    "bands at their borders",
    arguments: [
      (17, AgeBand.under18), (18, .to24), (24, .to24), (25, .to34), (34, .to34), (35, .to44),
      (64, .to64), (65, .over64), (130, .over64), (-1, .under18),
    ])
  func bands(years: Int, expected: AgeBand) {
    #expect(AgeBand(years: years) == expected)
  }
}

@Suite struct ReviewMarkupTests {
  @Test("a review's title stands above its text, as text, where the page's search finds both")
  func title() throws {
    let report = RatingsReport.make(SampleFacts.ratings, frame: SampleFacts.frame)
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
    let quotes = root.all("blockquote").map { $0.children.map(\.text) }
    #expect(quotes.contains(["That <b>timer</b>", "Two minutes & nothing."]))
    #expect(quotes.contains(["Sehr schön"]))
  }
}
