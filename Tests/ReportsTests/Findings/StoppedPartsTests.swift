import Model
import Testing

@testable import Reports

/// When a part of the app has all but stopped: docs/findings.md#stopped.
@Suite struct StoppedPartsTests {
  private let rule = StoppedParts(days: JudgedApp.days())

  private func stop(_ usual: Int, then ends: [Int]) -> StoppedParts.Stop? {
    rule.stop(of: JudgedApp.series(usual, then: ends), on: JudgedApp.last)
  }

  @Test func `a tenth of the usual and what chance adds has stopped, one more has not`() {
    // A tenth of 100 is 10, and 1.3 deviations of 10 are 4.1; a fifth would be 20.
    for (count, isStopped) in [(0, true), (10, true), (14, true), (15, false), (50, false)] {
      #expect((stop(100, then: [count]) != nil) == isStopped, "\(count)")
    }
  }

  @Test func `fifteen must have been usual, on one day or on several together`() {
    #expect(stop(14, then: [0]) == nil)
    #expect(stop(15, then: [0])?.firstDay == JudgedApp.last)
    #expect(stop(5, then: [0, 0]) == nil)
    let three = stop(5, then: [0, 0, 0])
    #expect(three?.firstDay == JudgedApp.last - 2 && three?.expected == 15 && three?.dayCount == 3)
    #expect(stop(0, then: [0, 0, 0, 0]) == nil)
  }

  @Test(arguments: [
    (6, [0], true), (5, [0], false), (8, [1], true), (7, [1], false), (4, [0, 0], true),
    (3, [0, 0], false),
  ])
  func `of what is judged alone six suffice, and chance in 5 of 1,000 days, 1 of several days`(
    usual: Int, left: [Int], isStopped: Bool
  ) {
    let series = JudgedApp.series(usual, then: left)
    #expect((rule.stop(of: series, on: JudgedApp.last, isAlone: true) != nil) == isStopped)
    #expect(rule.stop(of: series, on: JudgedApp.last) == nil)
  }

  @Test func `new people, subscription taps, sales, ratings and feedback are judged alone`() {
    let alone = PartFindings.Group.allCases.filter(\.isAlone)
    #expect(alone == [.newPeople, .subscriptionTaps, .sales, .ratings, .feedback])
  }

  @Test func `a floor of the owner takes the place of ours`() {
    var own = StoppedParts(days: JudgedApp.days())
    own.ownFloor = 31
    #expect(own.stop(of: JudgedApp.series(30, then: [0]), on: JudgedApp.last) == nil)
    #expect(own.stop(of: JudgedApp.series(31, then: [0]), on: JudgedApp.last) != nil)
  }

  @Test func `what varies like people who do ten things each needs as many people`() {
    var series = JudgedApp.series(0)
    series.counts = (0...JudgedApp.last).map { $0 % 2 == 0 ? 10 : 50 }
    series.counts[JudgedApp.last] = 0
    #expect(rule.stop(of: series, on: JudgedApp.last) == nil)
  }

  @Test func `it began with its first low day, and is over when a day has more than a quarter`() {
    #expect(stop(100, then: [25, 3, 3, 3])?.firstDay == JudgedApp.last - 3)
    #expect(stop(100, then: [26, 3, 3, 3])?.firstDay == JudgedApp.last - 2)
    #expect(stop(100, then: [3, 3, 3, 25]) != nil)
    #expect(stop(100, then: [3, 3, 3, 26]) == nil)
  }

  @Test(arguments: [(20, true), (21, false), (27, false)])
  func `what stopped more than twenty days ago is the new normal`(count: Int, isTold: Bool) {
    let stop = stop(30, then: Array(repeating: 0, count: count))
    #expect(stop?.firstDay == (isTold ? JudgedApp.last + 1 - count : nil))
  }

  @Test(arguments: [(7, true), (8, false)])
  func `a version that stopped more than a week ago is no news`(count: Int, isTold: Bool) {
    var series = JudgedApp.series(100, then: Array(repeating: 0, count: count))
    series.isShortLived = true
    let stop = rule.stop(of: series, on: JudgedApp.last)
    #expect(stop?.firstDay == (isTold ? JudgedApp.last + 1 - count : nil))
  }

  @Test func `weekends are compared with weekends`() {
    // Day 55 is a Sunday.
    var series = JudgedApp.series(100)
    for day in 0..<JudgedApp.last where rule.days.isWeekend[day] { series.counts[day] = 8 }
    series.counts[JudgedApp.last] = 0
    #expect(rule.stop(of: series, on: JudgedApp.last) == nil)
    series.counts[JudgedApp.last - 2] = 0
    #expect(rule.stop(of: series, on: JudgedApp.last - 2)?.expected == 100)
  }

  @Test func `where people are known, twelve must have been usual, and two are left at most`() {
    for (people, left, isStopped) in [(12, 2, true), (11, 0, false), (12, 3, false), (30, 8, true)]
    {
      var series = JudgedApp.series(2 * people, then: [4])
      series.people = JudgedApp.series(people, then: [left]).counts
      #expect((rule.stop(of: series, on: JudgedApp.last) != nil) == isStopped, "\(people)")
    }
  }

  @Test(arguments: [(12, 7, true), (12, 8, false), (13, 25, true), (12, 25, false)])
  func `few events of as many people prove it, too`(people: Int, left: Int, isStopped: Bool) {
    // Of 60 events 9 may be left, of 200 25; all people still come.
    var series = JudgedApp.series(left < 10 ? 60 : 200, then: [left])
    series.people = JudgedApp.series(people, then: [people]).counts
    #expect((rule.stop(of: series, on: JudgedApp.last) != nil) == isStopped)
  }

  @Test(arguments: [(9, true), (8, false)])
  func `what fell in the week before stops from what was left`(level: Int, isStopped: Bool) {
    let ends = Array(repeating: level, count: 7) + [1]
    let series = JudgedApp.series(20, then: ends)
    #expect((rule.stop(of: series, on: JudgedApp.last, isAlone: true) != nil) == isStopped)
  }

  @Test(arguments: [(3, 5, false), (3, 6, true), (4, 3, true), (2, 20, false)])
  func `people come again, so several days have fewer than they add up to`(
    people: Int, days: Int, isStopped: Bool
  ) {
    let ends = Array(repeating: 0, count: days)
    var series = JudgedApp.series(30, then: ends)
    series.people = JudgedApp.series(people, then: ends).counts
    #expect((rule.stop(of: series, on: JudgedApp.last) != nil) == isStopped)
  }

  @Test func `a part that shrinks as all do has not stopped`() {
    for (people, isStopped) in [(94, true), (93, false)] {
      let days = JudgedApp.days { $0[JudgedApp.last].activeUsers = people }
      var series = JudgedApp.series(24, then: [4])
      series.people = JudgedApp.series(12, then: [2]).counts
      let stop = StoppedParts(days: days).stop(of: series, on: JudgedApp.last)
      #expect((stop != nil) == isStopped, "\(people)")
    }
  }

  @Test func `a version that goes by and by has not stopped, one that ends at once has`() {
    var series = JudgedApp.series(0)
    series.isShortLived = true
    series.counts = (0...JudgedApp.last).map { $0 < 40 ? 0 : Int(2_000 * (0.6).power($0 - 40)) }
    for day in 41...JudgedApp.last { #expect(rule.stop(of: series, on: day) == nil, "\(day)") }
    series.counts = (0...JudgedApp.last).map { $0 < 40 ? 0 : $0 == JudgedApp.last ? 3 : 100 }
    series.people = series.counts.map { $0 / 5 }
    #expect(rule.stop(of: series, on: JudgedApp.last)?.expected == 100)
  }

  @Test(arguments: [([20, 17], 5), ([20, 18], 4), ([20, 20, 20], nil)])
  func `that a version stopped is proven in three days`(ends: [Int], daysAgo: Int?) {
    // 37 of 300 are a tenth and 1.3 deviations of it; later days start from fewer.
    let zeros = Array(repeating: 0, count: 6 - ends.count)
    var series = JudgedApp.series(100, then: ends + zeros)
    series.isShortLived = true
    let stop = rule.stop(of: series, on: JudgedApp.last)
    #expect(stop?.firstDay == daysAgo.map { JudgedApp.last - $0 })
  }

  @Test(arguments: [(100, 0, true), (20, 0, true), (20, 20, false), (12, 12, false)])
  func `where few people come at weekends, a version has few then`(
    weekend: Int, left: Int, isStopped: Bool
  ) {
    // Day 55 is a Sunday; on other days 100 people come.
    var series = JudgedApp.series(100)
    series.isShortLived = true
    let days = JudgedApp.days { days in
      for day in days.indices where rule.days.isWeekend[day] {
        days[day].activeUsers = weekend
        series.counts[day] = weekend
      }
    }
    series.counts[JudgedApp.last] = left
    let stop = StoppedParts(days: days).stop(of: series, on: JudgedApp.last)
    #expect((stop != nil) == isStopped)
    if let stop { #expect(abs(stop.expected - Double(weekend)) < 0.001) }
  }

  @Test(arguments: [
    (600, 700, nil, true), (600, 699, nil, false), (800, 920, nil, true), (800, 919, nil, false),
    (800, 620, 0, true), (800, 619, 0, false), (800, 920, 300, true),
  ])
  func
    `a version is replaced where others have half of its use and 15% more, but for stopped countries`(
      usual: Int, others: Int, india: Int?, isReplaced: Bool
    )
  {
    func part(_ group: PartFindings.Group, _ words: String, _ usual: Int, _ end: Int)
      -> PartFindings.Part
    {
      PartFindings.Part(
        group: group, words: words, series: JudgedApp.series(usual, then: [end]))
    }
    let parts = [part(.versions, "3.2.0", 200, 0), part(.versions, "3.3.0", usual, others)]
    let places = india.map { [part(.places, "India", 300, $0)] } ?? []
    let found = PartFindings(rule: rule, parts: parts + places, limitsChangedOn: nil)
      .found(on: JudgedApp.last).map(\.finding.sentence)
    #expect(found.contains { $0.hasPrefix("There are no 3.2.0 since") } == !isReplaced)
    #expect(found.contains { $0.hasPrefix("There are no india since") } == (india == 0))
  }

  @Test(arguments: [(1_036, true), (1_034, false)])
  func `that others have more at a weekend does not replace a version`(
    others: Int, isReplaced: Bool
  ) {
    // Day 55 is a Sunday, and the three before it have an eighth fewer people: 800 are 900 on it.
    let days = JudgedApp.days { days in
      for day in days.indices where rule.days.isWeekend[day] { days[day].activeUsers = 120 }
    }
    let parts = [(200, 0), (800, others)].enumerated().map { place, counts in
      PartFindings.Part(
        group: .versions, words: "3.\(place).0",
        series: JudgedApp.series(counts.0, then: [counts.1]))
    }
    let found = PartFindings(rule: StoppedParts(days: days), parts: parts, limitsChangedOn: nil)
      .found(on: JudgedApp.last)
    #expect(found.isEmpty == isReplaced)
  }

  @Test func `what is left stands beside what was usual`() throws {
    let part = PartFindings.Part(
      group: .places, words: "India", series: JudgedApp.series(300, then: [2]))
    let found = PartFindings(rule: rule, parts: [part], limitsChangedOn: nil)
      .found(on: JudgedApp.last)
    let evidence = try #require(found.first?.finding.evidence.first)
    #expect(evidence.words.contains(": 2, expected 300 from"))
  }

  @Test func `the day in the sentence is that of the part whose numbers it has`() throws {
    let parts = [("India", 300, [0]), ("Chile", 200, [0, 0])].map { words, usual, ends in
      PartFindings.Part(
        group: .places, words: "Use in \(words)", series: JudgedApp.series(usual, then: ends),
        claim: { "\($0)body in \(words) has used the app".capitalizedFirst }, counted: "event")
    }
    let found = try #require(
      PartFindings(rule: rule, parts: parts, limitsChangedOn: nil).found(on: JudgedApp.last).first)
    // Chile lost more, in two days.
    #expect(
      found.finding.sentence
        == "Nobody in Chile has used the app since Sat 28 Feb: 0 events in 2 days, about 400 "
        + "expected. 1 other part stopped as well.")
    let other = PartFindings(
      rule: rule,
      parts: [
        parts[0],
        PartFindings.Part(
          group: .places, words: "Use in Chile", series: JudgedApp.series(20, then: [0, 0])),
      ],
      limitsChangedOn: nil)
    let sentence = try #require(other.found(on: JudgedApp.last).first?.finding.sentence)
    #expect(
      sentence
        == "Nobody in India has used the app since Sun 1 Mar: 0 events on that day, about 300 "
        + "expected. 1 other part stopped as well.")
  }

  @Test func `a part without words of its own is one of which there is almost none`() throws {
    let part = PartFindings.Part(
      group: .newPeople, words: "New people", series: JudgedApp.series(300, then: [2]))
    let found = try #require(
      PartFindings(rule: rule, parts: [part], limitsChangedOn: nil).found(on: JudgedApp.last).first)
    #expect(
      found.finding.sentence
        == "There are almost no new people since Sun 1 Mar: 2 on that day, about 300 expected.")
  }

  @Test(arguments: [(0, 1), (1, 1), (2, 2)])
  func `hours that moved explain no feature that stopped two days later`(
    daysLater: Int, told: Int
  ) {
    func detection(_ rule: FindingRule, _ day: Int, _ explains: Set<Detection.Topic>) -> Detection {
      Detection(
        finding: Finding(
          .warn, "What \(rule) found.", report: .usage, section: "days", subject: "\(rule)"),
        rule: rule, firstDay: day, topics: [.use], direction: .fell, explains: explains)
    }
    let moved = detection(.hoursMoved, 40, Set(Detection.Topic.allCases))
    let stopped = detection(.dead, 40 + daysLater, [])
    let week = detection(.week, 40 + daysLater, [])
    #expect(Causes.findings([moved, stopped, week]).count == told)
  }

  @Test func `what has stopped in a country or a version explains no stars`() {
    #expect(!PartFindings.Group.places.explains.contains(.stars))
    #expect(!PartFindings.Group.versions.explains.contains(.stars))
  }

  @Test(arguments: [(75, true), (74, false)])
  func `a country explains what all do when it had a twentieth of the events`(
    usual: Int, explainsAll: Bool
  ) throws {
    // All have 1,500 events a day.
    let part = PartFindings.Part(
      group: .places, words: "Chile", series: JudgedApp.series(usual, then: [0]))
    let found = try #require(
      PartFindings(rule: rule, parts: [part], limitsChangedOn: nil).found(on: JudgedApp.last).first)
    #expect(found.explains.contains(.use) == explainsAll && found.explains.contains(.places))
  }

  @Test func `a feature of which a few are left explains subscription taps of which none are`() {
    let parts: [PartFindings.Part] = [
      .init(group: .features, words: "Popups", series: JudgedApp.series(100, then: [6])),
      .init(group: .subscriptionTaps, words: "Taps", series: JudgedApp.series(8, then: [0])),
    ]
    let found = PartFindings(rule: rule, parts: parts, limitsChangedOn: nil)
      .found(on: JudgedApp.last)
    #expect(found.count == 2)
    let sentences = Causes.findings(found).map(\.sentence)
    #expect(sentences.allSatisfy { $0.hasPrefix("There are almost no popups since") })
    #expect(Causes.findings(found).count == 1)
  }

  @Test(arguments: [
    (0, "There are no subscription taps since"),
    (8, "Refresh has had no subscription taps since"),
  ])
  func `subscription taps that stop everywhere are one finding, not one of each feature`(
    left: Int, told: String
  ) {
    let found = PartFindings(
      rule: rule,
      parts: [
        .init(
          group: .features, words: "Refresh: subscription taps",
          series: JudgedApp.series(100, then: [0], .subscriptionTaps),
          claim: { "Refresh has had \($0) subscription taps" }),
        .init(
          group: .subscriptionTaps, words: "Subscription taps",
          series: JudgedApp.series(8, then: [left])),
      ], limitsChangedOn: nil
    ).found(on: JudgedApp.last)
    #expect(found.count == 1 && found[0].finding.sentence.hasPrefix(told))
  }

  @Test func `of two parts the one that is gone altogether is the cause`() {
    let gone = StoppedParts.Stop(firstDay: 0, count: 0, expected: 175, dayCount: 2)
    let nearly = StoppedParts.Stop(firstDay: 0, count: 6, expected: 193, dayCount: 2)
    let larger = StoppedParts.Stop(firstDay: 0, count: 0, expected: 176, dayCount: 2)
    #expect(gone.weight > nearly.weight && larger.weight > gone.weight)
  }

  @Test func `a count is as low as chance has it, by Poisson`() {
    #expect(abs(StoppedParts.chance(of: 0, around: 3) - 0.049_787_07) < 1e-8)
    #expect(abs(StoppedParts.chance(of: 2, around: 3) - 0.423_190_08) < 1e-8)
    #expect(abs(StoppedParts.chance(of: 2.9, around: 3) - 0.423_190_08) < 1e-8)
  }

  @Test func `a mean that is known by few counts leaves more to chance, by negative binomial`() {
    func chance(_ count: Double, _ mean: Double, _ counted: Double) -> Double {
      StoppedParts.chance(of: count, around: mean, knownBy: counted)
    }
    #expect(abs(chance(0, 10, 80) - 8.060_421e-5) < 1e-10)
    #expect(abs(chance(1, 12, 96) - 1.429_195e-4) < 1e-10)
    #expect(abs(chance(2, 3, 1e9) - 0.423_190_08) < 1e-6)
  }

  @Test func `events of a chance number of people, by Pólya and Aeppli`() {
    func chance(_ events: Double, _ people: Double, _ each: Double) -> Double {
      StoppedParts.chance(ofEvents: events, of: people, each: each)
    }
    #expect(abs(chance(0, 3, 5) - 0.049_787_07) < 1e-8)
    #expect(abs(chance(5.9, 13.3, 73.7 / 13.3) - 8.869_023e-5) < 1e-10)
    #expect(abs(chance(3, 15, 1) - 2.113_785e-4) < 1e-10, "one event each is Poisson")
  }
}

extension Double {
  fileprivate func power(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { product, _ in product * self }
  }
}
