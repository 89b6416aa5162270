import Model
import Testing

@testable import Jobs
@testable import Workspace

/// A secret in the wrong place is never repeated: docs/configuration.md#what-messages-show.
@Suite struct SecretMistakeTests {
  /// No part of a message of ours, in any case.
  private static let marker = "h2nterMARK"
  private static let number = "73518264"

  /// What people write where something else is expected, as YAML inside of braces.
  private static let mistakes = [
    marker, number, "-\(number)", "\"\(marker) x\"", "\"\(marker)\\nx\"", "\"\(marker)://h\"",
    "https://h.example/\(marker)", "http://h.example/\(marker)", "htps://h.example/\(marker)",
    "\"smtp://u:\(marker)@h.example:587\"", "\"smtp://u:\(marker)/x@h\"", "smtps://\(marker)@h",
    "\"https://u:\(marker)@h.example/x\"", "\"mail:\(marker)\"", "[\(marker)]", "[\(number)]",
    "[\"https://u:\(marker)@h\"]", "[{\(marker): 1}]", "{\(marker)}", "{\(marker): 1}",
    "{\"smtp://u:\(marker)@h\"}", "{url: \"smtp://u:\(marker)@h\"}", "{url: \(number)}",
    "{password: \(marker)}", "{user: [\(marker)]}", "{ping: \(marker)}", "{command: [\(marker)]}",
    "{body: \(marker)}", "{healthchecks: \(marker)}", "{ping: \"http://h/\(marker)\"}",
    "{pong: \(marker)}", "{\(marker), \(marker)}", "{\(marker): 1, \(marker): 2}",
    "\"${\(marker)\"", "\"${no-\(marker)}\"", "\"${UNSET:-https://u:\(marker)@h}\"",
    "\"${UNSET:-\(marker)}\"", "\"x${SET}\"", "!\(marker) x", "*\(marker)", "&a \(marker)",
    "\(marker): x", "'\(marker)", "@\(marker)", "`\(marker)`", "%\(marker)",
  ]

  /// The dotted paths of keys whose values no message shows.
  private static func paths(of keys: [ConfigurationKey]) -> [[String]] {
    keys.flatMap { key -> [[String]] in
      guard !key.form.isPublic else { return [] }
      return [[key.name]] + paths(of: key.form.keys ?? []).map { [key.name] + $0 }
    }
  }

  /// `smtp: {url: VALUE}`.
  private static func line(_ path: [String], _ value: String) -> String {
    let inner = path.dropFirst().reversed().reduce(value) { "{\($1): \($0)}" }
    // The app has to have the rest, too.
    guard path[0] == "app", path.count == 2 else { return "\(path[0]): \(inner)" }
    return "app: {name: A, bundle_id: a.b, \(path[1]): \(value)}"
  }

  private static let variables: VariableExpansion.Variables = ["SET": marker]

  private func expectSilence(_ told: String, _ text: String) {
    let told = told.lowercased()
    #expect(!told.contains(Self.marker.lowercased()), "\(text)")
    #expect(!told.contains(Self.number), "\(text)")
  }

  /// Returns whether the text was refused.
  @discardableResult
  private func check(job text: String) -> Bool {
    let catalog = JobFiles.catalog(
      of: [SourceFile(path: "jobs/a.yml", text: text)], variables: Self.variables)
    for job in catalog.broken { expectSilence("\(job.error)", text) }
    return !catalog.broken.isEmpty
  }

  @discardableResult
  private func check(configuration text: String) -> Bool {
    do {
      _ = try WorkspaceConfig(
        parsing: SourceFile(path: "firetally.yml", text: text), variables: Self.variables)
      return false
    } catch {
      expectSilence("\(error)", text)
      return true
    }
  }

  @Test func `secrets may stand under these keys`() {
    let ofConfiguration = Self.paths(of: WorkspaceConfig.keys).map { $0.joined(separator: ".") }
    for key in [
      "app.app_store_url", "firestore.base_url", "firestore.token_command", "firestore.credentials",
      "moments.base_url", "moments.token_env", "moments.token_file", "analytics.api_secret_env",
      "analytics.api_secret_file", "analytics.app_instance_id", "backup.encrypt", "backup.decrypt",
      "backup.contacts_key", "hooks.on_failure", "hooks.on_failure.ping", "hooks.on_start.command",
      "hooks.on_success.healthchecks", "notify", "notify.ping", "geo.base_url", "reviews.base_url",
    ] { #expect(ofConfiguration.contains(key), "\(key)") }
    let ofDigest = Self.paths(of: DigestOptions.keys).map { $0.joined(separator: ".") }
    for key in [
      "smtp", "smtp.url", "smtp.user", "smtp.password_env", "smtp.password_file",
      "smtp.password_command", "command",
    ] { #expect(ofDigest.contains(key), "\(key)") }
  }

  @Test func `no mistake under a key of firetally_yml repeats what stands there`() {
    var refused = 0
    for path in Self.paths(of: WorkspaceConfig.keys) {
      for mistake in Self.mistakes {
        let line = Self.line(path, mistake)
        let text = path[0] == "app" ? line : "app: {name: A, bundle_id: a.b}\n\(line)"
        if check(configuration: text + "\n") { refused += 1 }
      }
    }
    #expect(refused > 1_000)
  }

  @Test func `no mistake under a key of a job repeats what stands there`() {
    var refused = 0
    for type in JobRegistry.all {
      let isDigest = type.kind == DigestOptions.kind
      for path in Self.paths(of: type.keys + (isDigest ? JobFile.commonKeys : [])) {
        for mistake in Self.mistakes {
          let text = "kind: \(type.kind.rawValue)\n\(Self.line(path, mistake))\n"
          if check(job: text) { refused += 1 }
        }
      }
    }
    #expect(refused > 800)
  }

  @Test func `nor does one under a key that nobody knows, or in the place of a mapping`() {
    let marker = Self.marker
    for name in ["password", "token", "smtp_password", "api_secret", "Authorization", "headers"] {
      for value in Self.mistakes {
        check(job: "kind: digest\nto: a@b.example\n\(name): \(value)\n")
        check(job: "kind: digest\nto: a@b.example\nsmtp: {url: 'smtp://h', \(name): \(value)}\n")
        check(configuration: "app: {name: A, bundle_id: a.b}\n\(name): \(value)\n")
        check(configuration: "app: {name: A, bundle_id: a.b}\nmoments: {\(name): \(value)}\n")
      }
    }
    for text in [
      marker, "\"smtp://u:\(marker)@h\"", "- \(marker)", "smtp: {url: \(marker)", "\t\(marker)",
    ] {
      #expect(check(job: text + "\n"))
      #expect(check(configuration: text + "\n"))
    }
    #expect(check(job: "kind: digset\nsmtp: \"smtps://u:\(marker)@h\"\nhooks: \(marker)\n"))
    #expect(check(job: "kind: \"smtps://u:\(marker)@h\"\nneeds: [\"https://u:\(marker)@h\"]\n"))
    #expect(check(job: "kind: settle\nschedule: \"https://u:\(marker)@h\"\n"))
  }

  @Test func `what is public is still told`() {
    let catalog = JobFiles.catalog(
      of: [
        SourceFile(
          path: "jobs/a.yml",
          text: "kind: settle\ntimeout: soon\nneeds: 5\n"
            + "hooks: {on_failure: {timeout: 6m}}\npassword: x\n")
      ])
    let told = "\(catalog.broken.map(\.error))"
    #expect(told.contains("not the text 'soon'") && told.contains("not the integer 5"))
    #expect(told.contains("not the text '6m'"))
    #expect(told.contains("password: unknown key."))
  }
}
