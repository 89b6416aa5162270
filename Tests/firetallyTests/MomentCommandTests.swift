import Emulator
import Firestore
import Fixtures
import Foundation
import Model
import Store
import Testing

/// Moments through the built program, against the embedded service.
@Suite struct MomentCommandTests {
  private static let tomorrow = Instant(unixSeconds: 1_769_904_000)

  /// A workspace whose profile is signed in and whose program knows the service.
  private func workspace(token: String? = "t0ken") async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace(users: 0)
    try workspace.write(
      """
      app: {name: Chat, bundle_id: com.peppty.ChatApp}
      firestore: {project: demo}
      moments: {base_url: "http://\(workspace.server.address)", token_file: moments.token}
      """, to: "firetally.yml")
    if let token {
      try workspace.write(token + "\n", to: "moments.token")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600],
        ofItemAtPath: workspace.folder.appendingPathComponent("moments.token").path)
    }
    _ = try await workspace.run("profile", "set", "--user-id", "u1")
    return workspace
  }

  private func items(_ workspace: TemporaryWorkspace) throws -> [OutboxItem] {
    try workspace.store().read { try $0.outboxItems(kind: .moment, limit: 100).reversed() }
  }

  @Test
  func `a moment is queued offline, delivered by the shipped job, and listed with its fate`()
    async throws
  {
    let workspace = try await workspace()
    workspace.server.inject(.drop, times: nil)
    for text in ["I walked", "I called mum", "I slept", "I read", "I cooked"] {
      let added = try await workspace.run("moment", "add", text)
      #expect((added.status, added.output, added.errors) == (0, "", ""))
    }
    workspace.server.clearFaults()
    let run = try await workspace.run("run", "upload-feedback")
    #expect((run.status, run.errors.contains("moment")) == (0, false))
    #expect(
      workspace.server.moments.entries.map(\.moment.text) == [
        "I walked", "I called mum", "I slept",
      ])
    let list = try await workspace.run("moment", "list")
    #expect(list.output.contains("today    5 of 3 (2026-01-31)"))
    #expect(list.output.contains("in all   5 of 10"))
    #expect(
      list.output.contains(
        "parked     2026-01-31 08:00:00 +00:00      0  2026-02-01 00:00:00 +00:00"))
    #expect(list.output.contains("accepts no more today than 3"))
  }

  @Test
  func `a known limit refuses with the paywall and status 75, until the next day or an upgrade`()
    async throws
  {
    let workspace = try await workspace()
    for number in 1...4 { _ = try await workspace.run("moment", "add", "moment \(number)") }
    _ = try await workspace.run("run", "upload-feedback")
    let refused = try await workspace.run("moment", "add", "one more")
    #expect(refused.status == 75)
    #expect(
      refused.errors.hasPrefix(
        "firetally: Daily limit reached. Go premium to continue without interruptions.\n"
          + "The moments service says: The daily limit is reached.\n"
          + "Unlock up to 10 moments per day\n"))
    let json = try await workspace.run("moment", "add", "one more", "--json")
    #expect((json.status, json.output) == (75, ""))
    #expect(json.errors.contains(#""message_type":"error""#))
    let error = try #require(
      try JSONSerialization.jsonObject(with: Data(json.errors.utf8)) as? [String: Any])
    #expect(error["trigger"] as? String == "daily_limit_reached")
    #expect(
      error["banner"] as? String
        == "Daily limit reached. Go premium to continue without interruptions.")
    let paywall = try #require(error["paywall"] as? [String: Any])
    #expect(paywall["header"] as? String == "Unlock up to 10 moments per day")
    #expect(paywall["serverMessage"] as? String == "The daily limit is reached.")
    #expect((paywall["benefits"] as? [String])?.count == 3)
    #expect(try items(workspace).count == 4)
    let next = try await workspace.run("moment", "add", "tomorrow", at: Self.tomorrow)
    #expect(next.status == 0)
    let queued = try await workspace.run("moment", "add", "x", "--json", at: Self.tomorrow)
    #expect(
      queued.output.hasPrefix(#"{"banner":null,"message_type":"moment","moment":{"#)
        && queued.output.contains(#""paywall":null,"trigger":null}"#))
    _ = try await workspace.run("profile", "set", "--tier", "lite")
    #expect(try await workspace.run("moment", "add", "at once").status == 0)
    #expect(try items(workspace).map(\.state).filter { $0 == .queued }.count == 4)
  }

  @Test(arguments: ["", "  ", "long"])
  func `texts that cannot be end with 64 and store nothing`(text: String) async throws {
    let workspace = try await workspace()
    let text = text == "long" ? String(repeating: "a", count: 1_001) : text
    let result = try await workspace.run("moment", "add", text)
    #expect(result.status == 64)
    #expect(result.errors.contains("1000"))
    #expect(try items(workspace).isEmpty)
  }

  @Test
  func `a missing token or service keeps the moments, status 78; feedback goes all the same`()
    async throws
  {
    for isTokenMissing in [true, false] {
      let workspace = try await workspace(token: isTokenMissing ? " " : "t")
      if !isTokenMissing {
        try workspace.write(
          "app: {name: Chat, bundle_id: com.peppty.ChatApp}\nfirestore: {project: demo}\n",
          to: "firetally.yml")
      }
      _ = try await workspace.run("moment", "add", "a")
      _ = try await workspace.run("rating", "submit", "1", "--feedback", "The limits stop me")
      let result = try await workspace.run("run", "upload-feedback")
      #expect(result.status == 78)
      #expect(result.errors.contains(isTokenMissing ? "moments.token" : "moments.base_url"))
      #expect(try items(workspace).map(\.state) == [.queued])
      #expect(try workspace.deliveredFeedback().count == 1)
    }
  }

  @Test func `a Firestore that refuses does not hold up the moments`() async throws {
    let workspace = try await workspace()
    _ = try await workspace.run("moment", "add", "a")
    _ = try await workspace.run("rating", "submit", "1", "--feedback", "The limits stop me")
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "documents")
    #expect(try await workspace.run("run", "upload-feedback").status == 77)
    #expect(workspace.server.moments.entries.count == 1)
  }

  @Test func `the token is nowhere but in the request`() async throws {
    let workspace = try await workspace(token: "t0psecret")
    let file = workspace.folder.appendingPathComponent("moments.token").path
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    _ = try await workspace.run("moment", "add", "a")
    workspace.server.inject(.status(.unauthenticated), matching: "moments")
    let result = try await workspace.run("run", "upload-feedback", "--verbose")
    #expect(!(result.output + result.errors).contains("t0psecret"))
    #expect(result.errors.contains("chmod 600"))
    let database = try Data(contentsOf: workspace.folder.appending(path: "data/firetally.sqlite"))
    #expect(!String(decoding: database, as: UTF8.self).contains("t0psecret"))
    #expect(workspace.server.requests.last?.headers["x-app-token-code"] == "t0psecret")
  }

  @Test func `the paywall is shown as it is, or in a preview that changes nothing`() async throws {
    let workspace = try await workspace()
    let now = try await workspace.run("paywall", "show", "--json")
    #expect(
      now.output.contains(#""trigger":"manual""#) && now.output.contains(#""shouldShow":false"#))
    #expect(!now.output.contains("banner"))
    let preview = try await workspace.run("paywall", "show", "--trigger", "total_limit_reached")
    #expect(
      preview.output
        == """
        You've logged 10 moments. Go premium to keep celebrating your wins.
        Unlock up to 10 moments per day
          ★ up to 10 moments a day
          ★ unlimited total moments
          ★ full journey history
        Premium: Up to 10 moments per day, unlimited history
        Free: 3 moments per day, 10 total

        """)
    #expect(try await workspace.run("paywall", "show", "--trigger", "boredom").status == 64)
    #expect(try await workspace.run("moment", "add", "a").status == 0)
  }

  @Test
  func `a token that the service does not know ends with 77 and keeps the moments`() async throws {
    let workspace = try await workspace()
    _ = try await workspace.run("moment", "add", "a")
    for status in [200, 401, 403] {
      let server = try ScriptedServer { _ in
        .json(#"{"error":{"code":"INVALID_APP_TOKEN","message":"Who is this?"}}"#, status: status)
      }
      let program = BuiltProgram(environment: [
        "FIRESTORE_EMULATOR_HOST": workspace.server.address, "FIRETALLY_MOMENTS_URL": server.url,
      ])
      let result = try await program.run([
        "run", "upload-feedback", "-C", workspace.folder.path, "--now", "2026-01-31T08:00:00Z",
        "--verbose",
      ])
      #expect(result.status == 77, "\(status)")
      #expect(result.errors.contains("Who is this?"))
      #expect(try items(workspace).map(\.state) == [.queued])
    }
  }

  @Test
  func `a subscriber sees thanks in the offer's place, and the profile says what it may log`()
    async throws
  {
    let workspace = try await workspace()
    let free = try await workspace.run("profile", "show")
    #expect(free.output.contains("3 moments per day, 10 total"))
    _ = try await workspace.run("profile", "set", "--timeline-restricted")
    let restricted = try await workspace.run("paywall", "show", "--json")
    #expect(
      restricted.output.contains(#""trigger":"timeline_restricted""#)
        && restricted.output.contains(#""card":"offer""#)
        && restricted.output.contains(#""shouldShow":true"#))
    #expect(
      try await workspace.run("profile", "show", "--json").output
        .contains(#""isTimelineRestricted":true"#))
    #expect(try await workspace.run("moment", "add", "a").status == 0)
    _ = try await workspace.run("profile", "set", "--no-timeline-restricted")
    #expect(
      try await workspace.run("paywall", "show", "--json").output
        .contains(#""trigger":"manual""#))
    _ = try await workspace.run("tier", "set", "pro")
    #expect(
      try await workspace.run("paywall", "show").output == """
        Thank you for going premium!
        Up to 10 moments per day, unlimited history
          ★ up to 10 moments a day
          ★ unlimited total moments
          ★ full journey history

        """)
    #expect(
      try await workspace.run("paywall", "show", "--json").output
        .contains(#""card":"thank_you""#))
    #expect(
      try await workspace.run("profile", "show").output
        .contains("Up to 10 moments per day, unlimited history"))
    #expect(
      try await workspace.run("paywall", "show", "--trigger", "manual").output
        .hasPrefix("Unlock up to 10"))
  }

  @Test
  func `rejected items are queued again by ids or all together; unknown ids change nothing`()
    async throws
  {
    let workspace = try await workspace()
    for number in 1...3 { _ = try await workspace.run("moment", "add", "\(number)") }
    let path = workspace.folder.appending(path: "data/firetally.sqlite").path
    try Store.open(path: path).write { writer in
      for id in [1, 2] as [Int64] { try writer.reject(id: id, reason: "no") }
    }
    let unknown = try await workspace.run("outbox", "retry", "1", "9")
    #expect(unknown.status == 64)
    #expect(try items(workspace).map(\.state) == [.rejected, .rejected, .queued])
    #expect(try await workspace.run("outbox", "retry", "1", "1").status == 0)
    #expect(try items(workspace).map(\.state) == [.queued, .rejected, .queued])
    let all = try await workspace.run("outbox", "retry", "--all-rejected", "--json")
    #expect(all.output == #"{"ids":[2],"message_type":"outbox_retry"}"# + "\n")
    #expect(try items(workspace).map(\.state) == [.queued, .queued, .queued])
    #expect(try await workspace.run("outbox", "retry").status == 64)
    #expect(try await workspace.run("outbox", "retry", "1", "--all-rejected").status == 64)
    let list = try await workspace.run("outbox", "list", "--json", "--limit", "1")
    #expect(list.output.contains(#""message_type":"outbox_item""#))
    #expect(list.output.split(separator: "\n").count == 1)
    for command in ["outbox", "moment"] {
      let table = try await workspace.run(command, "list", "--limit", "2")
      #expect(table.output.contains("\nmore: --limit 20\n"))
    }
  }

  @Test func `killed at any point, the service has each moment once`() async throws {
    let workspace = try await workspace()
    for number in 1...3 { _ = try await workspace.run("moment", "add", "\(number)") }
    // Slow answers, so that the kills fall before, into and after the requests.
    workspace.server.inject(.delay(.milliseconds(30)), times: nil)
    for kill in 0..<8 {
      let later = TemporaryWorkspace.morning + .seconds(kill)
      let running = try workspace.start(["run", "upload-feedback"], at: later)
      try await Task.sleep(for: .milliseconds(20 + kill * 15))
      running.kill()
      _ = try await running.wait()
    }
    workspace.server.clearFaults()
    let later = TemporaryWorkspace.morning + .seconds(7_200)
    #expect(try await workspace.run("run", "upload-feedback", at: later).status == 0)
    #expect(try items(workspace).map(\.state) == [.delivered, .delivered, .delivered])
    #expect(workspace.server.moments.entries.map(\.moment.text).sorted() == ["1", "2", "3"])
  }
}
