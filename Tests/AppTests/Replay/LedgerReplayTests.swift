import Feeds
import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

@testable import App
@testable import Workspace

@Suite("Replaying the ledger")
struct LedgerReplayTests {
  private let folder: TemporaryFolder
  private let store: Store
  private static let start = Instant.morning

  init() throws {
    folder = try TemporaryFolder()
    store = try NewDatabase.open(path: folder.path + "/firetally.sqlite")
  }

  private func append(
    _ kind: EventKind, _ seconds: Int, user: String = "u1", feature: Feature = .refresh,
    _ parameters: [String: EventValue] = [:]
  ) throws {
    let event = Event(
      name: FeatureEventName(platform: "ios", feature: feature, kind: kind).text,
      at: Self.start + .seconds(seconds), userId: user,
      parameters: Dictionary(
        uniqueKeysWithValues: parameters.map { ("ios_" + $0.key, $0.value) }))
    _ = try store.write { try $0.append([event], source: "test") }
  }

  private func lines() throws -> [String] {
    var bytes: [UInt8] = []
    _ = try ReplayRun(.ledger(store)) { _, _ in }
      .decide(under: SettingsRule.resolve(fetched: [])) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// `verb` and `currentUsage` of each line.
  private func verbsAndUsage() throws -> [String] {
    try lines().map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return "\(object?["verb"] ?? "") \(object?["currentUsage"] ?? "")"
    }
  }

  @Test func `what follows a tap up to the next one makes it a action`() throws {
    try append(.performed, 0)
    try append(.buttonTapped, 1)
    try append(.popupShown, 1)
    try append(.performed, 5)
    try append(.buttonTapped, 10)
    try append(.popupDismissed, 11)
    try append(.buttonTapped, 12)
    try append(.blockedCooldown, 13)
    try append(.buttonTapped, 20, feature: .filter)
    try append(.buttonTapped, 21, user: "u2")
    try append(.performed, 22, feature: .filter)
    #expect(try verbsAndUsage() == ["use 1", "check 1", "use 2", "use 1", "check 0"])
  }

  @Test(
    arguments: [
      // After a use; before a block; a subscriber's use counts nothing.
      (EventKind.performed, "free_user", 2, "use 2"), (.performed, "free_user", 0, "use 1"),
      (.performed, "lite_subscriber", 1, "use 1"), (.blockedLimitReached, "free_user", 2, "use 2"),
      (.blockedCooldown, "free_user", 1, "use 2"), (.performed, "free_user", -1, "use 1"),
      (.performed, "free_user", 1_000_000_000_000_001, "use 1"),
      (.performed, "free_user", 1_000_000_000_000_000, "use 999999999999999"),
      (.performed, "free_user", nil, "use 1"),
    ] as [(EventKind, String, Int64?, String)])
  func `where the ledger begins, a result says how much of the limit was used`(
    kind: EventKind, type: String, usage: Int64?, first: String
  ) throws {
    let tier = EventValue.string(type == "lite_subscriber" ? "lite" : "free")
    // A tap says nothing: its cooldown may be over.
    try append(.buttonTapped, 1, ["current_usage": .integer(2), "subscription_status": tier])
    try append(
      kind, 2,
      ["user_type": .string(type)].merging(
        usage.map { ["current_usage": .integer($0)] } ?? [:]
      ) { $1 })
    #expect(try verbsAndUsage() == [first])
  }

  @Test func `only the first result of a person's feature says what was used before`() throws {
    try append(.buttonTapped, 1)
    try append(.buttonTapped, 2)
    try append(.performed, 3, ["current_usage": .integer(2), "user_type": .string("free_user")])
    try append(.limitReset, 4, ["reset_reason": .string("manual")])
    try append(.buttonTapped, 5)
    try append(.performed, 6, ["current_usage": .integer(2), "user_type": .string("free_user")])
    try append(.buttonTapped, 7, feature: .filter)
    try append(
      .performed, 8, feature: .filter,
      ["current_usage": .integer(2), "user_type": .string("free_user")])
    #expect(try verbsAndUsage() == ["check 0", "use 2", "use 1", "use 2"])
  }

  @Test func `attempts come oldest first, whatever order their events arrived in`() throws {
    try append(.buttonTapped, 9, user: "late")
    try append(.buttonTapped, 3, user: "early")
    #expect(try lines().map { $0.contains("early") } == [true, false])
  }

  @Test
  func `tier and age come from the event; where they are missing, from its user type`() throws {
    try append(.buttonTapped, 1, ["subscription_status": .string("plus")])
    try append(.buttonTapped, 2, ["user_type": .string("lite_subscriber")])
    try append(
      .buttonTapped, 3,
      ["subscription_status": .string("free"), "user_type": .string("lite_subscriber")])
    try append(.buttonTapped, 4, ["user_type": .string("new_user")])
    try append(.buttonTapped, 5, ["first_account_created_at": .integer(1_769_846_000)])
    try append(.buttonTapped, 6, ["first_account_created_at": .double(1_769_839_206.5)])
    try append(.buttonTapped, 7, ["first_account_created_at": .double(1_769_839_207)])
    try append(
      .buttonTapped, 8,
      ["first_account_created_at": .integer(1), "user_type": .string("new_user")])
    let types = try lines().map { line in
      UserType.allCases.first { line.contains("\"\($0.rawValue)\"") }
    }
    #expect(
      types == [
        .liteSubscriber, .liteSubscriber, .freeUser, .newUser, .newUser, .newUser, .freeUser,
        .freeUser,
      ])
  }

  @Test func `a reset by hand empties the state, any other does not`() throws {
    for second in [1, 10] {
      try append(.buttonTapped, second)
      try append(.performed, second + 1)
    }
    try append(.limitReset, 20)
    try append(.buttonTapped, 30)
    try append(.limitReset, 40, ["reset_reason": .string("manual")])
    try append(.buttonTapped, 50)
    #expect(try verbsAndUsage() == ["use 1", "use 2", "check 2", "check 0"])
  }

  @Test func `a platform with a quote in its name takes nothing down`() throws {
    let event = Event(
      name: "i\"o\\s_refresh_button_tapped", at: Self.start, userId: "u",
      parameters: ["i\"o\\s_subscription_status": .string("lite")])
    _ = try store.write { try $0.append([event], source: "test") }
    #expect(try lines().count == 1)
  }

  @Test func `an attempt belongs to the time that its tap is in, wherever its end is`() throws {
    try append(.buttonTapped, 10)
    try append(.performed, 20)
    try append(.subscriptionButtonTapped, 21)
    for (start, end, attempts, performed, orphans) in [
      (nil, nil, 1, 1, 0), (10, 11, 1, 1, 0), (9, 10, 0, 0, 0), (10, 20, 1, 1, 0),
      (11, 30, 0, 0, 0), (11, 21, 0, 0, 0), (21, 22, 0, 0, 0), (22, nil, 0, 0, 0),
    ] as [(Int?, Int?, Int, Int, Int)] {
      let (comparison, _) = try ReplayRun(.ledger(store)) { _, _ in }.compare(
        [SettingsRule.resolve(fetched: [])], from: start.map { Self.start + .seconds($0) },
        to: end.map { Self.start + .seconds($0) })
      let bounds = "\(String(describing: start)) \(String(describing: end))"
      #expect(comparison.totals(of: nil).attempts == attempts, "\(bounds)")
      #expect(comparison.figures(0, of: nil).performed == performed, "\(bounds)")
      #expect(comparison.totals(of: nil).tapsWithoutAttempt == orphans, "\(bounds)")
    }
  }

  @Test
  func `uses before the time leave everybody the allowance that they had at its start`() throws {
    for second in [0, 1, 2] {
      try append(.buttonTapped, second)
      try append(.performed, second)
    }
    for (start, attempts, blocked) in [(0, 3, 1), (1, 2, 1), (2, 1, 1), (3, 0, 0)] {
      let (comparison, _) = try ReplayRun(.ledger(store)) { _, _ in }.compare(
        [SettingsRule.resolve(fetched: [])], from: Self.start + .seconds(start), to: nil)
      #expect(comparison.totals(of: .refresh).attempts == attempts, "from \(start)")
      #expect(comparison.figures(0, of: .refresh).blocked == blocked, "from \(start)")
    }
  }

  @Test
  func `attempts without a user id are nobody's; a profile without one is a person`() throws {
    for second in [0, 1, 2] { try append(.buttonTapped, second, user: "") }
    try append(.blockedCooldown, 2, user: "")
    // The first is of a ledger from before 0.2.0, which no other count of people holds either.
    for (userId, second) in [("", 3), (Profile.eventUserId(ofProfile: "default"), 4)] {
      let own = Event(
        name: "ios_refresh_button_tapped", at: Self.start + .seconds(second), userId: userId,
        parameters: [:])
      _ = try store.write { try $0.append([own], source: Event.ownSource) }
    }
    let settings = SettingsRule.resolve(fetched: [])
    let (comparison, _) = try ReplayRun(.ledger(store)) { _, _ in }.compare(
      [settings], from: Self.start + .seconds(1), to: nil)
    #expect(comparison.totals(of: nil).attempts == 1)
    #expect(comparison.totals(of: nil).users == 1)
    #expect(comparison.totals(of: nil).unknownAttempts == 3)
    let result = try store.read {
      try LedgerWhatIf.make(
        $0, settings: settings, from: Self.start, to: Self.start + .seconds(9))
    }
    #expect(result.comparison.totals(of: .refresh).unknownAttempts == 4)
    #expect(result.comparison.totals(of: .refresh).users == 1)
    #expect(result.outcomes == [:])
  }

  @Test
  func `the report's what-if begins with the allowances of the time, and knows what happened`()
    throws
  {
    for second in [0, 1] {
      try append(.buttonTapped, second)
      try append(.performed, second)
    }
    try append(.buttonTapped, 30)
    try append(.popupShown, 30)
    try append(.blockedLimitReached, 30)
    try append(.buttonTapped, 31)
    try append(.blockedCooldown, 31)
    try append(.blockedCooldown, 31, user: "u2")
    let settings = SettingsRule.resolve(fetched: [])
    let result = try store.read {
      try LedgerWhatIf.make(
        $0, settings: settings, from: Self.start + .seconds(10), to: Self.start + .seconds(60))
    }
    #expect(result.comparison.totals(of: .refresh).attempts == 2)
    #expect(result.comparison.figures(0, of: .refresh).blocked == 2)
    #expect(result.outcomes == [.refresh: LedgerOutcome(blocked: 2, users: 1)])
    #expect(result.excess(of: .refresh) == 0)
    let later = try store.read {
      try LedgerWhatIf.make(
        $0, settings: settings, from: Self.start + .seconds(50), to: Self.start + .seconds(60))
    }
    #expect(later.comparison.features.isEmpty && later.outcomes == [:])
  }

  @Test(arguments: [(nil, 1), (4, 0), (5, 0), (6, 1)] as [(Int?, Int)])
  func `people begin with the allowance that they had after the last change of a limit`(
    changedAt: Int?, blocked: Int
  ) throws {
    for (second, usage) in [(1, 1), (3, 2), (5, 1)] as [(Int, Int64)] {
      try append(.buttonTapped, second)
      try append(
        .performed, second,
        ["current_usage": .integer(usage), "user_type": .string("free_user")])
    }
    try append(.buttonTapped, 20)
    let changes = changedAt.map { seconds in
      SettingChange(
        wireName: "freeRefreshLimit", source: .appSettings, oldValue: "3", newValue: "2",
        changedAt: Self.start + .seconds(seconds))
    }
    let settings = SettingsRule.resolve(fetched: [])
    let result = try store.read {
      try LedgerWhatIf.make(
        $0, settings: settings, from: Self.start + .seconds(10), to: Self.start + .seconds(60),
        changes: [changes].compactMap(\.self))
    }
    #expect(result.comparison.figures(0, of: .refresh).blocked == blocked)
    let (comparison, _) = try ReplayRun(.ledger(store)) { _, _ in }.compare(
      [settings], from: Self.start + .seconds(10), to: Self.start + .seconds(60),
      changedAt: changes?.changedAt)
    #expect(comparison.figures(0, of: .refresh).blocked == blocked)
  }

  @Test(
    arguments: [
      (nil, 3, false), (0, 3, false), (20, 1, true), (40, 0, true), (60, 3, false),
    ] as [(Int?, Int, Bool)])
  func `the report's what-if begins with the last change of a limit in the period`(
    seconds: Int?, attempts: Int, begins: Bool
  ) throws {
    for second in [0, 10, 30] { try append(.buttonTapped, second) }
    let changes = seconds.map { seconds in
      SettingChange(
        wireName: "freeRefreshLimit", source: .appSettings, oldValue: "2", newValue: "5",
        changedAt: Self.start + .seconds(seconds))
    }
    let result = try store.read {
      try LedgerWhatIf.make(
        $0, settings: SettingsRule.resolve(fetched: []), from: Self.start,
        to: Self.start + .seconds(60), changes: [changes].compactMap(\.self))
    }
    #expect(result.comparison.totals(of: nil).attempts == attempts)
    #expect(result.isWholePeriod == !begins)
    #expect(result.change == (begins ? changes : nil))
    #expect(result.since == Self.start + .seconds(begins ? seconds ?? 0 : 0))
  }

  @Test(arguments: [("ios", 1), ("android", 2), (nil, 3)] as [(String?, Int)])
  func `attempts are those of one platform, or of all together`(
    platform: String?, attempts: Int
  ) throws {
    try append(.buttonTapped, 0)
    let others = [1, 2].map { second in
      Event(
        name: "android_refresh_button_tapped", at: Self.start + .seconds(second), userId: "u1")
    }
    _ = try store.write { try $0.append(others, source: "test") }
    let settings = SettingsRule.resolve(fetched: [])
    let (comparison, _) = try ReplayRun(.ledger(store, platform: platform)) { _, _ in }.compare(
      [settings], from: Self.start, to: nil)
    #expect(comparison.totals(of: nil).attempts == attempts)
    let result = try store.read {
      try LedgerWhatIf.make(
        $0, settings: settings, from: Self.start, to: Self.start + .seconds(9), on: platform)
    }
    #expect(result.comparison.totals(of: nil).attempts == attempts)
  }

  @Test func `taps within one second are attempts of their own`() throws {
    let taps = [0, 200, 400].map { milliseconds in
      Event(
        name: "ios_refresh_button_tapped", at: Self.start + .milliseconds(milliseconds),
        userId: "u1", parameters: ["ios_subscription_status": .string("free")])
    }
    _ = try store.write { try $0.append(taps, source: "test") }
    let result = try store.read {
      try LedgerWhatIf.make(
        $0, settings: SettingsRule.resolve(fetched: []), from: Self.start,
        to: Self.start + .milliseconds(400))
    }
    #expect(result.comparison.totals(of: .refresh).attempts == 2)
  }

  @Test func `subscription taps and attempts of the period alone are compared`() throws {
    for second in [0, 10, 20] {
      try append(.buttonTapped, second)
      try append(.performed, second + 1)
      try append(.subscriptionButtonTapped, second + 2)
    }
    let (comparison, _) = try ReplayRun(.ledger(store)) { _, _ in }.compare(
      [SettingsRule.resolve(fetched: [])], from: Self.start + .seconds(10),
      to: Self.start + .seconds(20))
    #expect(comparison.totals(of: .refresh).attempts == 1)
    #expect(comparison.totals(of: .refresh).subscriptionTaps == 1)
    #expect(comparison.totals(of: .refresh).tapsWithoutAttempt == 0)
    #expect(comparison.figures(0, of: .refresh).performed == 1)
  }
}
