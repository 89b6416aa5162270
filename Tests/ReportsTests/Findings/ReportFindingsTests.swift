import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

/// How single findings become those of a morning.
@Suite struct ReportFindingsTests {
  private static let last = 55

  /// Eight weeks in which every day is the same, to the morning after the last.
  private static func usage(_ change: (inout [DayFacts]) -> Void = { _ in }) -> UsageData {
    let start = SampleReports.at("2026-01-05T00:00:00Z")
    var days = (0...last).map { day -> DayFacts in
      let begin = start + .seconds(86_400 * day)
      var facts = DayFacts(start: begin, end: begin + .seconds(86_400))
      facts.activeUsers = 1_000
      facts.taps = 10_000
      facts.freeTaps = 8_000
      facts.blocked = 1_600
      facts.freeBlocked = 1_600
      facts.exportLines = 40_000
      facts.reads = 5_000
      facts.stars = [2, 2, 4, 8, 14]
      return facts
    }
    change(&days)
    var usage = EmptyReports.usage
    usage.history = DayHistory(days: days)
    return usage
  }

  private func found(
    limits: LimitsData = EmptyReports.limits, runs: RunsData = EmptyReports.runs,
    scope: String? = nil, _ change: (inout [DayFacts]) -> Void
  ) -> [Finding] {
    var context = SampleReports.context
    context.timeZone = "UTC"
    context.scope = scope
    return ReportFindings(
      context: context, usage: Self.usage(change), limits: limits, ratings: EmptyReports.ratings,
      runs: runs
    ).found()
  }

  private func blocked(_ days: ClosedRange<Int>) -> (inout [DayFacts]) -> Void {
    { all in for day in days { all[day].freeBlocked = 3_200 } }
  }

  /// Jobs of which one of the kind failed this morning.
  private func failing(_ kind: String) -> RunsData {
    let run = SampleReports.run("job", "2026-03-02T06:00:00Z", .failed, error: "No network.")
    return RunsData(
      jobs: [
        RunsData.JobSummary(
          name: "job", kind: JobKindName(kind), schedule: nil, lastDueAt: nil)
      ], runs: [run], lastRuns: ["job": run], lastSuccesses: [:])
  }

  @Test func `a quiet morning has no finding, and one profile alone never has one`() {
    #expect(found { _ in }.isEmpty)
    #expect(found(scope: "default") { $0[Self.last].reads = 50_000 }.isEmpty)
    #expect(found { $0[Self.last].reads = 50_000 }.map(\.id) == ["runs-reads-rose-2026-03-01"])
  }

  @Test func `series that fall together are one warning, the farthest first; a rise is a note`() {
    for (taps, people, level, sentence) in [
      (6_000, 900, Level.warn, "Taps fell on Sun 1 Mar: 6,000 instead of about 10,000."),
      (6_000, 500, .warn, "People and taps fell on Sun 1 Mar: 500 instead of about 1,000."),
      (20_000, 1_000, .notice, "Taps rose on Sun 1 Mar: 20,000 instead of about 10,000."),
    ] {
      let findings = found { days in
        days[Self.last].taps = taps
        days[Self.last].activeUsers = people
      }
      #expect(findings.map(\.sentence) == [sentence])
      #expect(findings.map(\.level) == [level] && findings[0].advice != nil)
    }
  }

  @Test
  func `an anomaly is one finding for seven days, with its first day, and none on the eighth`() {
    for length in [1, 6, 7, 8] {
      let findings = found { days in
        for day in (Self.last - length + 1)...Self.last { days[day].reads = 50_000 }
      }
      #expect(findings.count == (length < 8 ? 1 : 0), "\(length)")
      guard length == 7 else { continue }
      #expect(findings.map(\.id) == ["runs-reads-rose-2026-02-23"])
      #expect(
        findings.allSatisfy {
          $0.sentence.contains("on Mon 23 Feb and stayed so: 50,000 instead of")
        })
    }
  }

  @Test
  func `a limit that changed two days before makes a change of blocks a note, no older one`() {
    for (at, name, level) in [
      ("2026-02-27T00:00:00Z", "freeRefreshLimit", .notice),
      ("2026-02-26T23:59:59Z", "freeRefreshLimit", nil),
      ("2026-02-01T00:00:00Z", "freeRefreshLimit", nil),
      // Without a change it is judged among the shares of people.
      ("2026-01-31T23:59:59Z", "freeRefreshLimit", nil),
      ("2026-03-01T23:59:59Z", "freeFilterCooldownSeconds", .notice),
      ("2026-03-02T00:00:00Z", "freeRefreshLimit", nil),
      ("2026-02-27T00:00:00Z", "maxRatePrompts", nil),
      ("2026-02-27T00:00:00Z", "newUserFreePeriodSeconds", .notice),
      // A name alone makes no limit.
      ("2026-02-27T00:00:00Z", "someLimit", nil),
    ] as [(String, String, Level?)] {
      var limits = EmptyReports.limits
      limits.changes = [
        SettingChange(
          wireName: name, source: .appSettings, oldValue: "2", newValue: "1",
          changedAt: SampleReports.at(at))
      ]
      let findings = found(limits: limits, blocked(Self.last...Self.last))
      #expect(findings.map(\.level) == [level].compactMap(\.self), "\(at) \(name)")
      #expect(
        findings.contains { $0.sentence.contains("from 2 to 1") } == (level == .notice))
    }
  }

  @Test func `a job in trouble explains what it does not bring`() {
    let silent: (inout [DayFacts]) -> Void = { days in
      let facts = days[Self.last]
      days[Self.last] = DayFacts(start: facts.start, end: facts.end, coverage: .none)
      days[Self.last].reads = 100
    }
    #expect(
      found(silent).map(\.id) == ["usage-lost-export-2026-03-01", "runs-reads-fell-2026-03-01"])
    #expect(found(runs: failing("import-events"), silent).isEmpty)
    #expect(
      found(runs: failing("sync-users"), silent).map(\.id) == ["usage-lost-export-2026-03-01"])
    for (subject, kind) in [
      (RootCauses.noEvents, "import-events"), (RootCauses.noSettings, "sync-settings"),
      (RootCauses.noUsers, "sync-users"),
    ] {
      let missing = [Finding(.warn, "!", report: .usage, section: "days", subject: subject)]
      #expect(RootCauses.open(missing, explainedBy: [], failing(kind)).isEmpty, "\(subject)")
      #expect(RootCauses.open(missing, explainedBy: [], failing("maintain")) == missing)
      let isExplained = RootCauses.open(missing, explainedBy: found(silent), EmptyReports.runs)
      #expect(isExplained.isEmpty == (subject == RootCauses.noEvents), "\(subject)")
    }
  }

  @Test func `every place that a finding leads to is a section of its report`() {
    let places =
      DaySeries.judged.map(\.place) + [
        (.ratings, "groups"), (.users, "places"), (.runs, "days"), (.usage, UsageDays.id),
      ]
    for place in places {
      let report = EmptyReports.reports.first { $0.name == place.0 }
      #expect(report?.sections.contains { $0.id == place.1 } == true, "\(place)")
    }
  }

  @Test
  func `the newest version is compared with all others at once, when it has enough ratings`() {
    let now = SampleReports.context.now
    func found(new: [Int], old: [Int], daysAgo: Int = 3) -> [String] {
      var ratings = EmptyReports.ratings
      ratings.feedback = [SampleReports.feedback("It crashes.", stars: 1)]
      ratings.feedback[0].feedback.appVersion = "3.10"
      ratings.versionDays = [
        RatingsData.VersionDay(version: "3.9", day: now - .seconds(86_400 * 40), stars: old),
        RatingsData.VersionDay(
          version: "3.10", day: now - .seconds(86_400 * daysAgo), stars: new),
      ]
      let findings = ReleaseFindings(
        ratings: ratings, calendar: ReportCalendar(timeZone: "UTC"), now: now
      ).findings().map(\.finding)
      #expect(findings.allSatisfy { $0.quotes == ["It crashes."] })
      return findings.map(\.id)
    }
    let id = "ratings-release-3-10-below-the-others"
    #expect(found(new: [8, 0, 0, 0, 0], old: [0, 0, 0, 10, 20]) == [id])
    #expect(found(new: [7, 0, 0, 0, 0], old: [0, 0, 0, 10, 20]).isEmpty)
    #expect(found(new: [8, 0, 0, 0, 0], old: [0, 0, 0, 10, 19]).isEmpty)
    #expect(found(new: [9, 3, 0, 0, 0], old: [0, 0, 0, 10, 20], daysAgo: 28) == [id])
    #expect(found(new: [9, 3, 0, 0, 0], old: [0, 0, 0, 10, 20], daysAgo: 29).isEmpty)
    #expect(found(new: [1, 1, 2, 10, 10], old: [2, 1, 2, 10, 19]).isEmpty)
  }

  @Test(arguments: [
    (2, ""), (3, "; 3 texts about it name crashes and freezing"),
    (9, "; 9 texts about it name crashes and freezing"),
  ])
  func `a theme is named that three texts of the version name`(texts: Int, named: String) {
    let now = SampleReports.context.now
    var ratings = EmptyReports.ratings
    ratings.themes = ShippedThemes.all
    ratings.feedback = (0..<9).map { number in
      var entry = SampleReports.feedback("It crashes.", stars: number % 3 + 1)
      entry.feedback.appVersion = number < texts ? "3.10" : "3.9"
      return entry
    }
    // Who praises the version does not name what is wrong with it.
    var praise = SampleReports.feedback("It never crashes.", stars: 4)
    praise.feedback.appVersion = "3.10"
    ratings.feedback.append(praise)
    ratings.versionDays = [
      RatingsData.VersionDay(
        version: "3.9", day: now - .seconds(86_400 * 40), stars: [0, 0, 0, 10, 20]),
      RatingsData.VersionDay(
        version: "3.10", day: now - .seconds(86_400 * 3), stars: [8, 0, 0, 0, 0]),
    ]
    let found = ReleaseFindings(
      ratings: ratings, calendar: ReportCalendar(timeZone: "UTC"), now: now
    ).findings()
    let sentence = "3.10 is 3.7 stars below the other versions in 8 ratings\(named)."
    #expect(found.map(\.finding.sentence) == [sentence])
  }

  @Test(arguments: [(0, true), (2, true), (3, false), (8, false)])
  func `when the others fell in the same days, it is not the release`(low: Int, isRelease: Bool) {
    let now = SampleReports.context.now
    let start = now - .seconds(86_400 * 3)
    var ratings = EmptyReports.ratings
    ratings.versionDays = [
      RatingsData.VersionDay(
        version: "3.9", day: now - .seconds(86_400 * 40), stars: [0, 0, 0, 0, 60]),
      RatingsData.VersionDay(version: "3.9", day: start, stars: [low, 0, 0, 0, 8 - low]),
      RatingsData.VersionDay(version: "3.10", day: start, stars: [10, 0, 0, 0, 0]),
    ]
    let found = ReleaseFindings(
      ratings: ratings, calendar: ReportCalendar(timeZone: "UTC"), now: now
    ).findings()
    #expect(found.isEmpty != isRelease)
  }

  @Test(arguments: [
    // 1.6 deviations of the four, and 1.4; three that are as bad are too few to tell.
    ([0, 0, 2, 2, 0], true), ([0, 0, 3, 1, 0], false), ([3, 0, 0, 0, 0], true),
    ([4, 0, 0, 0, 0], false),
  ])
  func `four ratings of others in the same days must be 1.5 deviations better`(
    others: [Int], isRelease: Bool
  ) {
    let now = SampleReports.context.now
    let (start, next) = (now - .seconds(86_400 * 3), now - .seconds(86_400 * 2))
    var ratings = EmptyReports.ratings
    ratings.versionDays = [
      RatingsData.VersionDay(
        version: "3.9", day: now - .seconds(86_400 * 40), stars: [0, 0, 30, 30, 0]),
      RatingsData.VersionDay(version: "3.10", day: start, stars: [12, 0, 0, 0, 0]),
      RatingsData.VersionDay(version: "3.10", day: next, stars: [1, 0, 0, 0, 0]),
      RatingsData.VersionDay(version: "3.9", day: next, stars: others),
    ]
    let found = ReleaseFindings(
      ratings: ratings, calendar: ReportCalendar(timeZone: "UTC"), now: now
    ).findings()
    #expect(found.isEmpty != isRelease)
  }

  @Test(arguments: [("3.11", -1, false), ("3.11", 0, true), ("3.11", 1, true), ("3.8", -1, true)])
  func `a version that is first rated after a newer one is no release`(
    other: String, daysLater: Int, isRelease: Bool
  ) {
    let now = SampleReports.context.now
    let start = now - .seconds(86_400 * 3)
    var ratings = EmptyReports.ratings
    ratings.versionDays = [
      RatingsData.VersionDay(
        version: "3.9", day: now - .seconds(86_400 * 40), stars: [0, 0, 0, 10, 20]),
      RatingsData.VersionDay(version: "3.10", day: start, stars: [9, 3, 0, 0, 0]),
      // Too few ratings to be judged itself.
      RatingsData.VersionDay(
        version: other, day: start + .seconds(86_400 * daysLater), stars: [0, 0, 0, 0, 1]),
    ]
    for knowsStarts in [false, true] {
      ratings.versionStarts =
        knowsStarts
        ? ratings.versionDays.enumerated().sorted { $0.element.day < $1.element.day }.map {
          RatingsData.VersionStart(
            version: $1.version, at: $1.day + .seconds($0), ratingsBefore: 20)
        } : []
      let findings = ReleaseFindings(
        ratings: ratings, calendar: ReportCalendar(timeZone: "UTC"), now: now
      ).findings()
      #expect(findings.isEmpty != isRelease, "\(other), \(daysLater) days later")
    }
  }
}
