/// Popups, the paywall, the rating dialog and subscribers of the small app.
extension SampleResults {
  static let popups: Rows = [
    "usage/popups": [
      [
        "refresh", 1_190, 600, 1_190, 800, 1_190, 30, 1_190, 200, 1_190, 60, 1_190, 1, 99, 1_190, 2,
      ],
      ["search", 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 7, 0],
    ],
    "usage/popup-times": [["refresh", 1_091, 5, 4, 8, 6.5, 120]],
    "usage/resets": [["refresh", 120, 2, 120, 64, 40, 64, 1]],
    "limits/live": [
      [
        "search", "tapped to subscribe", 2, 20, 100, 5, 4, 100, 20, 100, 4, 100, 20, 100, 4, 100, 1,
        1_771_581_600_000_000, 1_771_927_200_000_000,
      ]
    ],
    "limits/paywall": [
      ["daily_limit_reached", 12, 12, 9, 2, 9], ["manual", 0, 4, 4, 0, 4],
    ],
    "limits/quota-reach": [["a day", 9, 30], ["in all", 1, 30]],
    "ratings/show-rate": [["2026-02-23", 4, 6, 1, 3]],
    "users/subscribers": [
      ["2026-03", 14, 0, 1, 0, 0, 0, 0, 15, 0, 14], ["2026-02", 0, 12, 4, 0, 1, 2, 0, 14, 2, 12],
    ],
    "users/subscriber-cohorts": [["2026-02", 4, 3, 4, 0, nil, 0, nil, 0, nil]],
  ]
}
