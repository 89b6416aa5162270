import Foundation
import Testing

@testable import firetally

/// Secrets under wrong keys, in everything that the program prints and writes:
/// docs/configuration.md#what-messages-show.
@Suite struct SecretLeakTests {
  private static let marker = "h2nterMARK"

  private static let digest = "kind: digest\nto: a@b.example\nfrom: a@b.example\n"

  /// Job files and lines of `firetally.yml` with the marker where something else is expected.
  private static let jobs = [
    "smtp: {url: \"smtp://u:\(marker)@mail.invalid:587\"}\n", "smtp: \"smtps://u:\(marker)@h\"\n",
    "smtp: {url: smtp://127.0.0.1:1, user: u, password_env: \"\(marker) x\"}\n",
    "smtp: {url: smtp://127.0.0.1:1, user: u, password_env: \(marker)}\n",
    "smtp: {url: smtp://127.0.0.1:1, user: u, password_file: \(marker)}\n",
    "smtp: {url: smtp://127.0.0.1:1, user: u, password_command: \(marker)}\n",
    "smtp: {url: smtp://127.0.0.1:1, user: u, password_command: \"echo (\(marker)\"}\n",
    "command: \(marker)\n", "command: https://mail.invalid/\(marker)\n",
    "command: cat\nhooks: {on_failure: \"https://hooks.invalid/\(marker)\"}\n",
    "command: exit 1\nhooks: {on_failure: {command: \"https://hooks.invalid/\(marker)\"}}\n",
    "command: cat\nhooks: {on_start: {ping: \"http://hooks.invalid/\(marker)\"}}\n",
    "command: cat\nhooks: {on_start: {ping: \"https://127.0.0.1:1/\(marker)\"}}\n",
    "command: \"${\(marker)\"\n", "password: \(marker)\n", "smtp: {\(marker)}\n",
  ]

  private func expectSilence(of workspace: TemporaryWorkspace, _ what: String) throws {
    let marker = Array(Self.marker.utf8)
    let files = FileManager.default.enumerator(atPath: workspace.folder.path)
    while let name = files?.nextObject() as? String {
      // Where the operator wrote it.
      guard !["jobs/bad.yml", "firetally.yml"].contains(name), !name.contains("backup") else {
        continue
      }
      let url = workspace.folder.appendingPathComponent(name)
      guard let bytes = FileManager.default.contents(atPath: url.path) else { continue }
      #expect(Array(bytes).firstRange(of: marker) == nil, "\(name) of \(what)")
    }
  }

  @Test(arguments: jobs)
  func `a job's secret is in no output, file or database`(lines: String) async throws {
    let workspace = try await TemporaryWorkspace(users: 5)
    try workspace.add("notify: {command: \"cat >> told.txt\"}")
    try workspace.write(Self.digest + lines, to: "jobs/bad.yml")
    try workspace.write("kind: report\nanonymous: true\n", to: "jobs/report.yml")
    for command in [
      ["run", "bad", "-vv"], ["run", "--all"], ["run", "--due", "--log-format", "json"], ["report"],
      ["status"], ["status", "--json"], ["doctor", "--offline"], ["jobs"], ["plan"], ["incidents"],
      ["runs"], ["runs", "--json"], ["findings"], ["hooks", "test"], ["config", "show"],
      ["config", "show", "bad"],
    ] {
      let result = try await workspace.run(command)
      #expect(!(result.output + result.errors).contains(Self.marker), "\(command) \(lines)")
    }
    try expectSilence(of: workspace, lines)
  }

  @Test(arguments: [
    "notify: \"https://u:\(marker)@notify.invalid\"", "notify: \"http://notify.invalid/\(marker)\"",
    "notify: htps//notify.invalid/\(marker)", "hooks: {on_failure: \"https://h/\(marker)\"}",
    "moments: {base_url: https://127.0.0.1:1, token_file: \(marker)}",
    "moments: {base_url: https://127.0.0.1:1, token_env: \(marker)}",
    "moments: {base_url: \"http://moments.invalid/\(marker)\"}", "moments: \(marker)",
    "backup: {encrypt: \(marker), decrypt: \(marker)}",
    "analytics: {firebase_app_id: x, app_instance_id: \(marker), api_secret_env: \(marker)}",
  ])
  func `nor is one of firetally_yml`(lines: String) async throws {
    let workspace = try await TemporaryWorkspace(users: 5)
    _ = try await workspace.run("run", "settings")
    try workspace.add(lines)
    try workspace.write("kind: settle\nneeds: [nobody]\n", to: "jobs/broken.yml")
    for command in [
      ["run", "--all"], ["status"], ["doctor", "--offline"], ["jobs"], ["plan"], ["backup"],
      ["hooks", "test"], ["config", "show"], ["moment", "submit", "x"], ["incidents"],
    ] {
      let result = try await workspace.run(command)
      #expect(!(result.output + result.errors).contains(Self.marker), "\(command) \(lines)")
    }
    try expectSilence(of: workspace, lines)
  }

  @Test(arguments: [
    "firestore: {token_command: \(marker)}", "firestore: {credentials: '{\"k\": \"\(marker)\"}'}",
  ])
  func `nor is one of the credentials`(lines: String) async throws {
    let workspace = try await TemporaryWorkspace(users: 5)
    try workspace.write(
      "app: {name: A, bundle_id: a.b}\n\(lines)\n", to: "firetally.yml")
    let program = BuiltProgram()
    for command in [
      ["run", "settings"], ["doctor", "--offline"], ["config", "show"], ["status"],
    ] {
      let result = try await program.run(
        command + ["-C", workspace.folder.path, "--project", "p"])
      #expect(!(result.output + result.errors).contains(Self.marker), "\(command) \(lines)")
    }
    try expectSilence(of: workspace, lines)
  }
}
