import Model

/// What an owner asks of limits, versions, platforms, quotas and the age of the copy.
extension SampleResults {
  static let answers: Rows = [
    "usage/funnel-by-feature": [
      ["refresh", 150, 60, 150, 9, 60, 2, 0], ["search", 40, 0, 40, 0, 0, 1, 0],
      ["all", 180, 60, 180, 9, 60, 3, 1],
    ],
    "usage/funnel-by-version": [
      ["3.2.1", 150, 50, 150, 6, 150, 3, 60, 6, 150, 2, 150],
      ["not told", 60, 14, 60, 3, 60, 6, 150, 3, 60, 1, 60],
    ],
    "usage/funnel-by-platform": [
      ["ios", 150, 50, 150, 6, 150, 15, 60, 6, 150, 2, 150],
      ["android", 60, 14, 60, 15, 60, 6, 150, 15, 60, 1, 60],
    ],
    "usage/waits": [
      ["refresh", 287, 87, 287, 120, 40, 120, 0], ["all", 287, 87, 287, 120, 40, 120, 1],
    ],
    "usage/uses-a-day": [
      ["refresh", "0", 12, 200, 0, 20], ["refresh", "1", 60, 200, 5, 20],
      ["refresh", "2", 128, 200, 15, 20],
    ],
    "usage/uses-a-session": [
      ["refresh", "0", 30, 260, 0, 25], ["refresh", "1", 90, 260, 6, 25],
      ["refresh", "2", 140, 260, 19, 25],
    ],
    "usage/popup-outcomes": [
      ["No use left: blocked", 287, 0, 287, 24, 287, 150, 287, 60, 287, 3, 50, 287, 7],
      ["1 use left", 900, 800, 900, 6, 900, 50, 900, 0, 900, 0, 44, 900, 4],
    ],
    "usage/blocked-hours": hours,
    "usage/signed-in": [
      ["Signed in", 58, 1_200, 960, 280, 1_150, 1_100, 30, 1_100],
      ["Anonymous, or of a profile without a user id", nil, 75, 6, 7, 60, 97, 1, 97],
    ],
    "money/payers-by-day": [
      ["2026-02-28", 3, 2, 1, 0, 38.05, "$"], ["2026-03-01", 4, 3, 1, 0, 51.06, "$"],
    ],
    "money/by-day": [
      ["2026-02-27", nil, nil, nil, "$"], ["2026-02-28", 1, 1, 5.98, "$"],
      ["2026-03-01", 1, 0, 2.99, "$"],
    ],
    "limits/quota-what-if": [
      ["a day", 2, nil, 14, 60, 12, 30], ["a day", 3, "in force", 9, 60, 9, 30],
      ["in all", 10, "in force", 1, 60, 1, 30],
    ],
    "ratings/tries": [
      ["0", "0", 2, 0, 2, 2, 2, 1, 2], ["1", "0", 1, 0, 1, 0, 1, 0, 0],
    ],
    "runs/load-triggers": [["online-users", "Stale", 1, 250, 250]],
    "runs/staleness": [
      ["online-users", 900, nil, 96, 24_000, 450, 900],
      ["online-users", 1_800, "in force", 48, 12_000, 900, 1_800],
    ],
  ]

  private static let hours: [[SQLValue]] = (0..<24).map { hour in
    let time = hour < 10 ? "0\(hour):00" : "\(hour):00"
    return [.text(time), .integer(Int64(hour)), .integer(Int64(hour)), 60, 75]
  }
}
