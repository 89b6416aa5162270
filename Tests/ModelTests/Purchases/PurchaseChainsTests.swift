import Testing

@testable import Model

/// What the rows of a subscription make of each other; docs/purchases.md#kinds.
@Suite struct PurchaseChainsTests {
  private static func row(
    _ kind: PurchaseKind, at time: Int64, id: Int64, stored: PurchaseKind? = nil, chain: UInt64 = 1,
    transaction: UInt64 = 1, price: Int64? = nil
  ) -> PurchaseChains.Row {
    PurchaseChains.Row(
      chain: chain, at: Instant(microseconds: time), id: id, statedKind: kind,
      kind: stored ?? kind, transaction: transaction, price: price)
  }

  private static func changes(_ rows: [PurchaseChains.Row]) -> [String] {
    var chains = PurchaseChains()
    for row in rows { chains.add(row) }
    return chains.changes().map { "\($0.id) \($0.kind.rawValue)" }
  }

  @Test(arguments: [
    ([row(.trialStart, at: 1, id: 1), row(.renewal, at: 2, id: 2)], ["2 trial_conversion"]),
    ([row(.trialStart, at: 1, id: 1), row(.recovery, at: 2, id: 2)], ["2 trial_conversion"]),
    ([row(.trialStart, at: 1, id: 1), row(.start, at: 2, id: 2)], []),
    ([row(.trialStart, at: 2, id: 1), row(.renewal, at: 1, id: 2)], []),
    // Of one time, the lower id comes first.
    ([row(.trialStart, at: 2, id: 1), row(.renewal, at: 2, id: 2)], ["2 trial_conversion"]),
    ([row(.trialStart, at: 2, id: 3), row(.renewal, at: 2, id: 2)], []),
    // A payment between the two.
    (
      [
        row(.trialStart, at: 1, id: 1), row(.renewal, at: 2, id: 2), row(.renewal, at: 3, id: 3),
      ], ["2 trial_conversion"]
    ),
    ([row(.trialStart, at: 1, id: 1), row(.renewal, at: 2, id: 2, chain: 2)], []),
    // What was derived of a row that is gone.
    ([row(.renewal, at: 2, id: 2, stored: .trialConversion)], ["2 renewal"]),
  ])
  func `a renewal whose last payment was a trial is a conversion`(
    rows: [PurchaseChains.Row], expected: [String]
  ) {
    #expect(Self.changes(rows) == expected)
    #expect(Self.changes(rows.reversed()) == expected)
  }

  @Test(
    arguments: [
      (0, []), (1, ["3 recovery"]), (4, ["3 recovery"]), (5, ["3 recovery"]), (6, []),
    ] as [(Int64, [String])])
  func `a renewal after an issue since the last payment is a recovery`(
    issue: Int64, expected: [String]
  ) {
    // An issue at the time of a payment comes before it.
    let rows = [
      Self.row(.start, at: 1, id: 1), Self.row(.billingIssue, at: issue, id: 9),
      Self.row(.renewal, at: 5, id: 3),
    ]
    #expect(Self.changes(rows) == expected)
    var apart = rows
    apart[1].chain = 2
    #expect(Self.changes(apart) == [])
  }

  @Test(
    arguments: [
      (-998, 999, "partial_refund"), (-999, 999, nil), (-1_000, 999, nil), (-1, nil, nil),
      (-1, 1, nil), (-1, 2, "partial_refund"), (nil, 999, nil),
    ] as [(Int64?, Int64?, String?)])
  func `a refund below the price of its transaction is one in part`(
    refund: Int64?, price: Int64?, kind: String?
  ) {
    let rows = [
      Self.row(.start, at: 1, id: 1, price: price), Self.row(.refund, at: 2, id: 2, price: refund),
    ]
    #expect(Self.changes(rows) == (kind.map { ["2 \($0)"] } ?? []))
    let apart = [
      Self.row(.start, at: 1, id: 1, transaction: 7, price: price), rows[1],
    ]
    #expect(Self.changes(apart) == [])
  }
}
