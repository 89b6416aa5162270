import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

/// What is counted of people, offers, documents and imports: docs/shares.md#what-is-judged.
@Suite struct ShareReadingTests {
  private let folder: TemporaryStore
  private let store: Store
  private static let days = RandomLedger.days
  /// The newest day but today.
  private static let yesterday = RandomLedger.dayCount - 2

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func append(
    _ user: String, _ kinds: EventKind..., feature: Feature = .refresh, day: Int = yesterday,
    type: String = "free_user",
    country: String? = "Chile", version: String? = "3.0", more: [String: EventValue] = [:]
  ) throws {
    let events = kinds.enumerated().map { second, kind in
      Event(
        name: FeatureEventName(platform: "ios", feature: feature, kind: kind).text,
        at: Self.days[day].lowerBound + .seconds(second), userId: user,
        parameters: more.merging(["ios_user_type": .string(type)]) { own, _ in own },
        country: country, appVersion: version)
    }
    _ = try store.write { try $0.append(events, source: "test") }
  }

  private func shares(keeping: Bool = true) throws -> ShareCounts {
    if keeping { try store.keepCounts(of: Self.days, in: "UTC", on: nil) }
    let now = Self.days[Self.yesterday + 1].lowerBound + .seconds(3_600)
    let context = ReportContext(
      appName: "ChatHub", now: now, timeZone: "UTC", start: Self.days[40].lowerBound, end: now)
    return try store.read { reader in
      try reader.withRelations {
        let facts = try reader.dayFacts(Self.days, at: now)
        let pass = try reader.ledgerPass(context, days: facts, changes: [])
        return try reader.usageData(pass).shares
      }
    }
  }

  /// The count of yesterday; days are counted from the second one on.
  private func count(
    _ measure: ShareCounts.Measure, _ parts: ShareCounts.Part..., keeping: Bool = true
  ) throws -> Int {
    try shares(keeping: keeping).counts(measure, of: parts)[Self.yesterday - 1]
  }

  @Test(arguments: [true, false])
  func `two spellings of a country that Swift takes for equal are two`(keeping: Bool) throws {
    for (user, country) in [("a", "Per\u{fa}"), ("b", "Peru\u{301}"), ("c", "Peru\u{301}")] {
      try append(user, .buttonTapped, country: country)
    }
    let counts = try shares(keeping: keeping).cells.filter {
      $0.key.map(\.dimension) == [.country] && $0.key[0].value.hasPrefix("Per")
    }
    let yesterday = counts.mapValues {
      $0[ShareCounts.Measure.people.rawValue][Self.yesterday - 1]
    }
    #expect(yesterday.count == 2)
    #expect(yesterday[[.init(.country, "Per\u{fa}")]] == 1)
    #expect(yesterday[[.init(.country, "Peru\u{301}")]] == 2)
  }

  @Test(arguments: [true, false])
  func `a person counts once a day, by what their first event says`(keeping: Bool) throws {
    try append("ada", .buttonTapped, .performed)
    try append("ada", .performed, day: Self.yesterday - 1)
    try append("bo", .buttonTapped, type: "new_user", country: nil, version: nil)
    try append("", .buttonTapped)
    #expect(try count(.people, keeping: keeping) == 2)
    #expect(try count(.people, ShareCounts.Part(.country, "Chile"), keeping: keeping) == 1)
    #expect(try count(.people, ShareCounts.Part(.country, ""), keeping: keeping) == 1)
    #expect(
      try count(
        .people, ShareCounts.Part(.version, "3.0"), ShareCounts.Part(.userType, "free_user"),
        keeping: keeping) == 1)
    #expect(try count(.newcomers, keeping: keeping) == 1)
    #expect(try count(.tapping, keeping: keeping) == 2)
    #expect(try count(.failed, keeping: keeping) == 1)
    #expect(try count(.free, keeping: keeping) == 1)
  }

  @Test func `who was a subscriber before and is free is lost, once`() throws {
    try append("ada", .performed, day: 3, type: "lite_subscriber")
    try append("ada", .performed, day: Self.yesterday - 1)
    #expect(try shares().counts(.lost, of: [])[Self.yesterday - 2] == 1)
    try append("ada", .performed)
    #expect(try count(.lost) == 0)
    try append("ada", .performed, day: Self.yesterday, type: "lite_subscriber")
    #expect(try count(.subscribers) == 1)
  }

  @Test func `blocks and popups are those of people whom a limit can block`() throws {
    try append("ada", .buttonTapped, .popupShown, .blockedLimitReached, .subscriptionButtonTapped)
    try append("bo", .buttonTapped, .popupShown, type: "lite_subscriber")
    try append("cy", .subscriptionButtonTapped)
    #expect(try count(.limited) == 1 && count(.blocked) == 1)
    #expect(try count(.popups) == 1)
    // A tap without a popup of its day is no part of the popups.
    #expect(try count(.subscriptionTaps) == 1)
  }

  @Test func `offers are told apart by feature, limit and price`() throws {
    let price: EventValue = .string("$4.99")
    try append(
      "ada", .popupShown, .subscriptionButtonTapped,
      more: [
        "ios_usage_limit": .integer(3), "ios_current_usage": .integer(3),
        "ios_subscription_price_displayed": price,
      ])
    try append(
      "bo", .popupShown, more: ["ios_usage_limit": .integer(3), "ios_current_usage": .integer(1)])
    try append(
      "cy", .popupShown,
      more: ["ios_usage_limit": .integer(0), "ios_subscription_price_displayed": price])
    try append("dee", .pricingDisplayed, more: ["ios_subscription_price_displayed": price])
    func offer(_ limit: Int?, _ price: String) -> ShareCounts.Offer {
      ShareCounts.Offer(feature: .refresh, limit: limit, price: price)
    }
    let kept = try shares().offers.mapValues { $0[Self.yesterday - 1] }
    #expect(kept == [offer(3, "$4.99"): 2, offer(3, ""): 1, offer(nil, "$4.99"): 1])
    // A day that is not kept is counted for itself, beside the kept ones, and not twice.
    try append("eve", .popupShown, more: ["ios_subscription_price_displayed": price])
    #expect(
      try shares(keeping: false).offers.mapValues { $0[Self.yesterday - 1] }
        == [offer(3, "$4.99"): 2, offer(3, ""): 1, offer(nil, "$4.99"): 2])
  }

  @Test func `filters that tell how many they found, kept and not`() throws {
    for (user, found) in [("ada", 0), ("bo", 3), ("cy", 0)] as [(String, Int64)] {
      try append(
        user, .performed, feature: .filter, more: ["ios_filter_result_count": .integer(found)])
    }
    try append("dee", .performed, feature: .filter)
    for keeping in [true, false] {
      let shares = try shares(keeping: keeping)
      #expect(shares.filters[Self.yesterday - 1] == 3, "\(keeping)")
      #expect(shares.filtersWithoutResult[Self.yesterday - 1] == 2)
      #expect(shares.filters.reduce(0, +) == 3)
    }
  }

  @Test func `pairs of platform and country or version are counted`() throws {
    try append("ada", .buttonTapped)
    let platform = ShareCounts.Part(.platform, "ios")
    #expect(try count(.failed, ShareCounts.Part(.country, "Chile"), platform) == 1)
    #expect(try count(.failed, ShareCounts.Part(.version, "3.0"), platform) == 1)
  }

  @Test func `a document lacks a field on the day on which its user was last seen`() throws {
    func user(_ id: String, _ age: String?, at instant: Instant) throws {
      _ = try store.write { writer in
        try writer.run(
          """
          INSERT INTO OnlineUsers (user_id, user_age, user_country, user_last_time_seen)
          VALUES (?, ?, 'Chile', ?)
          """, [id, age, instant.unixSeconds])
      }
    }
    let day = Self.days[Self.yesterday]
    try user("ada", "30", at: day.lowerBound)
    try user("bo", "", at: day.upperBound - .seconds(1))
    try user("cy", nil, at: day.lowerBound)
    try user("dee", nil, at: day.upperBound)
    let shares = try shares()
    #expect(shares.lastSeen.suffix(2) == [3, 1])
    #expect(shares.blankFields[.age]?.suffix(2) == [2, 1])
    #expect(shares.blankFields[.country]?.suffix(2) == [0, 0])
    #expect(shares.blankFields[.gender]?.suffix(2) == [3, 1])
  }

  /// Imports lines of days by one run, on the morning after the last one.
  private func run(_ lines: [Int: Int], deleted: Int = 0) throws {
    for (day, count) in lines.sorted(by: { $0.key < $1.key }) {
      for line in 0..<count {
        try append(
          "u\(try store.read { try $0.count("SELECT count(*) FROM events") }) \(line)", .performed,
          day: day)
      }
    }
    let at = Self.days[(lines.keys.max() ?? 0) + 1].lowerBound + .seconds(3_600)
    _ = try store.write { writer in
      try writer.run(
        """
        INSERT INTO sync_runs (job, kind, trigger, started_at, ended_at, outcome, fetched, inserted,
          updated, unchanged, deleted, skipped, billed_reads, bytes, requests, retries, warnings)
        VALUES ('events', 'import-events', 'scheduled', ?1, ?1, 'ok', 0, ?2, 0, 0, ?3, '{}', 0, 0, 0, 0, '[]')
        """, [at.microseconds, lines.values.reduce(0, +), deleted])
    }
  }

  @Test(arguments: [(0, 9, 4), (1, 0, 0)])
  func `lines of days that an import had brought come late`(
    deleted: Int, lines: Int, late: Int
  ) throws {
    try run([Self.yesterday - 2: 3])
    try run([Self.yesterday - 1: 6])
    // Two of the day that came, two of the day before it, and one too old to be a clock's.
    try run(
      [Self.yesterday: 4, Self.yesterday - 1: 2, Self.yesterday - 2: 2, Self.yesterday - 3: 1],
      deleted: deleted)
    let shares = try shares()
    #expect(shares.importedLines[Self.yesterday - 1] == lines)
    #expect(shares.lateLines[Self.yesterday - 1] == late)
    // The first import has none before it.
    #expect(shares.importedLines[Self.yesterday - 2] == 6)
    #expect(shares.importedLines[Self.yesterday - 3] == 0)
  }

  @Test(arguments: [(9, 10), (10, 0)])
  func `an import of old days, for the most part, says nothing`(late: Int, lines: Int) throws {
    try run([Self.yesterday - 1: 2])
    try run(
      [Self.yesterday: 10 - late, Self.yesterday - 1: late])
    #expect(try shares().importedLines[Self.yesterday - 1] == lines)
  }
}
