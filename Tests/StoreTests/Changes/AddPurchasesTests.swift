import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

/// How rows of several sources become one truth; docs/purchases.md#one-event-once.
@Suite struct AddPurchasesTests {
  private static let start = Instant(unixSeconds: 1_770_000_000)

  /// Times in days after the start.
  private static func row(
    _ kind: PurchaseKind, _ transaction: String, at day: Int, source: PurchaseSource = .revenueCat,
    said: Int? = nil, price: Int64? = nil, of subscription: String = "s", person: String = "u"
  ) -> Purchase {
    let at = start + .seconds(86_400 * day)
    var purchase = Purchase(
      kind: kind, at: at, source: source,
      statedAt: said.map { start + .seconds(86_400 * $0) } ?? at)
    purchase.subscription = subscription
    purchase.transaction = transaction
    purchase.person = person
    purchase.store = "app_store"
    purchase.paidUntil = at + .seconds(86_400 * 30)
    purchase.price = price.map { CurrencyAmount(amount: $0, currency: "USD") }
    return purchase
  }

  private static func stored(_ pages: [[Purchase]]) throws -> (PurchaseCounts, [String]) {
    let (folder, store) = try TemporaryStore.opened()
    var counts = PurchaseCounts()
    for page in pages {
      let added = try store.write { writer in try writer.addPurchases { try $0(PurchaseRows(page)) }
      }
      counts.inserted += added.inserted
      counts.updated += added.updated
      counts.unchanged += added.unchanged
    }
    return (
      counts,
      try folder.texts(
        """
        SELECT transaction_id || ' ' || kind || ' ' || ifnull(price, '-') || ' ' || source
        FROM purchases ORDER BY at, transaction_id, kind
        """)
    )
  }

  private static let trial = row(.trialStart, "t1", at: 0, price: 0)
  private static let paid = row(.renewal, "t2", at: 7, price: 999)
  private static let issue = row(.billingIssue, "t2", at: 38)
  private static let late = row(.renewal, "t3", at: 40, price: 999)
  private static let later = row(.renewal, "t4", at: 70, price: 999)

  @Test func `renewals after a trial and after a billing issue have kinds of their own`() throws {
    let rows = [Self.trial, Self.paid, Self.issue, Self.late, Self.later]
    #expect(
      try Self.stored([rows]).1 == [
        "t1 trial_start 0 revenuecat", "t2 trial_conversion 999 revenuecat",
        "t2 billing_issue - revenuecat", "t3 recovery 999 revenuecat",
        "t4 renewal 999 revenuecat",
      ])
  }

  @Test func `a billing issue at the very time of the payment before it is not its past`() throws {
    let before = Self.row(.start, "a", at: 0, price: 999)
    var issue = Self.row(.billingIssue, "a", at: 30)
    let after = Self.row(.renewal, "b", at: 30, price: 999)
    #expect(try Self.stored([[before, issue, after]]).1.last == "b recovery 999 revenuecat")
    issue.at = after.at + .microseconds(1)
    #expect(try Self.stored([[before, issue, after]]).1[1] == "b renewal 999 revenuecat")
  }

  @Test(
    arguments: [(-998, "partial_refund"), (-999, "refund"), (-1_000, "refund")] as [(Int64, String)]
  )
  func `a refund below the price is one in part`(price: Int64, kind: String) throws {
    let refund = Self.row(.refund, "t2", at: 8, price: price)
    #expect(try Self.stored([[refund], [Self.paid]]).1.last == "t2 \(kind) \(price) revenuecat")
    #expect(try Self.stored([[refund]]).1 == ["t2 refund \(price) revenuecat"])
  }

  @Test func `of several sources the one that says most counts, then the later saying`() throws {
    let note = Self.row(.renewal, "t2", at: 7, source: .notification, said: 99, price: 1_000)
    let export = Self.row(.start, "t2", at: 7, source: .revenueCatExport, said: 8, price: 1_001)
    let newer = Self.row(.start, "t2", at: 7, source: .revenueCatExport, said: 9, price: 1_002)
    for pages in [
      [[note], [export], [newer]], [[newer], [export], [note]], [[export, newer, note]],
    ] {
      #expect(try Self.stored(pages).1 == ["t2 start 1002 revenuecat-export"])
    }
    let (counts, rows) = try Self.stored([[note], [note], [Self.paid], [export]])
    #expect(rows == ["t2 renewal 999 revenuecat"])
    #expect(counts.inserted == 1 && counts.updated == 1 && counts.unchanged == 2)
  }

  @Test func `any order and any number of times leave the same rows`() throws {
    var random = SeededGenerator(seed: 39)
    let rows =
      [Self.trial, Self.paid, Self.issue, Self.late, Self.later]
      + (0..<40).map { number in
        Self.row(
          PurchaseKind.allCases[number % 15], "t\(number % 9)", at: number * 3 % 50,
          source: PurchaseSource.allCases[number % 4], said: number % 7,
          price: number % 3 == 0 ? nil : Int64(number % 5 * 100), of: "s\(number % 3)",
          person: "u\(number % 2)")
      }
    let expected = try Self.stored([rows]).1
    for _ in 0..<20 {
      let shuffled = (rows + rows).shuffled(using: &random)
      let cut = Int.random(in: 0...shuffled.count, using: &random)
      let found = try Self.stored([Array(shuffled[..<cut]), Array(shuffled[cut...])]).1
      #expect(found == expected, "seed 39")
    }
  }

  /// Five rows of each subscription.
  private static func subscriptions(_ numbers: Range<Int>) -> [Purchase] {
    numbers.flatMap { number in
      let subscription = "s\(number)"
      return [
        row(.trialStart, "\(number)a", at: 0, price: 0, of: subscription),
        row(.renewal, "\(number)b", at: 7, price: 999, of: subscription),
        row(.billingIssue, "\(number)b", at: 38, of: subscription),
        row(.renewal, "\(number)c", at: 40, price: 999, of: subscription),
        row(.refund, "\(number)c", at: 41, price: -998, of: subscription),
      ]
    }
  }

  private static let kinds = """
    SELECT kind || ' ' || count(*) FROM purchases GROUP BY kind ORDER BY kind
    """
  private static let indexes = """
    SELECT name FROM sqlite_schema WHERE tbl_name = 'purchases' AND type = 'index' ORDER BY name
    """

  private static func expectedKinds(_ count: Int) -> [String] {
    [
      "billing_issue \(count)", "partial_refund \(count)", "recovery \(count)",
      "trial_conversion \(count)", "trial_start \(count)",
    ]
  }

  /// So many that the indexes are left out meanwhile, and all rows are read.
  @Test func `many rows are stored as few are, and the indexes are there again`() throws {
    let count = TableIndexes.newRowsWorthIt / 4 + 1
    let rows = Self.subscriptions(0..<count)
    var random = SeededGenerator(seed: 56)
    let shuffled = rows.shuffled(using: &random)
    let (folder, store) = try TemporaryStore.opened()
    struct Death: Error {}
    #expect(throws: Death.self) {
      try store.write { writer in
        _ = try writer.addPurchases { add in
          try add(PurchaseRows(rows))
          throw Death()
        }
      }
    }
    let indexes = ["purchases_id", "purchases_subscription"]
    #expect(try folder.texts(Self.indexes) == indexes)
    let counts = try store.write { writer in
      try writer.addPurchases { add in
        for start in stride(from: 0, to: rows.count, by: 3_000) {
          try add(PurchaseRows(shuffled[start..<min(start + 3_000, rows.count)]))
        }
      }
    }
    #expect(counts.inserted == rows.count && counts.updated == 0 && counts.unchanged == 0)
    #expect(try folder.texts(Self.kinds) == Self.expectedKinds(count))
    #expect(try folder.texts(Self.indexes) == indexes)
    let again = try store.write { writer in
      try writer.addPurchases { try $0(PurchaseRows(rows)) }
    }
    #expect(again.inserted == 0 && again.updated == 0 && again.unchanged == rows.count)
    #expect(try folder.texts(Self.kinds) == Self.expectedKinds(count))
  }

  /// The second part of the import has no index of ids at first; `repeats` rows wait for it.
  @Test(arguments: [0, 1, PurchaseIds.mostRepeats, PurchaseIds.mostRepeats + 1])
  func `rows that come again in a large import are stored once, and say the most`(
    repeats: Int
  ) throws {
    let count = TableIndexes.newRowsWorthIt / 5
    let rows = Self.subscriptions(0..<count)
    let more = Self.subscriptions(count..<count + 11)
    // Each repetition says something else than the first row, some of them more.
    let again = (0..<repeats).map { number in
      var row = rows[number % rows.count]
      row.statedAt = row.statedAt + .seconds(number % 2 == 0 ? 1 : -1)
      row.person = "later \(number % 2)"
      return row
    }
    let (folder, store) = try TemporaryStore.opened()
    let counts = try store.write { writer in
      try writer.addPurchases { add in
        try add(PurchaseRows(rows))
        try add(PurchaseRows(again))
        try add(PurchaseRows(more))
        try add(PurchaseRows(more))
      }
    }
    let updated = (min(repeats, rows.count) + 1) / 2
    #expect(counts.inserted == rows.count + more.count && counts.updated == updated)
    #expect(counts.unchanged == repeats - updated + more.count)
    #expect(try folder.texts(Self.kinds) == Self.expectedKinds(count + 11))
    let people = "SELECT person || ' ' || count(*) FROM purchases GROUP BY person ORDER BY person"
    #expect(
      try folder.texts(people)
        == (updated > 0 ? ["later 0 \(updated)"] : [])
        + ["u \(rows.count + more.count - updated)"])
    #expect(try folder.texts(Self.indexes) == ["purchases_id", "purchases_subscription"])
  }

  @Test func `rows that wait are stored once there are more than their bound`() throws {
    let (_, store) = try TemporaryStore.opened()
    try store.read { reader in
      var ids = try PurchaseIds(reader.database)
      #expect(ids.newRows(of: PurchaseRows([Self.paid])).count == 1)
      let again = PurchaseRows(repeatElement(Self.paid, count: PurchaseIds.mostRepeats))
      #expect(ids.newRows(of: again).count == 0)
      #expect(!ids.isFull)
      #expect(ids.newRows(of: PurchaseRows([Self.trial, Self.paid])).count == 1)
      #expect(ids.isFull && ids.repeats.count == PurchaseIds.mostRepeats + 1)
    }
  }

  @Test func `the index of ids is left out only while the ids fit into memory twice`() {
    #expect(PurchaseIds.fit(2_000_000) && !PurchaseIds.fit(2_000_001))
  }

  @Test func `rows of a report stay apart, each by its key`() throws {
    var report = Self.row(.renewal, "", at: 0, source: .sales, price: 999)
    report.subscription = ""
    report.reportKey = "line 1"
    var other = report
    other.reportKey = "line 2"
    let counts = try Self.stored([[report, other], [report], [Self.paid]]).0
    #expect(counts.inserted == 3 && counts.unchanged == 1)
  }

  @Test func `what ended before the bound goes by age, and what is paid beyond it stays`() throws {
    let (folder, store) = try TemporaryStore.opened()
    var times: [Purchase] = []
    for (number, offset) in [-1, 0, 1].enumerated() {
      var row = Self.row(.renewal, "p\(number)", at: -100)
      row.paidUntil = Self.start + .microseconds(offset)
      times.append(row)
      var bare = Self.row(.oneTime, "o\(number)", at: 0)
      bare.at = Self.start + .microseconds(offset)
      bare.paidUntil = nil
      times.append(bare)
    }
    try store.write { [times] writer in
      _ = try writer.addPurchases { try $0(PurchaseRows(times)) }
      #expect(try writer.removePurchases(before: Self.start) == 2)
    }
    #expect(
      try folder.texts("SELECT transaction_id FROM purchases ORDER BY 1")
        == ["o1", "o2", "p1", "p2"])
  }

  @Test func `a person's rows go with the person, and those of whom they had it from`() throws {
    let (folder, store) = try TemporaryStore.opened()
    var moved = Self.row(.transfer, "", at: 3, of: "", person: "v")
    moved.eventId = "e"
    moved.previousPerson = "u"
    try store.write { [moved] writer in
      _ = try writer.addPurchases {
        try $0(
          PurchaseRows([Self.paid, moved, Self.row(.start, "x", at: 0, of: "x", person: "w")]))
      }
    }
    #expect(try store.read { try $0.isSomebody(id: "u", userCollections: []) })
    #expect(try store.read { try $0.personRows(id: "u").places.map(\.count) } == [2])
    let named = try store.read { reader in
      try reader.namedPeople { ["u", "v", "w"].contains(String(decoding: $0, as: UTF8.self)) }
    }
    #expect(named == ["u", "v", "w"])
    _ = try store.erasing { try $0.erasePerson(id: "u") }
    #expect(try folder.texts("SELECT person FROM purchases") == ["w"])
  }
}
