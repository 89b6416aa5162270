import Fixtures
import Testing

@testable import Model

@Suite("Settings in force")
struct SettingsRuleTests {
  private static let fetchedAt = Instant.morning

  private func field(
    _ name: String, _ value: String, _ source: SettingSource = .appSettings
  ) -> FetchedSetting {
    FetchedSetting(wireName: name, rawValue: value, source: source, fetchedAt: Self.fetchedAt)
  }

  private func resolve(
    _ key: SettingKey, _ fields: [FetchedSetting], workspace: [SettingKey: String] = [:]
  ) -> EffectiveSetting? {
    SettingsRule.resolve(fetched: fields, workspace: workspace)[key]
  }

  @Test func `without a source every setting has the app's own value`() {
    let settings = SettingsRule.resolve(fetched: [])
    let values = Dictionary(uniqueKeysWithValues: settings.all.map { ($0.key, $0.value) })
    #expect(
      values == [
        .refreshLimit: 2, .refreshCooldown: 120, .filterLimit: 2, .filterCooldown: 120,
        .searchLimit: 2, .searchCooldown: 120, .messageLimit: nil, .messageCooldown: nil,
        .conversationLimit: nil, .conversationCooldown: nil, .newUserFreePeriod: 7_200,
        .ratingThreshold: 10, .ratingMaxPrompts: 2, .staleness: 1_800, .freeMomentsPerDay: 3,
        .premiumMomentsPerDay: 10, .freeMomentsTotal: 10,
      ])
    #expect(settings.all.allSatisfy { $0.source == .builtIn && $0.warning == nil })
  }

  @Test(arguments: SettingDescriptor.all)
  func `every wire name of every row is read`(rule: SettingDescriptor) {
    for name in rule.wireNames {
      let setting = resolve(rule.key, [field(name, "7")])
      #expect(setting?.value == 7)
      #expect(setting?.source == .appSettings)
      #expect(setting?.fetchedAt == Self.fetchedAt)
      #expect(setting?.warning == nil)
    }
  }

  @Test func `of two names for one setting the first wins, in whatever order they came`() {
    let fields = [
      field("freeTrialEndsAtSeconds", "60"), field("newUserFreePeriodSeconds", "90"),
      field("minChatsBeforeRatePrompt", "4"), field("maxChatsForRateUsRequest", "5"),
      field("maxRatePrompts", "6"), field("maxRateUsRequests", "7"),
    ]
    for order in [fields, fields.reversed()] {
      #expect(resolve(.newUserFreePeriod, order)?.value == 90)
      #expect(resolve(.ratingThreshold, order)?.value == 5)
      #expect(resolve(.ratingMaxPrompts, order)?.value == 7)
    }
  }

  @Test func `firetally.yml outranks AppSettings, that Remote Config, and that the defaults`() {
    let remote = field("freeRefreshLimit", "3", .remoteConfig)
    let app = field("freeRefreshLimit", "4", .appSettings)
    #expect(resolve(.refreshLimit, [remote])?.value == 3)
    #expect(resolve(.refreshLimit, [app, remote])?.value == 4)
    #expect(resolve(.refreshLimit, [remote, app])?.value == 4)
    let all = resolve(.refreshLimit, [remote, app], workspace: [.refreshLimit: "5"])
    #expect(all?.value == 5)
    #expect(all?.source == .workspace)
    #expect(all?.fetchedAt == nil)
  }

  @Test func `a stronger source wins with its second name over a weaker one with its first`() {
    let fields = [
      field("newUserFreePeriodSeconds", "90", .remoteConfig),
      field("freeTrialEndsAtSeconds", "60", .appSettings),
    ]
    #expect(resolve(.newUserFreePeriod, fields)?.value == 60)
  }

  @Test(arguments: [
    "", " ", "abc", "2.5", "1e3", "0x10", "[1]", "0x1p70", "inf", "nan", "1e", "e20", "1e+2",
  ])
  func `what is no integer is replaced by the default, with a warning`(text: String) {
    for rule in SettingDescriptor.all {
      let setting = resolve(rule.key, [field(rule.wireNames[0], text)])
      #expect(setting?.value == rule.builtIn)
      #expect(setting?.source == .builtIn)
      #expect(setting?.warning?.contains("\(rule.wireNames[0]) in app-settings") == true)
    }
  }

  @Test(arguments: [
    SettingKey.refreshLimit, .refreshCooldown, .filterLimit, .filterCooldown, .searchLimit,
    .searchCooldown, .messageLimit, .messageCooldown, .conversationLimit, .conversationCooldown,
    .staleness, .freeMomentsPerDay, .premiumMomentsPerDay, .freeMomentsTotal,
  ])
  func `limits, cooldowns, staleness and quotas must be above 0`(key: SettingKey) {
    let rule = key.descriptor
    for bad in ["0", "-1", "-9223372036854775808"] {
      let setting = resolve(key, [field(rule.wireNames[0], bad)])
      #expect(setting?.value == rule.builtIn)
      #expect(setting?.warning?.contains("is not above 0") == true)
    }
    #expect(resolve(key, [field(rule.wireNames[0], "1")])?.value == 1)
  }

  @Test func `a bad value is not replaced by a weaker source's good one`() {
    let fields = [
      field("freeRefreshLimit", "0"), field("freeRefreshLimit", "9", .remoteConfig),
    ]
    let setting = resolve(.refreshLimit, fields)
    #expect(setting?.value == 2)
    #expect(
      setting?.warning
        == "freeRefreshLimit in app-settings is not above 0 ('0'); the default 2 is used.")
  }

  @Test(arguments: ["0", "-1"])
  func `zero or less switches the new-user grace off, without a warning`(text: String) {
    let setting = resolve(.newUserFreePeriod, [field("newUserFreePeriodSeconds", text)])
    #expect(setting?.value == 0)
    #expect(setting?.source == .appSettings)
    #expect(setting?.warning == nil)
  }

  @Test(arguments: [SettingKey.ratingThreshold, .ratingMaxPrompts])
  func `rating numbers may be 0; below that the default stands in`(key: SettingKey) {
    let rule = key.descriptor
    let zero = resolve(key, [field(rule.wireNames[0], "0")])
    #expect(zero?.value == 0)
    #expect(zero?.warning == nil)
    let negative = resolve(key, [field(rule.wireNames[0], "-1")])
    #expect(negative?.value == rule.builtIn)
    #expect(negative?.warning?.contains("is below 0") == true)
  }

  @Test func `a number beyond 32 bits is lowered to the largest, with a warning`() {
    let most = resolve(.refreshLimit, [field("freeRefreshLimit", "2147483647")])
    #expect(most?.value == 2_147_483_647)
    #expect(most?.warning == nil)
    let tooLarge = [
      "2147483648", "9223372036854775807", "9223372036854775808", "99999999999999999999", "1e+20",
      "1e+300", String(repeating: "9", count: 400),
    ]
    for text in tooLarge {
      let more = resolve(.refreshLimit, [field("freeRefreshLimit", text)])
      #expect(more?.value == 2_147_483_647)
      #expect(more?.source == .appSettings)
      #expect(more?.warning?.contains("above 2147483647") == true)
    }
  }

  @Test(arguments: ["-9223372036854775809", "-1e+20"])
  func `a number below 64 bits is below 0`(text: String) {
    let limit = resolve(.refreshLimit, [field("freeRefreshLimit", text)])
    #expect(limit?.value == 2 && limit?.warning?.contains("is not above 0") == true)
    let grace = resolve(.newUserFreePeriod, [field("newUserFreePeriodSeconds", text)])
    #expect(grace?.value == 0 && grace?.warning == nil)
  }

  @Test func `messages and conversations are limited once a limit is named`() {
    let none = SettingsRule.resolve(fetched: [field("freeMessagesCooldownSeconds", "30")])
    #expect(none.limit(of: .message) == nil)
    let both = SettingsRule.resolve(
      fetched: [field("freeMessagesLimit", "6"), field("freeMessagesCooldownSeconds", "30")])
    #expect(both.limit(of: .message) == FeatureLimit(limit: 6, cooldownSeconds: 30))
    #expect(both.limit(of: .conversation) == nil)
    let limitOnly = SettingsRule.resolve(fetched: [field("freeConversationsLimit", "6")])
    #expect(limitOnly.limit(of: .conversation) == FeatureLimit(limit: 6, cooldownSeconds: 120))
    let bad = SettingsRule.resolve(fetched: [field("freeMessagesLimit", "0")])
    #expect(bad.limit(of: .message) == nil)
    #expect(bad[.messageLimit]?.warning?.contains("the feature is not limited") == true)
    let badCooldown = SettingsRule.resolve(
      fetched: [field("freeMessagesLimit", "5"), field("freeMessagesCooldownSeconds", "abc")])
    #expect(badCooldown.limit(of: .message) == FeatureLimit(limit: 5, cooldownSeconds: 120))
    #expect(
      badCooldown[.messageCooldown]?.warning
        == "freeMessagesCooldownSeconds in app-settings is not an integer ('abc'); "
        + "the default 120 is used.")
    let badBoth = SettingsRule.resolve(
      fetched: [field("freeMessagesLimit", "0"), field("freeMessagesCooldownSeconds", "abc")])
    #expect(badBoth.limit(of: .message) == nil)
    #expect(badBoth[.messageCooldown]?.warning?.contains("the feature is not limited") == true)
  }

  @Test func `fields that belong to no setting change nothing`() {
    let settings = SettingsRule.resolve(fetched: [field("somethingElse", "5")])
    #expect(settings == SettingsRule.resolve(fetched: []))
  }

  @Test func `every source that names a setting is listed, the strongest first, by winning name`() {
    let fields = [
      field("freeTrialEndsAtSeconds", "60"), field("newUserFreePeriodSeconds", "abc"),
      field("freeTrialEndsAtSeconds", "30", .remoteConfig), field("freeRefreshLimit", "1"),
    ]
    let candidates = SettingsRule.candidates(
      for: .newUserFreePeriod, fetched: fields, workspace: [.newUserFreePeriod: "5"])
    #expect(candidates.map(\.source) == [.workspace, .appSettings, .remoteConfig])
    #expect(candidates.map(\.text) == ["5", "abc", "30"])
    #expect(
      candidates.map(\.name) == [
        "newUserFreePeriodSeconds", "newUserFreePeriodSeconds", "freeTrialEndsAtSeconds",
      ])
    #expect(SettingsRule.candidates(for: .staleness, fetched: fields) == [])
  }

  @Test func `what belongs to no setting is unknown, and nothing else`() {
    let fields = SettingDescriptor.all.flatMap(\.wireNames).map { field($0, "1") }
    let other = field("welcomeText", "Hi")
    #expect(SettingsRule.unknown(fields + [other]) == [other])
  }

  @Test(
    arguments: [
      ("5", 5), ("+5", 5), ("05", 5), ("5.0", 5), ("5.000", 5), ("-3.0", nil), ("5.", nil),
      (".0", nil), ("5.01", nil), ("5.5", nil), ("1e3", nil), ("true", nil),
      ("null", nil), ("٥", nil), (" 5", nil), ("5 s", nil),
    ] as [(String, Int?)])
  func `a number is one however its source wrote it, and nothing else is`(
    text: String, expected: Int?
  ) {
    let setting = resolve(.refreshLimit, [field("freeRefreshLimit", text)])
    #expect(setting?.value == expected ?? 2)
    #expect((setting?.warning == nil) == (expected != nil))
  }
}
