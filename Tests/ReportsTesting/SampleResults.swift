@testable import Jobs

@testable package import Model
@testable package import Reports

/// What the shipped queries give of the small app, made by hand under the columns that each header
/// needs; what the queries themselves count is tested in StoreTests.
package enum SampleResults {
  /// Rows by the name of their query, with the values in the order of the header's columns.
  package typealias Rows = [String: [[SQLValue]]]

  package static let shipped = SectionFiles(entries: SectionFiles.shipped).queries

  /// The shipped queries with the rows of the small app; those of `others` replace them.
  package static func sections(
    _ context: ReportContext = SampleReports.context, with others: Rows = [:],
    pseudonymizer: QueryPseudonymizer? = nil
  ) -> QuerySections {
    sections(context, rows(context).merging(others) { $1 }, pseudonymizer)
  }

  /// The same queries of a workspace in which nothing has happened.
  package static func empty(_ context: ReportContext = SampleReports.context) -> QuerySections {
    sections(context, [:], nil)
  }

  private static func sections(
    _ context: ReportContext, _ rows: Rows, _ pseudonymizer: QueryPseudonymizer?
  ) -> QuerySections {
    let outcomes = shipped.map { query in
      QueryOutcome(
        query,
        .success(
          SQLResult(
            columns: query.columns.flatMap(\.parts) + (marks[query.name].map { [$0] } ?? []),
            rows: rows[query.name] ?? [])))
    }
    let parameters = [
      BoundParameter("end", .integer(context.end.microseconds)),
      BoundParameter("now", .integer(context.now.microseconds)),
      BoundParameter("start", .integer(context.start.microseconds)),
      BoundParameter("time_zone", .text(context.timeZone)),
    ]
    return QuerySections(
      outcomes, QueryContext(context, parameters: parameters, pseudonymizer: pseudonymizer))
  }

  /// The column that a query gives beside those of its header, after them.
  private static let marks = [
    "usage/by-day": "is_gap", "usage/by-segment": "is_total",
    "usage/heaviest-users": "total_count", "users/newest": "total_count", "money/base": "is_total",
    "money/new-subscribers": "index_says", "money/unrecovered": "payers",
    "money/payment-changes": "is_worse", "usage/funnel-by-feature": "is_total",
    "usage/waits": "is_total",
  ]

  /// Users seen last, of as many as a total says.
  package static func newest(_ count: Int, of total: Int64 = 4_862) -> [[SQLValue]] {
    (0..<count).map { number in
      [
        1_772_431_200_000_000, .text("Name \(number)"), "Female", 27, "Germany", "Köln",
        .text("user-\(number)"), .integer(total),
      ]
    }
  }

  /// Days and trends are those of the period; the rest is the same in every one.
  package static func rows(_ context: ReportContext) -> Rows {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let days = calendar.days(from: context.start, to: context.end).map(\.iso8601)
    let others = [people, answers, money, payments, users, ratings, popups, limits, runs]
    let daily = usage(days).merging(["runs/by-day": runsByDay(days)]) { $1 }
    return others.reduce(daily) { rows, more in rows.merging(more) { $1 } }
  }
}

extension SampleResults {
  /// Taps, those not blocked, performed, blocked, other, popups, dismissed and bypassed of the days
  /// with events.
  private static let events: [String: (feature: String, counts: [SQLValue])] = [
    "2026-02-16": ("refresh", [1_204, 917, 903, 287, 14, 1_190, 0, 0]),
    "2026-02-20": ("filter", [64, 64, 63, 0, 1, 0, 0, 64]),
    "2026-03-01": ("search", [7, 7, 0, 0, 7, 7, 0, 0]),
  ]

  private static func usage(_ days: [String]) -> Rows {
    func trend(_ feature: String) -> SQLValue {
      let taps = days.map { day -> String in
        guard let found = events[day], found.feature == feature,
          case .integer(let taps) = found.counts[0]
        else { return "0" }
        return String(taps)
      }
      return .text("[\(taps.joined(separator: ","))]")
    }
    return [
      "usage/by-day": days.map { day in
        [.text(day)] + (events[day]?.counts ?? Array(repeating: 0, count: 8)) + [1_100, 0]
      },
      "usage/by-feature": [
        ["refresh", 1_204, 1_204, 41, 287, 1_204, trend("refresh")],
        ["filter", 64, 64, 0, 0, 0, trend("filter")],
        ["search", 7, 7, 0, 0, 7, trend("search")],
      ],
      "usage/changes": changes,
      "usage/by-segment": [
        ["refresh", "free_user", 1_204, 903, 287, 14, 1_190, 0, 0],
        ["refresh", "all", 1_204, 903, 287, 14, 1_190, 0, 1],
        ["filter", "new_user", 64, 63, 0, 1, 0, 64, 0],
        ["filter", "all", 64, 63, 0, 1, 0, 64, 1],
        ["search", nil, 7, 0, 0, 7, 7, 0, 0],
        ["search", "all", 7, 0, 0, 7, 7, 0, 1],
      ],
      "usage/by-platform": [
        ["ios", 1_268, 966, 287, 1_268, 1_190, 0, 55], ["android", 7, 0, 0, 7, 7, 2, 3],
      ],
      "usage/people-by-day": [
        ["2026-03-01", 40, 6, 3, 1], ["2026-02-28", 44, 5, 2, 0],
        ["2026-02-27", nil, nil, nil, nil],
      ],
      "usage/today": [
        ["People active", 5, 6, 5, 6], ["Taps", 7, 41, 7, 41], ["Performed", 0, 40, 0, 40],
        ["Blocked", 0, 1, 0, 1], ["Subscription taps", 0, 0, 0, 0],
      ],
      "usage/by-feature-segment-day": [
        ["2026-03-01", "search", nil, 7, 0, 0, 7, 7],
        ["2026-02-20", "filter", "new_user", 64, 63, 0, 1, 0],
        ["2026-02-16", "refresh", "free_user", 1_204, 903, 287, 14, 1_190],
      ],
      "usage/heaviest-users": [
        ["u17", "Sofía Hernández", 36, 36, 96, 96, 60, 58], ["u3", nil, 1, 1, 12, 12, 11, 58],
      ],
    ]
  }

  /// Each count of each feature, now and before.
  private static let changes: [[SQLValue]] = {
    let titles: [SQLValue] = [
      "Taps", "Performed", "Blocked", "Other", "Popups", "Dismissed", "Bypassed",
    ]
    return events.sorted { $0.key < $1.key }.flatMap { _, day in
      zip(titles, zip(day.counts, [41, 30, 0, 11, 0, 0, 0] as [SQLValue])).map { title, counts in
        [.text(day.feature), title, counts.0, counts.0, day.feature == "refresh" ? counts.1 : 0]
      }
    }
  }()

  private static let people: Rows = [
    "usage/funnel": [
      ["Active as a free user", 210, nil, nil, nil, nil, nil],
      ["Saw a popup", 180, 180, 210, 180, 210, 30], ["Was blocked", 64, 64, 180, 64, 210, 116],
      ["Tapped to subscribe", 9, 9, 64, 9, 210, 55], ["New subscriber", 3, 3, 9, 3, 210, 6],
    ],
    "usage/funnel-before": [
      ["Active as a free user", 205, 200, 205, nil, 200, nil, 200, nil, 205, nil],
      ["Saw a popup", 176, 170, 176, 205, 170, 200, 170, 200, 176, 205],
      ["Was blocked", 62, 90, 62, 176, 90, 170, 90, 170, 62, 176],
    ],
    "usage/time-to-block": [[4, 52.5, 75.0, 97.5, 11]],
    "usage/funnel-by-attempt": [
      ["no use left: blocked", 64, 9, 64], ["1 use left", 120, 2, 120], ["2 uses left", 12, 0, 12],
    ],
    "usage/funnel-by-country": [
      ["India", 150, 50, 150, 6, 150, 2], ["not told", 60, 14, 60, 3, 60, 1],
    ],
    "usage/funnel-by-criteria": [
      ["Gender", 40, 20, 40, 4, 40, 0], ["No criterion", 8, 1, 8, 0, 8, 0],
    ],
  ]

  private static let money: Rows = [
    "money/new-subscribers": [
      [
        "1 Mar 2026", 1, 1, 2.99, "$", 0.53, "$", 16.94, "$",
        "New subscribers: 1 on 1 Mar 2026, 5 in the period, 3 of them through the limit.",
      ], ["The period", 5, 3, 14.95, "$", 6.38, "$", 35.02, "$", nil],
    ],
    "money/base": [
      ["Lite", 30, 38, "$2.99/week", 390.03, "$", 494.04, "$", nil, 0],
      ["\"gold\"", 2, 2, nil, nil, nil, nil, nil, "No tier is called so.", 0],
      ["All with a price, in $", 30, 38, nil, 390.03, "$", 494.04, "$", nil, 1],
    ],
    "money/price-test": [
      ["$2.99/week", 300, 30, 300, 24, 300, 0.1615, "$", 0.2392, "$", 0.3489, "$", nil],
      ["$4.99/week", 300, 9, 300, 9, 300, 0.0791, "$", 0.1497, "$", 0.2794, "$", nil],
    ],
    "money/price-answer": [
      [
        "tapped to subscribe, $2.99/week beside $4.99/week", 30, 300, 9, 300, 30, 300, 9, 300,
        "lower", "There is a difference.",
      ],
      [
        "are new subscribers, $2.99/week beside $4.99/week", 24, 300, 9, 300, 24, 300, 9, 300,
        "lower", "There is a difference.",
      ],
    ],
    "money/price-revenue": [
      [
        "$2.99/week", 0.2392, "$", "$4.99/week", 0.1497, "$", -0.2201, "$", -0.0895, "$", 0.0631,
        "$",
        "not proven", "About 34 more days.",
      ]
    ],
    "money/blocks": [
      ["7 days", "came back", 36, 64, 29, 66, 29, 66, 36, 64, 29, 66, 36, 64, 62],
      ["7 days", "subscribed", 13, 64, 4, 66, 4, 66, 13, 64, 4, 66, 13, 64, 62],
      ["7 days", "not seen again", 15, 64, 33, 66, 33, 66, 15, 64, 33, 66, 15, 64, 62],
    ],
    "money/blocks-by": [["Refresh", 66, 19, 31, 5, 31, 7, 31, 35]],
    "money/grace": [
      ["2 h", 80, 40, 70, 20, 60, 3, 60, nil, 3, 3, 60, 20],
      ["7 h", 84, 44, 72, 22, 61, 6, 61, 3, 60, 6, 61, 23],
    ],
    "money/conditions": [["refresh", 3, "no condition", 102, 16, 102, 5, 102, 16, 87]],
    "money/forecast": [
      ["2026-03", 0, 31, 3, 11, 23, 8.97, "$", 32.89, "$", 68.77, "$"]
    ],
  ]

  /// Users by the hours since they were last seen.
  private static let hours: [[SQLValue]] = (0..<24).map { hour in
    [.integer(hour), hour == 0 ? 480 : hour == 1 ? 416 : 20]
  }

  private static let users: Rows = [
    "users/by-gender": [
      ["Female", 2_514, 2_514, 4_862], ["Male", 2_348, 2_348, 4_862],
    ],
    "users/by-age": [
      ["Under 18", 2, 2, 4_862], ["18–24", 1_000, 1_000, 4_862], ["25–34", 3_000, 3_000, 4_862],
      ["35–44", 0, 0, 4_862], ["45–54", 0, 0, 4_862], ["55–64", 0, 0, 4_862],
      ["65 and over", 60, 60, 4_862], ["Not told", 800, 800, 4_862],
    ],
    "users/by-country": [["Germany", 4_000, 4_000, 4_862], ["Not told", 862, 862, 4_862]],
    "users/by-language": [["English", 4_862, 4_862, 4_862]],
    "users/last-seen": hours,
    "users/last-seen-bands": [
      ["Within an hour", 480, 480, 4_862], ["1 to 24 hours ago", 856, 856, 4_862],
      ["1 to 7 days ago", 2_084, 2_084, 4_862], ["7 to 30 days ago", 1_191, 1_191, 4_862],
      ["Earlier", 251, 251, 4_862],
    ],
    "users/cohorts": [["2026-02-16", 44, 11, 44, 6, 40, nil, nil]],
    "users/filter-combinations": [
      ["gender + age", 90, 120, 50, 70, 6, 60], ["no criterion", 30, 120, 25, 70, nil, nil],
    ],
    "users/demand-by-gender": [["female", 45, 70, 2_514, 4_862]],
    "users/demand-by-country": [["Chile", 5, 70, 0, 4_862]],
    "users/newest": [
      [1_772_431_200_000_000, "山田 花子", "Female", 27, "Germany", "Köln", "u17", 4_862],
      [1_772_431_200_000_000, "Ngozi Okafor", "Female", 27, "Germany", "Köln", "u18", 4_862],
    ],
    "users/online": [
      ["2026-02-20", 2, 40, 30, "reached: at least so many"],
      ["2026-02-21", 1, 12, 12, "yes"], ["2026-03-01", 1, 7, 7, "yes"],
    ],
    "users/retention": [[1, 11, 44], [2, 8, 44], [7, 6, 40]],
    "users/newest-online": [["2026-03-01", 7], ["2026-02-28", 9]],
    "users/tiers": [
      ["free", nil, 3, 3, 4], ["lite", nil, 1, 1, 4], ["plus", nil, 0, 0, 4],
      ["pro", nil, 0, 0, 4],
    ],
    "users/versions": [["3.2.1", 30, 44, 0, 40], ["3.2.0", 14, 44, 40, 40]],
  ]

  private static let ratings: Rows = [
    "ratings/by-week": [
      ["2026-02-02", 1, 2, 1, 0, 0, 0, 1, 0], ["2026-02-09", 0, 0, 0, 0, 0, 0, 0, 0],
      ["2026-02-16", 1, 5, 1, 1, 0, 0, 0, 0], ["2026-02-23", 3, 10, 3, 1, 1, 0, 0, 1],
    ],
    "ratings/by-version": [
      ["2.4", 3, 14, 3, 2, 1, 0, 0, 0], ["Not told", 1, 1, 1, 0, 0, 0, 0, 1],
    ],
    "ratings/by-country": [
      ["Germany", 2, 10, 2, 2, 0, 0, 0, 0], ["India", 1, 1, 1, 0, 0, 0, 0, 1],
      ["Not told", 1, 4, 1, 0, 1, 0, 0, 0],
    ],
    "ratings/by-platform": [
      ["ios", 3, 14, 3, 2, 1, 0, 0, 0], ["Not told", 1, 1, 1, 0, 0, 0, 0, 1],
    ],
    "ratings/by-day": [
      ["2026-02-26", 2, 7, 2, 1, 0, 0, 1, 0, 0], ["2026-02-27", 0, 0, 0, 0, 0, 0, 0, 0, 0],
      ["2026-02-28", nil, nil, nil, nil, nil, nil, nil, nil],
      ["2026-03-01", 1, 5, 1, 1, 0, 0, 0, 0, 0],
    ],
    "ratings/asking": [
      ["The question is due", 1, 1, 3], ["Too few messages yet", 1, 1, 3],
      ["No more: low ratings used up", 0, 0, 3], ["Never again: rated 4 or 5", 1, 1, 3],
      ["Questions are switched off", 0, 0, 3],
    ],
    "ratings/funnel": [
      ["People asked", 3, 3, 4, "people who met the conditions"],
      ["Shown", 3, 3, 3, "shown"],
      ["Maybe Later", 0, 0, 3, "shown"], ["No answer", 1, 1, 3, "shown"],
      ["Stars", 2, 2, 3, "shown"], ["Feedback", 0, 0, 1, "1 to 3 stars"],
      ["App Store", 1, 1, 1, "4 and 5 stars"],
    ],
    "ratings/funnel-weeks": [
      ["2026-02-02", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], ["2026-02-09", 1, 1, 1, 0, 1, 0, 0, 0, 0, 0],
      ["2026-02-16", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], ["2026-02-23", 3, 0, 3, 2, 3, 0, 1, 1, 1, 1],
    ],
    "ratings/funnel-versions": [["2.4", 3, 0, 3, 2, 3, 0, 1, 1, 1, 1]],
    "ratings/funnel-thresholds": [[10, 2, 3, 0, 3, 2, 3, 0, 1, 1, 1, 1]],
    "ratings/store-means": [
      ["In the app, this period", 4, 15, 4, 2, 1, 0, 0, 1],
      ["In the app, before", 1, 2, 1, 0, 0, 0, 1, 0],
      ["App Store, this period", 4, 15, 4, 2, 1, 0, 0, 1],
      ["App Store, before", 1, 5, 1, 1, 0, 0, 0, 0],
      ["App Store, all that is held", 53, 242, 53, 45, 2, 1, 1, 4],
    ],
    "ratings/store-versions": [["2.4", 3, 14, 3, 52, 239, 52]],
    "ratings/store-countries": [["Germany", 2, 10, 2, 43, 209, 43]],
    "ratings/stars": [
      [5, 2, 2, 4], [4, 1, 1, 4], [3, 0, 0, 4], [2, 0, 0, 4], [1, 1, 1, 4],
    ],
    "ratings/completion": [
      [5, "App Store", 2, 1, 2, 0], [4, "App Store", 1, 0, 1, 0], [3, "Feedback", 0, 0, 0, 0],
      [2, "Feedback", 0, 0, 0, 0], [1, "Feedback", 1, 1, 1, 0],
    ],
    "ratings/outbox": [
      ["pass", "queued", 1, "Waits for the next upload."],
      ["pass", "delivered", 12, "Arrived; the server has it."],
    ],
  ]

  private static let limits: Rows = [
    "limits/fetched-settings": [
      ["freeRefreshLimit", "5", "app-settings", 1_772_432_100_000_000]
    ],
    "limits/setting-changes": [
      [1_772_186_400_000_000, "freeRefreshLimit", "2", "5", "app-settings"]
    ],
  ]

  private static func runsByDay(_ days: [String]) -> [[SQLValue]] {
    let counts: [String: [SQLValue]] = [
      "2026-02-20": [0, 1, 1, 1.25, 0, "USD"], "2026-03-01": [250, 1, 2, 1.25, 0.00015, "USD"],
    ]
    let none: [SQLValue] = [0, 0, 0, nil, 0, "USD"]
    return days.map { day in [.text(day)] + (counts[day] ?? none) }
  }

  private static let runs: Rows = [
    "runs/job-effort": [
      ["online-users", 1, 1, 1.25, 250, 250, 0.00015, "USD"],
      ["upload-feedback", 1, 2, 1.25, 0, 0, 0, "USD"],
    ],
    "runs/ledger": [
      [1_772_404_200_000_000, "online-users", "scheduled", "pass", "ok", 1, 1.25, 250],
      [1_772_403_600_000_000, "upload-feedback", "scheduled", "error", "failed", 1, 1.25, 0],
      [1_771_626_000_000_000, "upload-feedback", "scheduled", "pass", "ok", 1, 1.25, 0],
    ],
    "runs/costs": [
      [1_772_404_200_000_000, "online-users", 4, 250, 81_402, 0.00015, "USD"],
      [1_772_403_600_000_000, "upload-feedback", 0, 0, 0, 0, "USD"],
      [1_771_626_000_000_000, "upload-feedback", 0, 0, 0, 0, "USD"],
    ],
    "runs/newest-reads": [["2026-03-01", 250], ["2026-02-28", 0]],
    "runs/readers": [
      [
        "OnlineUsers", "RunQuery", "reports@chathub.iam.gserviceaccount.com",
        "app=firetally job=online-users", 3, 250, 250, 300,
      ],
      ["AppSettings", "GetDocument", "app user", .null, 50, 50, 50, 300],
    ],
    "runs/readers-by-job": [
      ["online-users", 3, 250, 250], ["everybody else", 50, 50, .null],
    ],
    "runs/skipped": [
      ["empty-name", "online-users", 3, 3, 4], ["own-user", "online-users", 1, 1, 4],
    ],
    "runs/warnings": [
      [
        1_772_403_600_000_000, "upload-feedback", "error", "Error", "The server answered 503.", 1,
      ]
    ],
  ]
}
