import Emulator
import Firestore
import Foundation
import Model
import Store
import StoreTesting
import Testing

@Suite struct RemoteConfigTests {
  private static let enabled = """
    app: {name: Chat, bundle_id: com.peppty.ChatApp}
    firestore: {project: demo}
    remote_config: {enabled: true}
    """

  private func publish(_ limit: String, on workspace: TemporaryWorkspace) throws {
    let template = """
      {"parameters": {"freeMessagesLimit": {"defaultValue": {"value": "\(limit)"}}}}
      """
    workspace.server.remoteConfig.publish(
      try JSON(parsing: Array(template.utf8)), project: "demo")
  }

  private func values(in workspace: TemporaryWorkspace) throws -> [String] {
    try workspace.store().read { try $0.fetchedSettings(from: .remoteConfig) }.map {
      "\($0.wireName)=\($0.rawValue)"
    }
  }

  private func run(
    _ workspace: TemporaryWorkspace
  ) async throws -> (status: Int32, warnings: [String]) {
    let result = try await workspace.run("run", "settings")
    let run = try #require(try workspace.store().read { try $0.lastRuns() }["settings"])
    return (result.status, run.warnings)
  }

  @Test
  func `the template's values are kept as a source of their own, and again when unchanged`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(Self.enabled, to: "firetally.yml")
    try publish("7", on: workspace)
    for _ in 0..<2 {
      #expect(try await run(workspace).status == 0)
      #expect(try values(in: workspace) == ["freeMessagesLimit=7"])
    }
    try publish("8", on: workspace)
    #expect(try await run(workspace).status == 0)
    #expect(try values(in: workspace) == ["freeMessagesLimit=8"])
  }

  @Test
  func `conditional values are listed and warned of, never in force, gone with the template`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(Self.enabled, to: "firetally.yml")
    let template = """
      {"conditions": [{"name": "beta", "expression": "percent <= 10"}],
       "parameters": {"freeMessagesLimit": {"defaultValue": {"value": "7"},
         "conditionalValues": {"beta": {"value": "99"}}}}}
      """
    workspace.server.remoteConfig.publish(
      try JSON(parsing: Array(template.utf8)), project: "demo")
    for _ in 0..<2 {
      let result = try await run(workspace)
      #expect(result.status == 0)
      #expect(
        result.warnings.contains { $0.contains("freeMessagesLimit; conditions: beta") })
      #expect(try values(in: workspace) == ["freeMessagesLimit=7"])
    }
    let shown = try await workspace.run("settings", "show").output
    #expect(shown.contains("NOT EVALUATED") && shown.contains("percent <= 10"))
    let lines = try await workspace.run("settings", "show", "--json").output
    #expect(
      lines.contains(
        #"{"condition":"beta","expression":"percent <= 10","message_type":"conditional_setting","#
          + #""name":"freeMessagesLimit","value":"99"}"#))
    try publish("8", on: workspace)
    #expect(try await run(workspace).warnings.isEmpty)
    #expect(try await !workspace.run("settings", "show").output.contains("NOT EVALUATED"))
  }

  @Test
  func `a rollout is listed and warned of with its kind, value and share, and never in force`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(Self.enabled, to: "firetally.yml")
    let template = """
      {"parameters": {"freeMessagesLimit": {"defaultValue": {
         "rolloutValue": {"rolloutId": "r1", "value": "7", "percent": 100}}},
       "freeMessagesCooldownSeconds": {"defaultValue": {"value": "60.0"}}}}
      """
    workspace.server.remoteConfig.publish(
      try JSON(parsing: Array(template.utf8)), project: "demo")
    let result = try await run(workspace)
    #expect(result.warnings.contains { $0.contains("freeMessagesLimit (rollout 100 %: 7)") })
    #expect(try values(in: workspace) == ["freeMessagesCooldownSeconds=60.0"])
    let shown = try await workspace.run("settings", "show").output
    #expect(shown.contains("freeMessagesLimit  7      rollout 100 %  -"))
    let lines = try await workspace.run("settings", "show", "--json").output
    #expect(
      lines.contains(
        #"{"expression":"","kind":"rollout","message_type":"conditional_setting","#
          + #""name":"freeMessagesLimit","percent":100,"value":"7"}"#))
    #expect(lines.contains(#""key":"message.cooldown""#) && lines.contains(#""value":60"#))
  }

  @Test
  func `without the app's own document, both settings show and the run name what is in force`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 0)
    try workspace.write(
      Self.enabled.replacing("com.peppty.ChatApp", with: "com.none"), to: "firetally.yml")
    let before = try await workspace.run("settings", "show")
    #expect(before.errors.contains("was fetched: the defaults are in force. Fetch it with"))
    try publish("7", on: workspace)
    let warnings = try await run(workspace).warnings
    #expect(
      warnings.contains { $0.contains("not exist: Remote Config and the defaults are in force") })
    let shown = try await workspace.run("settings", "show")
    #expect(shown.output.contains("remote-config"))
    #expect(
      shown.errors.contains("was fetched: Remote Config and the defaults are in force. Fetch it"))
    try workspace.set("refresh.limit: 9")
    #expect(
      try await workspace.run("settings", "show").errors.contains(
        "firetally.yml, Remote Config and the defaults are in force"))
  }

  @Test
  func `a template that cannot be read is a warning, and its last values stay`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(Self.enabled, to: "firetally.yml")
    try publish("7", on: workspace)
    _ = try await run(workspace)
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "remoteConfig")
    let result = try await run(workspace)
    #expect(result.status == 3)
    #expect(result.warnings.contains { $0.hasPrefix("Remote Config could not be read") })
    #expect(try values(in: workspace) == ["freeMessagesLimit=7"])
  }

  @Test func `a token that is refused once is replaced, and the template read`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(Self.enabled, to: "firetally.yml")
    try publish("7", on: workspace)
    workspace.server.inject(.status(.unauthenticated), times: 1, matching: "remoteConfig")
    #expect(try await run(workspace).status == 0)
    #expect(try values(in: workspace) == ["freeMessagesLimit=7"])
    workspace.server.inject(.status(.unauthenticated), times: 2, matching: "remoteConfig")
    #expect(try await run(workspace).status == 3)
  }

  @Test
  func `a workspace that does not read it asks for none and drops what it had`() async throws {
    let workspace = try await TemporaryWorkspace()
    let configuration = Self.enabled
    try workspace.write(configuration, to: "firetally.yml")
    try publish("7", on: workspace)
    _ = try await run(workspace)
    let asked = workspace.server.requests.filter { $0.path.hasSuffix("remoteConfig") }.count
    #expect(asked == 1)
    try workspace.write(configuration.replacing("true", with: "false"), to: "firetally.yml")
    #expect(try await run(workspace).status == 0)
    #expect(try values(in: workspace).isEmpty)
    #expect(
      workspace.server.requests.filter { $0.path.hasSuffix("remoteConfig") }.count == asked)
  }
}
