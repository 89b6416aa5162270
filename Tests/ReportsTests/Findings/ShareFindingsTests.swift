import Model
import Testing

@testable import Reports
@testable import Store

/// The findings about shares that are out: docs/shares.md.
@Suite struct ShareFindingsTests {
  private typealias Part = ShareCounts.Part
  private typealias Measure = ShareCounts.Measure
  private typealias App = ShareApp

  @Test func `a quiet app has no finding`() { #expect(App().found().isEmpty) }

  @Test func `people without a country, most of them with one version`() {
    var app = App()
    app.set([Part(.country, "")], .people, 0, then: 40)
    app.set([Part(.version, "3.0"), Part(.country, "")], .people, 0, then: 38)
    #expect(app.ids == ["blank country 2026-03-01"])
    #expect(
      app.sentence
        == "40% of the people name no country since Sun 1 Mar, 0% usually; most of them with "
        + "version 3.0.")
    #expect(app.found().first?.finding.level == .warn)
  }

  @Test func `a country that has another name is not a new one`() {
    var app = App()
    app.set([Part(.country, "India")], .people, 30, then: 2)
    app.set([Part(.country, "IN")], .people, 0, then: 28)
    let told = Causes.findings(app.found()).map(\.subject)
    #expect(told == ["renamed country 2026-03-01"])
    #expect(
      app.sentence
        == "India has another name since Sun 1 Mar: IN has 28%, and India nobody.")
    // Where the old one is still there, the new one has come beside it.
    app.set([Part(.country, "India")], .people, 30, then: 4)
    #expect(app.ids.first == "region IN 2026-03-01")
    #expect(app.found().first?.finding.level == .notice)
  }

  @Test(arguments: [(9, true), (10, false)])
  func `a country is new that had less than a hundredth of the people`(before: Int, isNew: Bool) {
    var app = App()
    app.set([], .people, 1_000)
    app.set([Part(.country, "Peru")], .people, before, then: 200)
    #expect(app.ids == [isNew ? "region Peru 2026-03-01" : "share country 2026-03-01"])
  }

  @Test(arguments: [(20, true), (19, false)])
  func `a new country has twenty people in seven days`(people: Int, isNew: Bool) {
    var app = App()
    app.set([Part(.country, "Peru")], .people, 0, then: people)
    #expect(app.ids.contains("region Peru 2026-03-01") == isNew, "\(app.ids)")
    if isNew {
      #expect(app.sentence.hasPrefix("Peru is new since Sun 1 Mar: 20% of the people, "))
      #expect(app.found().first?.rule == .region)
      app.leastOfRegion = 21
      #expect(app.ids.isEmpty)
    }
  }

  @Test func `fewer people of a country, while others stay`() throws {
    var app = App()
    app.set([Part(.country, "India")], .people, 30, then: 2)
    app.set([], .people, 100, then: 72)
    // Brazil has a larger share, and as many people as usual.
    #expect(app.ids == ["share country 2026-03-01", "share places fell 2026-03-01"])
    let told = Causes.findings(app.found())
    #expect(told.map(\.id) == ["users-share-places-fell-2026-03-01"])
    let found = try #require(told.first)
    #expect(
      found.sentence == "Fewer people are in India since Sun 1 Mar: 2.8% of all, 30% usually.")
    #expect(found.level == .warn)
    // As many come as usual, and more from elsewhere.
    app.set([Part(.country, "India")], .people, 30, then: 30)
    app.set([], .people, 100, then: 300)
    #expect(app.ids.isEmpty)
  }

  @Test func `fewer people of a country in one version are no finding of the country`() {
    var app = App()
    app.set([Part(.version, "3.0"), Part(.country, "India")], .people, 40, then: 2)
    #expect(app.ids.isEmpty)
  }

  @Test(arguments: [(101, true), (100, false)])
  func `a country that had a hundredth of the people is new`(people: Int, isNew: Bool) {
    var app = App()
    app.set([], .people, 1_000)
    app.set([Part(.country, "Peru")], .people, 1, then: 200)
    // 28.5 of 2,850, or of 2,849, by the days that are compared.
    app.usage.shares.cells[[]]?[Measure.people.rawValue]
      .replaceSubrange(0..<48, with: repeatElement(101, count: 48))
    app.usage.shares.cells[[]]?[Measure.people.rawValue][30] = people + 21
    #expect(app.ids.contains("region Peru 2026-03-01") == isNew, "\(app.ids)")
  }

  @Test(arguments: [(24, true), (25, false)])
  func `a fifth of the people of a country must be missing`(people: Int, isOut: Bool) {
    var app = App()
    app.set([Part(.country, "India")], .people, 30, then: people)
    app.set([], .people, 100, then: 400)
    #expect(app.ids.contains("share places fell 2026-03-01") == isOut)
  }

  @Test(arguments: [(750, true), (751, false)])
  func `a small share must fall by a quarter of itself, not by five points`(
    count: Int, isOut: Bool
  ) {
    var app = App()
    app.set([], .people, 50_000)
    app.set([Part(.country, "India")], .people, 1_000, then: count)
    app.set([Part(.country, "Brazil")], .people, 49_000)
    #expect(app.ids.isEmpty == !isOut)
  }

  @Test func `a version that calls people otherwise`() {
    var app = App()
    let subscriber = Part(.userType, "lite_subscriber")
    app.set([subscriber], .people, 10, then: 60)
    app.set([Part(.version, "3.0"), subscriber], .people, 8, then: 58)
    #expect(app.ids == ["user types 2026-03-01"])
    #expect(
      app.sentence
        == "73% of the people with version 3.0 are called subscribers since Sun 1 Mar, 10% usually."
    )
  }

  @Test func `people who are called new, and are not, have another type`() {
    var app = App()
    app.set([Part(.userType, "new_user")], .people, 10, then: 60)
    #expect(app.ids == ["user types 2026-03-01"])
    #expect(
      app.sentence
        == "60% of the people are called new users since Sun 1 Mar, 10% usually.")
    // New to the ledger, too: they have come.
    app.set([], .newcomers, 10, then: 60)
    app.facts[JudgedApp.last].activeUsers = 160
    #expect(app.ids == ["more new people 2026-03-01"])
  }

  @Test func `events without a user`() {
    var app = App()
    // 150 of 1,500 are ten points, and a little less than ten more than usual.
    app.facts[JudgedApp.last].concentration.events = 1_349
    #expect(app.ids == ["blank user 2026-03-01"])
    app.facts[JudgedApp.last].concentration.events = 1_350
    #expect(app.ids.isEmpty)
  }

  @Test(arguments: [(115, "new ids"), (116, "more new people")])
  func `more people seem new, and more came or not`(people: Int, id: String) {
    var app = App()
    app.set([], .newcomers, 10, then: 60)
    app.facts[JudgedApp.last].activeUsers = people
    #expect(app.ids == ["\(id) 2026-03-01"])
  }

  @Test func `subscribers who are free again are an error`() {
    var app = App()
    app.set([], .lost, 0, then: 3)
    #expect(app.ids.isEmpty)
    app.set([], .lost, 0, then: 4)
    #expect(app.found().map(\.finding.level) == [.error])
    #expect(app.ids == ["lost subscribers 2026-03-01"])
  }

  @Test func `blocks that stop in one version, which names where`() {
    var app = App()
    app.set([], .blocked, 16, then: 0, 0, 0)
    app.set([Part(.version, "3.0")], .blocked, 12, then: 0, 0, 0)
    #expect(app.ids.first?.hasPrefix("share blocked") == true)
    // A limit that was changed explains it.
    app.changedOn = JudgedApp.last - 28
    #expect(app.ids.isEmpty)
    app.changedOn = JudgedApp.last - 29
    #expect(!app.ids.isEmpty)
  }

  @Test func `a limit that some have, and popups without a price`() {
    var app = App()
    app.offer(3, "$4.99", 40, then: 25)
    app.offer(1, "$4.99", 0, then: 15)
    #expect(app.ids == ["limit refresh 2026-03-01"])
    #expect(app.sentence.hasPrefix("38% of the popups of Refresh show a limit of 1"))
    app.changedOn = JudgedApp.last
    #expect(app.ids.isEmpty)
    app = App()
    app.offer(3, "$4.99", 40, then: 20)
    app.offer(3, "", 0, then: 20)
    app.changedOn = JudgedApp.last
    #expect(app.ids == ["blank price 2026-03-01"])
  }

  /// Refreshes in India, beside 300 taps elsewhere.
  private func refreshes(
    _ performed: Int, of taps: Int = 100, people: Int = 20, elsewhere: Int = 300
  ) -> App {
    var app = App()
    app.tap(AppDimension(.country, "India"), taps, people: people, then: performed)
    app.tap(AppDimension(.country, "Brazil"), elsewhere)
    return app
  }

  @Test func `a feature that hardly works in a country, and works elsewhere`() throws {
    let found = try #require(refreshes(3).found().first)
    #expect(found.finding.id == "usage-dead-features-of-parts-2026-03-01")
    #expect(
      found.finding.sentence
        == "3% of the taps of Refresh in India led to an action since Sun 1 Mar, 80% usually.")
    #expect(found.finding.level == .error && found.rule == .dead && found.direction == .fell)
  }

  @Test(arguments: [(0, true), (39, true), (40, false), (80, false)])
  func `less than half of the usual actions are too few`(performed: Int, fails: Bool) {
    #expect(refreshes(performed).ids.isEmpty == !fails)
  }

  @Test(arguments: [(300, true), (301, false)])
  func `just half of the usual actions are too few`(performed: Int, fails: Bool) {
    var app = refreshes(performed)
    let india = AppDimension(.country, "India")
    let (refresh, last) = (Feature.refresh.position, UsageData.partDays - 1)
    // Three of four taps led to an action, by the days that are compared exactly 2,101.5 of 2,802.
    app.usage.parts[india]?.performed[refresh] = Array(repeating: 75, count: last) + [performed]
    app.usage.parts[india]?.performed[refresh][30] = 76
    app.usage.parts[india]?.taps[refresh][30] = 101
    app.usage.parts[india]?.taps[refresh][last] = 800
    app.usage.parts[AppDimension(.country, "Brazil")]?.performed[refresh][last] = 250
    #expect(app.ids.isEmpty == !fails)
  }

  @Test(arguments: [(12, true), (11, false)])
  func `a feature fails for twelve people`(people: Int, fails: Bool) {
    #expect(refreshes(0, people: people).ids.isEmpty == !fails)
  }

  @Test(arguments: [(20, true), (19, false)])
  func `twenty taps elsewhere say how often an action follows`(others: Int, fails: Bool) {
    #expect(refreshes(0, elsewhere: others).ids.isEmpty == !fails)
  }

  @Test func `a floor of the owner bounds the actions that were expected`() {
    var app = refreshes(0, of: 30)
    #expect(!app.ids.isEmpty)
    app.leastActions = 23.9
    #expect(!app.ids.isEmpty)
    app.leastActions = 24
    #expect(app.ids.isEmpty, "of 30 taps a little less than 24 led to an action")
  }

  @Test func `what fails everywhere fails in no part, and what never worked is no news`() {
    var app = refreshes(0)
    app.tap(AppDimension(.country, "Brazil"), 300, then: 0)
    #expect(app.ids.isEmpty)
    app = refreshes(0)
    app.usage.parts[AppDimension(.country, "India")]?.performed[Feature.refresh.position] =
      Array(repeating: 0, count: UsageData.partDays)
    #expect(app.ids.isEmpty)
  }

  @Test(arguments: [(1, true), (7, true), (8, false)])
  func `a version that is broken from its first day on is told for a week`(
    count: Int, fails: Bool
  ) {
    var app = App()
    let version = AppDimension(.version, "4.0")
    app.tap(AppDimension(.version, "3.0"), 300)
    app.tap(version, 30, then: 0)
    let before = 0..<(UsageData.partDays - count)
    app.usage.parts[version]?.performed[Feature.refresh.position] =
      Array(repeating: 0, count: UsageData.partDays)
    app.usage.parts[version]?.taps[Feature.refresh.position].replaceSubrange(
      before, with: repeatElement(0, count: before.count))
    #expect(app.ids.isEmpty == !fails)
    if fails { #expect(app.sentence.hasSuffix(", 80% elsewhere.")) }
  }

  @Test func `documents without an age, and lines that come late`() {
    var app = App()
    app.usage.shares.lastSeen = Array(repeating: 50, count: UsageData.partDays)
    app.usage.shares.blankFields[.age] =
      Array(repeating: 0, count: UsageData.partDays - 1) + [20]
    app.usage.shares.importedLines = Array(repeating: 1_500, count: UsageData.partDays)
    app.usage.shares.lateLines = Array(repeating: 0, count: UsageData.partDays - 1) + [450]
    #expect(app.ids == ["clocks-behind 2026-03-01", "blank age of documents 2026-03-01"])
    #expect(app.found().map(\.rule) == [.clocks, .values])
  }

  @Test func `texts that say the same`() {
    var app = App()
    func entry(_ day: Int, _ number: Int, _ text: String) -> RatingsData.FeedbackEntry {
      RatingsData.FeedbackEntry(
        feedback: Feedback(
          userId: "u\(number)", gender: "", country: "", appVersion: "3.0", text: text,
          timestamp: app.facts[day].start.unixSeconds + Int64(number), stars: 1),
        origin: .foreign)
    }
    app.feedback = (20...JudgedApp.last).flatMap { day in
      (0..<8).map { entry(day, $0, "A text of its own \(day) \($0)") }
    }
    #expect(app.ids.isEmpty)
    app.feedback += (0..<8).map { entry(JudgedApp.last, 10 + $0, "They took it TWICE!") }
    #expect(app.ids == ["alike texts 2026-03-01"])
    // "They took" are no words by which texts are told apart.
    app.feedback = app.feedback.dropLast(8)
    app.feedback += (0..<8).map { entry(JudgedApp.last, 10 + $0, "Bad app") }
    #expect(app.ids.isEmpty)
  }

  @Test func `it is listed for seven days, under the day on which it began`() {
    var app = App()
    app.set([Part(.country, "")], .people, 0, then: 40, 40, 40)
    #expect(app.ids == ["blank country 2026-02-27"])
    app.set([Part(.country, "")], .people, 0, then: 40, 40, 40, 40, 40, 40, 40)
    #expect(app.ids == ["blank country 2026-02-23"])
    app.set([Part(.country, "")], .people, 0, then: 40, 40, 40, 40, 40, 40, 40, 40)
    #expect(app.ids.isEmpty)
  }

  @Test func `a finding keeps all that was judged for it, and what is not listed by itself`() {
    var app = App()
    app.set([Part(.country, "")], .people, 0, then: 40, 40)
    let detections = app.found()
    #expect(detections.first?.finding.evidence.count == 1)
    #expect(
      detections.first?.finding.judgements.map(\.dayCount).sorted() == [1, 3, 7],
      "two days are out, alone and among three and seven")
    let stopped = Detection(
      finding: Finding(.warn, "India has stopped.", report: .users, section: "places"),
      rule: .dead, firstDay: JudgedApp.last, topics: [.use], direction: .fell)
    let findings = Causes.findings(detections + [stopped])
    #expect(findings.map(\.explained) == [["India has stopped."]])
  }
}
