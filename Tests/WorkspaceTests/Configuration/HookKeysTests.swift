import Fixtures
import JobsTesting
import Model
import Testing

@testable import Jobs
@testable import Workspace

/// The hooks in job files and in `firetally.yml`.
struct HookKeysTests {
  private func hooks(_ text: String) throws(ConfigurationError) -> JobHooks? {
    let text = "kind: settle\nhooks:\n  \(text)\n"
    return try JobFiles.jobs(in: [SourceFile(path: "jobs/a.yml", text: text)]).first?.hooks
  }

  private func messages(_ text: String) -> [String] {
    do {
      _ = try hooks(text)
      return []
    } catch {
      return error.problems.map(\.message)
    }
  }

  @Test func `every key of a hook is read`() throws {
    let hook = try hooks(
      """
      on_failure:
          ping: https://h/{job}
          body: slack
          healthchecks: true
          timeout: 5m
          retries: 5
          once_per_outage: true
      """)
    #expect(
      hook?[.onFailure]
        == Hook(
          action: .ping(url: "https://h/{job}"), body: .slack, isCheck: true,
          timeout: .seconds(300),
          retries: 5, isOncePerOutage: true))
  }

  @Test func `a plain hook is what it was: one GET request of 30 seconds`() throws {
    let hook = try hooks("on_start: {ping: 'https://h'}")?[.onStart]
    #expect(hook == .ping(url: "https://h"))
    #expect(hook?.body == Hook.Body.none && hook?.retries == 0 && hook?.timeout == .seconds(30))
  }

  @Test func `a check posts text unless the file says otherwise`() throws {
    let hook = try hooks("on_start: {ping: 'https://h', healthchecks: true}")?[.onStart]
    #expect(hook?.body == .text)
    let silent = try hooks("on_start: {ping: 'https://h', healthchecks: true, body: none}")
    #expect(silent?[.onStart]?.body == Hook.Body.none)
  }

  @Test func `none switches an event off`() throws {
    let hooks = try hooks("on_failure: none")
    #expect(hooks?[.onFailure] == nil && hooks?.silent == [.onFailure])
    let defaults = JobHooks(hooks: [.onStart: .command("a"), .onFailure: .command("b")])
    #expect(
      hooks?.inheriting(defaults)
        == JobHooks(hooks: [.onStart: .command("a")], silent: [.onFailure]))
  }

  @Test(arguments: [
    ("on_start: {ping: 'https://h', timeout: 6m}", "a time from 1s to 5m"),
    ("on_start: {ping: 'https://h', timeout: 0s}", "a time from 1s to 5m"),
    ("on_start: {ping: 'https://h', retries: 6}", "an integer from 0 to 5"),
    ("on_start: {ping: 'https://h', retries: -1}", "an integer from 0 to 5"),
    ("on_start: {ping: 'https://h', body: json}", "must be one of none, text, slack"),
    ("on_start: {ping: 'https://h', once_per_outage: true}", "on_failure and on_success only"),
    ("on_start: {command: a, healthchecks: true}", "goes with 'ping' only"),
    ("on_start: {command: a, body: slack}", "goes with 'ping' only"),
    ("on_start: [none]", "must be a mapping"), ("on_start: never", "must be a mapping"),
  ])
  func `a wrong hook is one problem`(text: String, message: String) {
    #expect(messages(text).count == 1)
    #expect(messages(text).first?.contains(message) == true)
  }

  @Test func `the hook of a kind goes once at each of its events`() {
    let text = "kind: settle\non_reset: {ping: 'https://h', once_per_outage: true}\n"
    let error = #expect(throws: ConfigurationError.self) {
      try JobFiles.jobs(in: [SourceFile(path: "jobs/a.yml", text: text)])
    }
    #expect(error?.problems.map(\.keyPath) == ["on_reset.once_per_outage"])
  }

  @Test func `firetally yml has the hooks of all jobs`() throws {
    let config = try WorkspaceConfig(
      parsing: SourceFile(
        path: "firetally.yml",
        text: """
          app: {name: Chat, bundle_id: com.a.b}
          hooks: {on_failure: {command: tell}}
          """))
    #expect(config.hooks == JobHooks(hooks: [.onFailure: .command("tell")]))
  }

  @Test(arguments: [
    "docs/messages.md", "docs/summary.md", "docs/running.md", "docs/configuration.md",
  ])
  func `every hook of the manual is valid`(page: String) throws {
    let text = try SourceTree.text(of: page)
    let blocks = text.matches(of: /```yaml\n((?:[^`]|\n)*?)```/).map { String($0.output.1) }
    let recipes = blocks.filter { $0.hasPrefix("hooks:") || $0.contains("\nhooks:") }
    #expect(!recipes.isEmpty)
    for recipe in recipes {
      #expect(throws: Never.self, "\(recipe)") {
        try WorkspaceConfig(
          parsing: SourceFile(
            path: "firetally.yml", text: "app: {name: Chat, bundle_id: com.a.b}\n\(recipe)"),
          variables: [
            "SLACK_WEBHOOK": "https://h/x", "NTFY_TOPIC": "t", "HC_PING_KEY": "k",
            "FIREBASE_PROJECT": "p",
          ])
      }
    }
  }
}
