import Model
import Testing

@testable import Reports
@testable import Store

/// Shares in two parts of an app at once and at some hours, and filters that find nobody:
/// docs/shares.md.
@Suite struct SharePlacesTests {
  private typealias Part = ShareCounts.Part
  private static let android = [Part(.country, "India"), Part(.platform, "android")]

  /// Half of the people of each country on each platform.
  private func app(platforms: [String] = ["ios", "android"]) -> ShareApp {
    var app = ShareApp()
    for platform in platforms {
      app.set([Part(.platform, platform)], .people, 50)
      for (country, people) in [("India", 30), ("Brazil", 70)] {
        for measure in [ShareCounts.Measure.people, .tapping] {
          app.set([Part(.country, country)], measure, people)
          app.set([Part(.country, country), Part(.platform, platform)], measure, people / 2)
        }
      }
    }
    return app
  }

  @Test func `taps fail in one country on one platform`() {
    var app = app()
    app.set(Self.android, .failed, 0, then: 15)
    #expect(app.ids == ["share failed 2026-03-01"])
    #expect(
      app.sentence == "100% of the people in India on Android who tapped got no action since Sun 1 "
        + "Mar, 0.1% usually.")
    // What it is of the country alone says less.
    app.set([Part(.country, "India")], .failed, 0, then: 15)
    #expect(app.sentence.hasPrefix("100% of the people in India on Android"), "\(app.sentence)")
  }

  @Test func `the only platform makes no pairs`() {
    var app = app(platforms: ["android"])
    app.set(Self.android, .failed, 0, then: 15)
    #expect(app.ids.isEmpty)
  }

  @Test(arguments: [
    (28, 14, "; most of them in India."), (28, 25, "; most of them in India on Android."),
    (20, 14, "."),
  ])
  func `a deviation of all is placed where most of it is`(
    ofCountry: Int, ofBoth: Int, place: String
  ) {
    var app = app()
    // Too few of them a day to be judged by themselves, of many.
    for measure in [ShareCounts.Measure.people, .limited] {
      app.set([], measure, 400)
      app.set([Part(.country, "India")], measure, 60)
      app.set(Self.android, measure, 30)
    }
    app.set([], .blocked, 20, then: 60)
    app.set([Part(.country, "India")], .blocked, 10, then: 10 + ofCountry)
    app.set(Self.android, .blocked, 5, then: 5 + ofBoth)
    #expect(app.sentence.hasSuffix(place), "\(app.sentence)")
  }

  @Test func `of several parts the one that has most of a deviation is the place`() {
    func cell(_ part: Part, _ share: Double) -> ShareFindings.Cell {
      ShareFindings.Cell(parts: [part], whole: 30, share: share)
    }
    #expect(
      ShareFindings.Cell.place(
        in: [
          cell(Part(.language, "Hindi"), 0.8), cell(Part(.country, "India"), 0.9),
          cell(Part(.platform, "ios"), 0.85),
        ], of: 100) == [Part(.country, "India")])
  }

  @Test(arguments: [(0.6, 0.7, true), (0.61, 0.7, false), (0.6, 0.69, false)])
  func `a place has 70 percent of a deviation, and 60 of the people at most`(
    whole: Double, share: Double, isPlace: Bool
  ) {
    let cell = ShareFindings.Cell(parts: [Part(.country, "India")], whole: whole, share: share)
    #expect((ShareFindings.Cell.place(in: [cell], of: 1) != nil) == isPlace)
    let pair = ShareFindings.Cell(parts: Self.android, whole: whole, share: share)
    #expect((ShareFindings.Cell.place(in: [pair], of: 1) != nil) == isPlace)
  }

  @Test(arguments: [(18, true), (19, false)])
  func `two parts are a place with 60 percent of the people of one`(whole: Double, isPair: Bool) {
    let cells = [
      ShareFindings.Cell(parts: [Part(.country, "India")], whole: 30, share: 1),
      ShareFindings.Cell(parts: Self.android, whole: whole, share: 0.8),
      // Of another country.
      ShareFindings.Cell(
        parts: [Part(.country, "Chile"), Part(.platform, "ios")], whole: 5, share: 0.7),
    ]
    #expect(ShareFindings.Cell.place(in: cells, of: 100)?.count == (isPair ? 2 : 1))
  }

  /// Filters of a day, and how many of the newest day's found nobody; five of a hundred usually.
  private func filters(_ without: Int, of all: Int = 100, usually: Int = 100) -> ShareApp {
    var app = ShareApp()
    app.usage.shares.filters = Array(repeating: usually, count: UsageData.partDays - 1) + [all]
    app.usage.shares.filtersWithoutResult =
      Array(repeating: usually / 20, count: UsageData.partDays - 1) + [without]
    return app
  }

  @Test(arguments: [(60, 100, true), (11, 12, true), (11, 11, false), (14, 100, false)])
  func `filters that find nobody`(without: Int, all: Int, isOut: Bool) {
    #expect(filters(without, of: all).ids.isEmpty == !isOut)
  }

  @Test(arguments: [(1_500, false), (1_510, true)])
  func `ten points more of the filters must find nobody`(without: Int, isOut: Bool) {
    // Of 10,000, chance does less.
    #expect(filters(without, of: 10_000, usually: 10_000).ids.isEmpty == !isOut)
  }

  @Test func `filters that find nobody are told where people look for somebody`() {
    #expect(filters(60).ids == ["share empty-filters 2026-03-01"])
    #expect(
      filters(60).sentence
        == "60% of the filters found nobody since Sun 1 Mar, 5% usually.")
    let found = filters(60).found().first?.finding
    #expect(found?.level == .warn && found?.report == .users && found?.section == "demand")
    #expect(filters(0).ids.isEmpty, "more results are no fault")
  }

  /// Refreshes of each six hours of the newest day; of a hundred taps, 80 led to an action before.
  private func hours(_ performed: [Int]) -> ShareApp {
    var app = ShareApp()
    app.uses = { day in
      performed.indices.flatMap { quarter in
        let hour = Int64(6 * quarter + 5) * 3_600
        let count = day == JudgedApp.last ? performed[quarter] : 80
        return [(hour, EventKind.buttonTapped, 100), (hour, .performed, count)]
      }
    }
    return app
  }

  @Test func `a feature that hardly works at some hours`() {
    let app = hours([80, 80, 80, 2])
    #expect(app.ids == ["dead features-of-parts 2026-03-01"])
    #expect(
      app.sentence
        == "2% of the taps of Refresh from 18 to 24 h led to an action since Sun 1 Mar, 80% usually."
    )
  }

  @Test func `a feature that fails all day fails at no hour`() {
    #expect(hours([2, 2, 2, 2]).ids.isEmpty)
    #expect(hours([80, 80, 80, 80]).ids.isEmpty)
  }

  @Test func `more actions than taps at other hours are no better share`() {
    let counts = hours([2, 2, 2, 200]).set
    let own = counts.series.first { $0.subject == .actions(.refresh, [Part(.hours, "0 to 6")]) }
    #expect(own?.otherCounts.last == 104 && own?.otherWholes.last == 300)
  }
}
