import Testing

@testable import Workspace
@testable import Model

struct WorkspaceConfigTests {
  private static let app = "app: {name: ChatHub, bundle_id: com.peppty.ChatApp}\n"

  private func config(_ text: String) throws(ConfigurationError) -> WorkspaceConfig {
    try WorkspaceConfig(parsing: SourceFile(path: "firetally.yml", text: text))
  }

  private func messages(_ text: String) -> [String] {
    do {
      _ = try config(text)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test func `the name in keys is legal, or one's own, or asked for`() throws {
    func keyName(_ keys: String) throws -> String {
      try config("app: {bundle_id: com.example.app, \(keys)}\n").app.keyName
    }
    #expect(try keyName("name: My Chat & Friends Forever App") == "MyChatFriendsForeverA")
    #expect(try keyName("name: 聊天, key_name: Chat_7") == "Chat_7")
    #expect(
      messages("app: {name: 聊天, bundle_id: com.example.app}\n") == [
        "firetally.yml:1:13: app.name: has no letter from A to Z and no digit for the keys of "
          + "rating events; add key_name, 'key_name: ChatHub'"
      ])
    #expect(messages("app: {name: A, key_name: a b, bundle_id: com.example.app}\n").count == 1)
  }

  @Test func `what is left out takes its default`() throws {
    #expect(try config(Self.app).app.platform(counting: nil) == "ios")
    #expect(try config(Self.app).app.platform(counting: .android) == "android")
    #expect(try config(Self.app).app.platform(counting: .all) == nil)
    let config = try config(Self.app)
    #expect(config.app.name == "ChatHub")
    #expect(config.app.bundleId == "com.peppty.ChatApp")
    #expect(config.app.platform == .ios)
    #expect(config.app.appStoreURL == nil)
    #expect(
      config.firestore
        == FirestoreConfig(
          project: nil, database: "(default)", baseURL: "https://firestore.googleapis.com",
          tokenCommand: nil, credentialsPath: nil, caFile: nil))
    #expect(!config.usesRemoteConfig)
    #expect(config.settings.isEmpty)
    #expect(config.prices.isEmpty)
    #expect(config.timeZone == "UTC")
    #expect(config.cost == CostConfig(documentPrice: .example, maxReadsPerDay: nil))
    #expect(config.geoBaseURL == "http://www.geoplugin.net")
    #expect(config.moments == MomentsConfig(baseURL: nil, token: MomentsConfig().token))
  }

  @Test func `every key is read`() throws {
    let config = try config(
      """
      app:
        name: Uplift
        bundle_id: com.example.uplift
        platform: android
        app_store_url: https://apps.apple.com/app/id1
      firestore:
        project: my-project
        database: other
        base_url: https://firestore.example.com
        token_command: gcloud auth print-access-token
        credentials: key.json
        ca_file: /etc/ssl/ca.pem
      remote_config: {enabled: true}
      settings: {refresh.limit: 5, onlineUsersStaleSeconds: 60}
      prices: {lite: $2.99/week, plus: "5 €", pro: ask}
      time_zone: Europe/Berlin
      cost: {per_100k_reads: 0.03, currency: EUR, max_reads_per_day: 50000}
      geo: {base_url: "http://geo.example.com"}
      moments: {base_url: "https://moments.example.com", token_file: moments.token}
      """)
    #expect(config.app.platform == .android)
    #expect(config.app.appStoreURL == "https://apps.apple.com/app/id1")
    #expect(
      config.firestore
        == FirestoreConfig(
          project: "my-project", database: "other", baseURL: "https://firestore.example.com",
          tokenCommand: "gcloud auth print-access-token", credentialsPath: "key.json",
          caFile: "/etc/ssl/ca.pem"))
    #expect(config.usesRemoteConfig)
    #expect(config.settings == [.refreshLimit: 5, .staleness: 60])
    #expect(config.prices == [.lite: "$2.99/week", .plus: "5 €", .pro: "ask"])
    #expect(config.timeZone == "Europe/Berlin")
    let cost = CostConfig(
      documentPrice: ReadPrice(per100kReads: 0.03, currency: "EUR"), maxReadsPerDay: 50_000)
    #expect(config.cost == cost)
    #expect(config.geoBaseURL == "http://geo.example.com")
    #expect(
      config.moments
        == MomentsConfig(
          baseURL: "https://moments.example.com", token: .file(path: "moments.token")))
  }

  @Test func `all problems are told at once, each with line, column and key`() {
    let text = """
      app:
        name: 2048
        bundle_id: com/example
      firestor:
        project: demo
      time_zone: Mars/Base
      prices: {free: nothing}
      """
    #expect(
      messages(text) == [
        "firetally.yml:2:9: app.name: must be text, not the integer 2048; put it in quotes",
        "firetally.yml:3:14: app.bundle_id: must be a bundle id such as com.example.app, "
          + "not the text 'com/example'",
        "firetally.yml:4:1: firestor: unknown key. Did you mean 'firestore'?",
        "firetally.yml:6:12: time_zone: must be an IANA time zone such as Europe/Berlin, "
          + "or UTC, not the text 'Mars/Base'",
        "firetally.yml:7:10: prices.free: unknown key.",
      ])
  }

  @Test(arguments: [
    ("com.a", true), ("com.a-b_1.C", true), ("com", false), ("..", false), (".a", false),
    ("a.", false), ("a..b", false), ("__a.b__", false), ("a/b.c", false), ("", false),
  ])
  func `a bundle id has parts between its dots`(text: String, isOne: Bool) {
    #expect(AppConfig.isBundleId(text) == isOne)
  }

  @Test func `name and bundle id must be there`() {
    #expect(
      messages("time_zone: UTC\n") == [
        "firetally.yml:1:1: app.name: is missing; write the app's name, 'name: ChatHub'",
        "firetally.yml:1:1: app.bundle_id: is missing; write the app's bundle id, "
          + "'bundle_id: com.example.app'",
      ])
  }

  @Test(arguments: ["app", "firestore", "remote_config", "prices", "cost", "geo", "moments"])
  func `an unknown key of a section is a problem`(section: String) {
    let text =
      section == "app"
      ? Self.app.replacing("}", with: ", zzz: 1}") : Self.app + "\(section): {zzz: 1}\n"
    let expected = "\(section).zzz: unknown key."
    #expect(messages(text).count == 1)
    #expect(messages(text).first?.contains(expected) == true)
  }

  @Test(arguments: [
    "firestore: {base_url: 'http://firestore.example.com'}", "firestore: {project: a/b}",
    "firestore: {database: a/b}", "moments: {base_url: 'http://example.com'}",
    "geo: {base_url: example.com}", "remote_config: {enabled: yes}", "remote_config: true",
    "cost: {currency: euro}", "cost: {per_100k_reads: free}", "cost: {per_100k_reads: -1}",
    "cost: {max_reads_per_day: 0}", "cost: {max_reads_per_day: 1000000001}", "time_zone: Berlin",
    "settings: {refresh.limit: '5'}", "settings: {refresh.limit: 1.5}", "settings: [1]",
    "prices: {lite: 2.99}",
  ])
  func `a value of the wrong type or form is one problem`(text: String) {
    #expect(messages(Self.app + text + "\n").count == 1)
  }

  @Test func `an unknown setting suggests the known one`() {
    #expect(
      messages(Self.app + "settings:\n  refresh.limits: 5\n") == [
        "firetally.yml:3:3: settings.refresh.limits: unknown key. Did you mean 'refresh.limit'?"
      ])
  }

  @Test(
    arguments: SettingDescriptor.all.flatMap { rule in
      ([rule.key.rawValue] + rule.wireNames).map { ($0, rule.key) }
    })
  func `a setting goes by Firetally's name and by those of the app`(
    name: String, key: SettingKey
  ) throws {
    #expect(try config(Self.app + "settings: {\(name): 7}").settings == [key: 7])
  }

  @Test func `a setting named twice in different ways is a problem`() {
    #expect(
      messages(Self.app + "settings:\n  freeRefreshLimit: 7\n  refresh.limit: 8\n") == [
        "firetally.yml:4:18: settings.refresh.limit: sets 'refresh.limit' a second time; "
          + "keep one of the two"
      ])
  }

  @Test(arguments: [0, -1, .max])
  func `a setting's bounds are not this file's business`(value: Int) throws {
    let config = try config(Self.app + "settings: {refresh.limit: \(value)}")
    #expect(config.settings == [.refreshLimit: value])
  }
}
