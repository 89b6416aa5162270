package import ReportWriters

@testable package import Model
@testable package import Reports
@testable package import Store

/// A small app of two weeks, the same in every run.
package enum SampleReports {
  /// 2 March 2026, 07:30 in Berlin, with the 14 whole days before it.
  package static let context = ReportContext(
    appName: "ChatHub", now: at("2026-03-02T06:30:00Z"), timeZone: "Europe/Berlin",
    start: at("2026-02-15T23:00:00Z"), end: at("2026-03-01T23:00:00Z"))

  /// - Precondition: the text is an instant; a test's own mistake otherwise, shown as the epoch.
  package static func at(_ text: String) -> Instant {
    Instant(iso8601: text) ?? Instant(unixSeconds: 0)
  }

  package static func bucket(
    _ at: String, _ feature: Feature, _ kind: EventKind, _ userType: UserType?, _ count: Int
  ) -> UsageData.Bucket {
    UsageData.Bucket(
      startsAtSeconds: SampleReports.at(at).unixSeconds, feature: feature, kind: kind,
      userType: userType, platform: "ios", count: count)
  }

  private static let usageOfPeriod = UsageData(
    buckets: [
      bucket("2026-02-10T19:00:00Z", .refresh, .buttonTapped, .freeUser, 41),
      bucket("2026-02-10T19:00:00Z", .refresh, .performed, .freeUser, 30),
      bucket("2026-02-16T11:15:00Z", .refresh, .buttonTapped, .freeUser, 1_204),
      bucket("2026-02-16T11:15:00Z", .refresh, .popupShown, .freeUser, 1_190),
      bucket("2026-02-16T11:15:00Z", .refresh, .performed, .freeUser, 903),
      bucket("2026-02-16T11:15:00Z", .refresh, .blockedCooldown, .freeUser, 287),
      bucket("2026-02-20T20:45:00Z", .filter, .buttonTapped, .newUser, 64),
      bucket("2026-02-20T20:45:00Z", .filter, .performed, .newUser, 63),
      bucket("2026-02-20T20:45:00Z", .filter, .newUserBypass, .newUser, 64),
      bucket("2026-03-01T22:45:00Z", .search, .buttonTapped, nil, 7),
      bucket("2026-03-01T22:45:00Z", .search, .popupShown, nil, 7),
      bucket("2026-03-01T22:45:00Z", .search, .subscriptionButtonTapped, nil, 2),
    ],
    activeUsers: 58, previousActiveUsers: 44, newestEventAt: at("2026-03-02T06:09:00Z"))

  package static let usage: UsageData = {
    var usage = usageOfPeriod
    usage.history = history
    return usage
  }()

  /// The 15 whole days before the report, and today.
  package static let history = DayHistory(
    days: (0..<16).map { day in
      let start = at("2026-02-14T23:00:00Z") + .seconds(day * 86_400)
      var facts = DayFacts(
        start: start, end: start + .seconds(86_400), coverage: day == 15 ? .running : .whole)
      facts.activeUsers = 8 + 2 * day
      facts.taps = 60 + day
      facts.freeTaps = 50 + day
      facts.blocked = 6 + day % 3
      facts.freeBlocked = facts.blocked
      facts.blockedUsers = 5
      facts.subscriptionTaps = day % 4
      facts.stars = [1, 0, 0, 1, day % 3]
      facts.reads = 250
      facts.onlineNow = 30 + day
      facts.onlineByNow = facts.onlineNow
      return facts
    })

  package static let settings = Settings([
    EffectiveSetting(
      key: .refreshLimit, value: 5, source: .appSettings, fetchedAt: at("2026-03-02T06:15:00Z")),
    EffectiveSetting(key: .refreshCooldown, value: 120, source: .builtIn),
    EffectiveSetting(key: .filterLimit, value: 2, source: .builtIn),
    EffectiveSetting(
      key: .filterCooldown, value: 120, source: .builtIn,
      warning: "freeFilterCooldownSeconds is -5; the default 120 is used."),
    EffectiveSetting(key: .messageLimit, value: nil, source: .builtIn),
    EffectiveSetting(key: .newUserFreePeriod, value: 7_200, source: .builtIn),
    EffectiveSetting(key: .freeMomentsPerDay, value: 3, source: .builtIn),
    EffectiveSetting(key: .premiumMomentsPerDay, value: 10, source: .builtIn),
    EffectiveSetting(key: .freeMomentsTotal, value: 10, source: .builtIn),
  ])

  package static let limits = LimitsData(
    settings: settings,
    fetched: [
      FetchedSetting(
        wireName: "freeRefreshLimit", rawValue: "5", source: .appSettings,
        fetchedAt: at("2026-03-02T06:15:00Z"))
    ],
    changes: [
      SettingChange(
        wireName: "freeRefreshLimit", source: .appSettings, oldValue: "2", newValue: "5",
        changedAt: at("2026-02-27T10:00:00Z"))
    ],
    profiles: [
      LimitsData.ProfileLimits(
        profile: Profile(),
        states: [
          .refresh: LimitState(usage: 3),
          .filter: LimitState(usage: 2, cooldownStartedAt: at("2026-03-02T06:29:20Z")),
        ],
        moments: LimitsData.MomentUsage(
          today: today, countToday: 3, countTotal: 7,
          reached: ReachedMomentLimits(dailyLimitDay: today.text, dailyLimit: 3)))
    ], price: "$2.99/week")

  package static let today = LocalDay(of: context.now, in: "Europe/Berlin")

  /// A user who is blocked once under the limits in force, taps on the subscription and waits.
  package static let whatIf: WhatIfResult = {
    var comparison = WhatIfComparison(WhatIfResult.settings(around: settings))
    for minute in 0..<4 {
      comparison.decide(
        LimitAttempt(
          at: at("2026-02-20T20:00:00Z") + .seconds(20 * minute), feature: .filter, action: .use),
        of: 0)
    }
    comparison.tapSubscription(.filter, of: 0)
    return WhatIfResult(
      since: at("2026-02-20T12:00:00Z"), isWholePeriod: false, comparison: comparison)
  }()

  package static func rating(_ at: String, _ stars: Int) -> RatingsData.Rating {
    RatingsData.Rating(at: SampleReports.at(at), stars: stars)
  }

  package static let ratings: RatingsData = {
    var data = ratingsWithoutThemes
    data.themes = ShippedThemes.all
    return data
  }()

  private static let ratingsWithoutThemes = RatingsData(
    ratings: [
      rating("2026-02-05T12:00:00Z", 2),
      rating("2026-02-17T12:00:00Z", 5),
      rating("2026-02-24T12:00:00Z", 5),
      rating("2026-02-25T12:00:00Z", 4),
      rating("2026-02-26T12:00:00Z", 1),
    ],
    feedback: [
      feedback("The wait is too long for me.", stars: 1),
      // Of the days that the period is compared with.
      feedback("It crashes when I open a chat.", stars: 2, at: "2026-02-05T12:00:00Z"),
    ],
    outbox: [.queued: 1, .delivered: 12],
    prompt: RatingsData.PromptInput(
      profile: "default", counters: RatingCounters(sent: 11, received: 12), threshold: 10,
      maxPrompts: 2),
    reviews: reviews)

  package static let reviews = ReviewData(
    count: 53, stars: 242,
    newest: [
      review("1", 1, "us", "That <b>timer</b>", "Two minutes & nothing."),
      review("2", 5, "de", "", "Sehr schön"),
    ], fetchedAt: at("2026-03-02T05:40:00Z"))

  package static func review(
    _ id: String, _ stars: Int, _ country: String, _ title: String, _ text: String,
    at instant: String = "2026-02-28T12:00:00Z"
  ) -> AppReview {
    AppReview(
      id: id, appId: 7, country: country, stars: stars, version: "2.4", author: "jo", title: title,
      text: text, updatedAt: at(instant))
  }

  package static func feedback(
    _ text: String, stars: Int, at instant: String = "2026-02-26T12:00:00Z"
  ) -> RatingsData.FeedbackEntry {
    RatingsData.FeedbackEntry(
      feedback: Feedback(
        userId: "u1", gender: "Female", country: "India", appVersion: "2.4", text: text,
        timestamp: at(instant).unixSeconds, stars: stars),
      state: .queued, remoteName: nil)
  }

  package static let users = UsersData(
    total: 4_862, topCountry: "Germany", seenWithinHour: 480, seenWithinDay: 1_336,
    seenWithinWeek: 3_420, seenWithinMonth: 4_611, refreshedAt: at("2026-03-02T06:16:00Z"))

  package static func run(
    _ job: String, _ at: String, _ outcome: Run.Outcome, counts: RunCounts = RunCounts(),
    warnings: [String] = [], error: String? = nil
  ) -> Run {
    Run(
      job: job, kind: job, trigger: .scheduled, startedAt: SampleReports.at(at),
      endedAt: SampleReports.at(at) + .milliseconds(1_250), outcome: outcome, counts: counts,
      warnings: warnings, error: error)
  }

  package static let syncCounts = RunCounts(
    fetched: 250, inserted: 12, unchanged: 230, skipped: ["empty-name": 3, "own-user": 1],
    billedReads: 250, bytes: 81_402)

  package static let runs: RunsData = {
    let users = run("online-users", "2026-03-01T22:30:00Z", .ok, counts: syncCounts)
    let failed = run(
      "upload-feedback", "2026-03-01T22:20:00Z", .failed, error: "The server answered 503.")
    let delivered = run("upload-feedback", "2026-02-20T22:20:00Z", .ok)
    var data = RunsData(
      jobs: [
        RunsData.JobSummary(
          name: "online-users", kind: .syncUsers, schedule: "30 * * * *",
          lastDueAt: at("2026-03-01T22:30:00Z"), dueBeforeAt: at("2026-03-01T21:30:00Z"),
          expected: "every hour"),
        RunsData.JobSummary(
          name: "upload-feedback", kind: JobKindName("upload-outbox"), schedule: "20 * * * *",
          lastDueAt: at("2026-03-01T22:20:00Z"), dueBeforeAt: at("2026-03-01T21:20:00Z"),
          expected: "every hour"),
      ],
      runs: [users, failed, delivered],
      lastRuns: ["online-users": users, "upload-feedback": failed],
      lastSuccesses: ["online-users": users, "upload-feedback": delivered])
    data.jobs[0].starts = DueStarts(made: 46, due: 48)
    return data
  }()

  /// The queries are those of the sample when there are no others.
  package static func reports(
    context: ReportContext = context, usage: UsageData = usageOfAll,
    limits: LimitsData = limitsOfAll, ratings: RatingsData = ratings,
    users: UsersData = usersOfAll, runs: RunsData = runs,
    earlier: EarlierReport? = nil, queries: QuerySections? = nil
  ) -> [Report] {
    ReportSet.make(
      context: context, usage: usage, limits: limits, ratings: ratings, users: users, runs: runs,
      whatIf: whatIf, earlier: earlier, queries: queries ?? SampleResults.sections(context))
  }
}

/// The data of a workspace in which nothing has happened.
package enum EmptyReports {
  package static let usage = UsageData(
    buckets: [], activeUsers: 0, previousActiveUsers: 0, newestEventAt: nil)
  package static let limits = LimitsData(
    settings: Settings([]), fetched: [], changes: [], profiles: [], price: nil)
  package static let ratings = RatingsData(ratings: [], feedback: [], outbox: [:])
  package static let users = UsersData(
    total: 0, seenWithinHour: 0, seenWithinDay: 0,
    seenWithinWeek: 0, seenWithinMonth: 0, refreshedAt: nil)
  package static let runs = RunsData(
    jobs: [], runs: [], lastRuns: [:], lastSuccesses: [:])

  package static let reports = ReportSet.make(
    context: SampleReports.context, usage: usage, limits: limits, ratings: ratings, users: users,
    runs: runs, queries: SampleResults.empty())
}

/// A written file: its name in the output folder, and its bytes.
package struct ReportFile: Hashable {
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

extension ReportSet {
  /// One file for each report and format, report by report.
  package static func files(
    of reports: [Report], formats: [ReportFormat] = ReportFormat.allCases
  ) throws -> [ReportFile] {
    let layout = PageLayout(reports: reports.map(\.name), formats: formats)
    return try plan(of: reports, in: layout).map { file in
      ReportFile(name: file.name, bytes: try file.bytes(in: layout))
    }
  }
}
