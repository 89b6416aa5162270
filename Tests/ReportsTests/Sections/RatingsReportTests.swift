import ReportsTesting
import Testing

@testable import Model
@testable import ReportWriters
@testable import Reports
@testable import Store

@Suite struct RatingsReportTests {
  private func tally(_ ratings: [RatingsData.Rating]) -> PeriodTally<StarCounts> {
    PeriodTally(ratings, SampleReports.context)
  }

  @Test func `ratings of the period and of the one before it are counted apart`() {
    let context = SampleReports.context
    let instants = [
      context.previousStart - .microseconds(1), context.previousStart,
      context.start - .microseconds(1),
      context.start, context.end - .microseconds(1), context.end,
    ]
    let tally = tally(
      instants.map { RatingsData.Rating(at: $0, stars: 4) })
    #expect(tally.current.count == 2)
    #expect(tally.previous.count == 2)
  }

  @Test func `three stars are low, four are high; a value that is no rating is not counted`() {
    let tally = tally(
      [0, 1, 2, 3, 4, 5, 6].map { SampleReports.rating("2026-02-20T12:00:00Z", $0) })
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
        == "1 own, 2 foreign, of all periods")
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
  private func figures(_ rows: [[SQLValue]], _ context: ReportContext) throws -> [Cell] {
    let queries = SampleResults.sections(context, with: ["ratings/funnel": rows])
    let reports = ReportSet.make(
      context: context, usage: EmptyReports.usage, limits: EmptyReports.limits,
      ratings: SampleReports.ratings, users: EmptyReports.users, runs: EmptyReports.runs,
      queries: queries)
    let headline = try #require(reports.first { $0.name == .ratings }).headline
    #expect(headline.map(\.id).suffix(2) == ["prompts-rated", "store-mean"])
    return headline.filter { $0.id.hasPrefix("prompts-") }.map(\.value)
  }

  @Test func `the figures of the dialog are those of the table's steps`() throws {
    let rows = try #require(SampleResults.rows(SampleReports.context)["ratings/funnel"])
    #expect(
      try figures(rows, SampleReports.context)
        == [.count(3), .ratio(Ratio(3, of: 4)), .ratio(Ratio(2, of: 3))])
    let none = Cell.ratio(Ratio(0, of: 0))
    #expect(try figures([], SampleReports.context) == [.count(0), none, none])
    // A column without its number is an error of the query.
    #expect(
      try figures([["Stars", "x", 1, 1, ""]], SampleReports.context) == [
        .missing, .missing, .missing,
      ])
  }
}
