import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct FeatureUsesTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func append(
    _ name: String, at second: Int, _ parameters: [String: EventValue] = [:]
  ) throws {
    let event = Event(
      name: name, at: .morning + .seconds(second), userId: "u1", parameters: parameters)
    _ = try store.write { try $0.append([event], source: "test") }
  }

  private func uses(from start: Instant? = nil, to end: Instant? = nil) throws -> [FeatureUse] {
    var uses: [FeatureUse] = []
    try store.read { try $0.forEachFeatureUse(from: start, to: end) { uses.append($0) } }
    return uses
  }

  @Test func `only the kinds that a replay needs are handed over`() throws {
    for kind in EventKind.allCases { try append("ios_search_\(kind.rawValue)", at: 0) }
    try append("app_events", at: 0)
    let needed: Set<EventKind> = [
      .buttonTapped, .performed, .blockedLimitReached, .blockedCooldown,
      .subscriptionButtonTapped, .limitReset,
    ]
    let uses = try uses()
    #expect(Set(uses.map(\.kind)) == needed)
    #expect(uses.count == needed.count)
    #expect(uses.allSatisfy { $0.feature == .search && $0.userId == "u1" })
  }

  @Test func `they come oldest first, those of one instant as they arrived`() throws {
    try append("ios_refresh_performed", at: 5)
    try append("ios_refresh_button_tapped", at: 5)
    try append("ios_refresh_limit_reset", at: 1)
    #expect(try uses().map(\.kind) == [.limitReset, .performed, .buttonTapped])
  }

  @Test func `the start is inside, the end is not`() throws {
    for second in 0..<4 { try append("ios_refresh_performed", at: second) }
    let found = try uses(from: .morning + .seconds(1), to: .morning + .seconds(3))
    #expect(found.map(\.at) == [.morning + .seconds(1), .morning + .seconds(2)])
  }

  @Test func `parameters are those of the event's own platform`() throws {
    try append(
      "android_filter_button_tapped", at: 0,
      [
        "android_subscription_status": .string("lite"), "ios_subscription_status": .string("pro"),
        "android_user_type": .string("new_user"),
        "android_first_account_created_at": .double(1_769_840_000.5),
        "android_reset_reason": .string("manual"),
      ])
    let use = try #require(try uses().first)
    #expect(use.tier == .lite)
    #expect(use.userType == .newUser)
    #expect(use.firstAccountCreatedAt == Instant(microseconds: 1_769_840_000_500_000))
    #expect(use.isManual)
  }

  @Test func `what is missing or makes no sense is nil`() throws {
    try append("ios_filter_button_tapped", at: 0)
    try append(
      "ios_filter_button_tapped", at: 1,
      [
        "ios_subscription_status": .integer(1), "ios_user_type": .string("vip"),
        "ios_first_account_created_at": .string("yesterday"), "ios_reset_reason": .integer(1),
      ])
    for use in try uses() {
      #expect(use.tier == nil)
      #expect(use.userType == nil)
      #expect(use.firstAccountCreatedAt == nil)
      #expect(!use.isManual)
    }
  }

  @Test(
    arguments: [
      (.integer(0), nil), (.integer(-1), nil), (.integer(1), 1_000_000), (.double(0.5), 500_000),
      (.string("1769840000"), 1_769_840_000_000_000),
      (.string("1769840000.5"), 1_769_840_000_500_000),
      (.string("12 hours"), nil), (.string(""), nil), (.string("1e400"), nil),
      (.string("nan"), nil),
    ] as [(EventValue, Int64?)])
  func `the time of an account is a number above 0, or its digits`(
    value: EventValue, microseconds: Int64?
  ) throws {
    try append("ios_filter_button_tapped", at: 0, ["ios_first_account_created_at": value])
    #expect(try uses().map(\.firstAccountCreatedAt?.microseconds) == [microseconds])
  }

  @Test func `parameters that cannot be read are an error that names them`() throws {
    try append("ios_filter_button_tapped", at: 0)
    try store.write { try $0.database.execute(sql: "UPDATE events SET parameters = '{'") }
    let error = #expect(throws: (any Error).self) { try uses() }
    #expect(error.map { "\($0)" }?.contains("parameters") == true, "\(String(describing: error))")
  }

  @Test(arguments: [(1, 3), (2, 2), (3, 1), (4, nil), (5, nil)])
  func `the newest so many events begin somewhere, unless there are no more than that`(
    count: Int, second: Int?
  ) throws {
    for second in 0..<6 { try append("ios_refresh_performed", at: second) }
    // A replay reads neither popups nor prices.
    for name in ["app_events", "ios_refresh_popup_shown", "ios_refresh_pricing_displayed"] {
      try append(name, at: 2)
    }
    let found = try store.read {
      try $0.beginningOfFeatureEvents(newest: count, from: .morning, to: .morning + .seconds(4))
    }
    #expect(found == second.map { .morning + .seconds($0) })
  }
}
