import Model

/// What the queries of payments give of the small app.
extension SampleResults {
  static let payments: Rows = [
    "money/payments": [
      ["2026-03", 389.61, "USD", 39, 2, 1, 3, 39, 5, 1],
      ["2026-02", 379.62, "USD", 38, 12, 0, 2, 28, 20, 0],
    ],
    "money/received": [
      ["2026-03", 7, 69.93, "USD", 1, 9.99, "USD", 41.95, "USD"],
      ["2026-02", 32, 319.68, "USD", 0, 0, "USD", nil, "USD"],
    ],
    "money/trials": [["2026-03", 3, 2, 1, 1], ["2026-02", 40, 0, 18, 40]],
    "money/payers": [
      ["2026-02", 12, nil, nil, nil, nil, nil, nil, nil, nil],
      ["2025-12", 40, 32, 40, nil, nil, nil, nil, nil, nil],
    ],
    "money/lifetime": [
      ["2026-02", 12, 9.99, "USD", nil, "USD", nil, "USD"],
      ["2025-12", 40, 27.31, "USD", 24.8, "USD", 29.82, "USD"],
    ],
    "money/limit-payers": [
      ["Through the limit", 9, 129.87, "USD"], ["Not through it", 3, 29.97, "USD"],
    ],
    "money/price-received": [["$2.99/week", 300, 22, 300, 0.31, "USD"]],
    "money/not-paid": [
      [.text("user-4"), nil, "Lite", 1_772_000_000_000_000, "com.example.lite.monthly"]
    ],
    "money/not-entitled": [
      [
        .text("user-9"), nil, "com.example.lite.monthly", 1_771_000_000_000_000,
        1_773_500_000_000_000,
      ]
    ],
    "money/unrecovered": [
      [
        .text("user-2"), 1, "com.example.lite.monthly", 1_771_900_000_000_000, 9.99, "USD",
        .integer(39),
      ]
    ],
    "money/payment-changes": [
      ["Renewed", 30, 36, 31, 36, 30, 36, 31, 36, 0], ["Refunded", 1, 40, 1, 39, 1, 40, 1, 39, 0],
    ],
    "money/purchase-sources": [
      [
        "revenuecat", "production", 412, nil, nil, "¤", 1_764_600_000_000_000,
        1_772_400_000_000_000,
      ],
      [
        "app-store-sales", "production", 60, 118, 824.81, "USD", 1_764_633_600_000_000,
        1_772_323_200_000_000,
      ],
    ],
  ]
}
