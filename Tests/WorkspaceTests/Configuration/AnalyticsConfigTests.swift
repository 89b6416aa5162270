import Testing

@testable import Workspace

struct AnalyticsConfigTests {
  private static let id = "0123456789abcdef0123456789ABCDEF"

  private func config(_ section: String) throws -> AnalyticsConfig? {
    try WorkspaceConfig(
      parsing: SourceFile(
        path: "firetally.yml", text: "app: {name: A, bundle_id: a.b}\nanalytics: {\(section)}\n")
    ).analytics
  }

  private func problems(_ section: String) throws -> String {
    do {
      _ = try config(section)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `without the section events stay in the ledger`() throws {
    #expect(try config("") == nil)
  }

  @Test func `a whole section names app, installation and where the secret is`() throws {
    let config = try #require(
      try config("firebase_app_id: '1:2:ios:3', app_instance_id: \(Self.id), api_secret_env: S"))
    #expect(config.firebaseAppId == "1:2:ios:3")
    #expect(config.appInstanceId == Self.id)
    #expect(config.apiSecret == .environment(variable: "S"))
    #expect(config.baseURL == "https://www.google-analytics.com")
  }

  @Test func `everything that is missing is said at once`() throws {
    let text = try problems("base_url: 'https://region1.google-analytics.com'")
    for key in ["firebase_app_id", "app_instance_id", "api_secret_env"] {
      #expect(text.contains("analytics.\(key)"), "\(text)")
    }
  }

  @Test(arguments: [
    ("app_instance_id: '12'", "app_instance_id"), ("api_secret_env: 'a b'", "api_secret_env"),
    ("api_secret_env: A, api_secret_file: b", "api_secret_file"),
    ("base_url: 'http://example.com'", "base_url"), ("api_secret: x", "api_secret"),
  ])
  func `what is wrong is named`(section: String, key: String) throws {
    #expect(try problems(section).contains("analytics.\(key)"))
  }
}
