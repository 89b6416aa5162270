import Fixtures
import Foundation
import JobsTesting
import Model
import Store
import StoreTesting
import Sync
import SyncTesting
import Testing

@testable import Firestore
@testable import App
@testable import Jobs
@testable import Workspace

/// What a job of kind sync-auth does, from its file to the tables, the reports and the limits.
struct SyncAuthTests {
  private func workspace(
    _ more: String = "", accounts: [Account] = []
  ) throws -> (workspace: TestWorkspace, port: ScriptedAccounts) {
    let workspace = try TestWorkspace(jobs: ["accounts": "kind: sync-auth\n\(more)"])
    let port = ScriptedAccounts(accounts)
    workspace.services.answerAccounts(with: port)
    return (workspace, port)
  }

  private func storedProfile(_ workspace: TestWorkspace) throws -> Profile {
    let session = try workspace.session()
    return try workspace.store.read { try session.profile(in: $0) }
  }

  private func run(_ workspace: TestWorkspace) async throws -> JobReport {
    try #require(try await workspace.run(.all).first)
  }

  /// The first column that a query of the stored data has.
  private func cells(_ workspace: TestWorkspace, _ sql: String) throws -> [String] {
    try SQLiteFile.text(workspace.folder.databasePath, sql)
  }

  private static func account(
    _ uid: String, claims: String? = nil, createdAt: Instant? = nil
  ) -> Account {
    var account = Account(uid: uid)
    account.email = "\(uid)@example.com"
    account.customAttributes = claims
    account.createdAt = createdAt.map { Timestamp(microseconds: $0.microseconds) }
    return account
  }

  @Test func `accounts become rows, with contacts under a key of the workspace's own`()
    async throws
  {
    let (workspace, _) = try workspace(accounts: [Self.account("u1"), Self.account("u2")])
    let report = try await run(workspace)
    #expect(report.run.outcome == .ok, "\(report)")
    #expect(report.summary == "2 accounts read: 2 new, 0 changed, 0 unchanged.")
    #expect(report.run.warnings.contains { $0.hasPrefix("Made the key data/contacts.key") })
    let path = workspace.folder.path("data/contacts.key")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let hashes = try cells(
      workspace, "SELECT DISTINCT email_hash FROM auth_users WHERE email IS NULL")
    #expect(hashes.count == 2)
    // The key stays, so nothing changes, and there is no warning about it again.
    let again = try await run(workspace)
    #expect(again.run.counts.unchanged == 2 && again.run.warnings.isEmpty)
  }

  @Test func `a job that hashes nothing makes no key`() async throws {
    let (workspace, _) = try workspace("email: plain\nphone: none\n", accounts: [Self.account("u")])
    #expect(try await run(workspace).run.outcome == .ok)
    #expect(!FileManager.default.fileExists(atPath: workspace.folder.path("data/contacts.key")))
    #expect(try workspace.store.read { try $0.authUser(uid: "u")?.email } == "u@example.com")
  }

  @Test(arguments: ["", "short\n", String(repeating: "z", count: 32)])
  func `a key file that holds no key stops the job and stays`(text: String) async throws {
    let (workspace, port) = try workspace(accounts: [Self.account("u")])
    try workspace.write(text, to: "data/contacts.key")
    let report = try await run(workspace)
    #expect(report.run.outcome == .failed)
    #expect(report.run.error?.contains("32 hexadecimal digits") == true)
    #expect(port.calls == 0)
    let kept = try String(
      contentsOfFile: workspace.folder.path("data/contacts.key"), encoding: .utf8)
    #expect(kept == text)
  }

  @Test func `a claim of the wrong type is one sentence, and nothing is lost`() async throws {
    let claims = [#"{"tier":"pro"}"#, #"{"tier":7}"#, #"{"tier":true}"#, #"{"tier":8}"#]
    let (workspace, _) = try workspace(
      accounts: claims.enumerated().map { Self.account("u\($0.offset)", claims: $0.element) })
    let report = try await run(workspace)
    #expect(report.run.outcome == .partial && report.run.counts.inserted == 4)
    #expect(
      report.run.warnings.filter { $0.contains("the claim") } == [
        "Left empty, because it cannot be read: the claim tier that is a number (2), the claim tier "
          + "that is true or false (1)."
      ])
    #expect(try cells(workspace, "SELECT claims FROM auth_users ORDER BY uid") == claims)
  }

  @Test(arguments: [false, true])
  func `a killed run goes on where it was, or begins again once its page token is no longer taken`(
    isExpired: Bool
  ) async throws {
    var accounts = (0..<5).map { Self.account("u\($0)") }
    accounts[4].isDisabled = true
    let (workspace, port) = try workspace(
      "page_size: 2\nemail: none\nphone: none\n", accounts: accounts)
    port.fail(2, with: FirestoreError.refusal(.unavailable))
    #expect(try await run(workspace).run.outcome == .failed)
    #expect(try cells(workspace, "SELECT uid FROM auth_users ORDER BY uid") == ["u0", "u1"])
    if isExpired {
      port.fail(
        3,
        with: FirestoreError.refused(
          Refusal(
            ErrorEnvelope(status: .invalidArgument, message: "INVALID_PAGE_SELECTION"),
            httpStatus: 400, request: "list the accounts of projects/demo", api: .identityToolkit)))
    }
    let report = try await run(workspace)
    #expect(report.run.outcome == .ok && report.run.counts.fetched == (isExpired ? 5 : 3))
    #expect(
      report.run.warnings == [
        isExpired
          ? "Firebase Authentication no longer takes the position of the interrupted load, so it "
            + "began again." : "Continued an interrupted load after 2 accounts."
      ])
    let users = try cells(workspace, "SELECT uid || ' ' || disabled FROM auth_users ORDER BY uid")
    #expect(users == ["u0 0", "u1 0", "u2 0", "u3 0", "u4 1"])
  }

  @Test(arguments: [false, true])
  func `subscribers that a first pass sees after it began again are found`(isFull: Bool)
    async throws
  {
    let (workspace, port) = try workspace(
      "page_size: 2\n",
      accounts: (0..<5).map { Self.account("u\($0)", claims: #"{"tier":"lite"}"#) })
    port.fail(2, with: FirestoreError.refusal(.unavailable))
    _ = try await run(workspace)
    if !isFull {
      port.fail(
        3,
        with: FirestoreError.refused(
          Refusal(
            ErrorEnvelope(status: .invalidArgument, message: "INVALID_PAGE_SELECTION"),
            httpStatus: 400, request: "list the accounts of projects/demo", api: .identityToolkit)))
    }
    try await workspace.run(.all, options: RunOptions(isForced: isFull, isFull: isFull))
    port.put([Self.account("u9", claims: #"{"tier":"lite"}"#)])
    _ = try await run(workspace)
    let from = "SELECT ifnull(from_tier, '-') FROM tier_changes ORDER BY seen_at, id"
    #expect(try cells(workspace, from) == Array(repeating: "-", count: 5) + ["free"])
  }

  @Test(arguments: [#"{"tier":2}"#, #"{"tier":"#, #"{"tier":"gold"}"#])
  func `a claim that cannot be read is nobody's leaving`(claims: String) async throws {
    let (workspace, port) = try workspace(
      accounts: [Self.account("u", claims: #"{"tier":"lite"}"#)])
    let profile = try workspace.session().updateProfile { $0.userId = "u" }
    _ = try await run(workspace)
    port.put([Self.account("u", claims: claims)])
    #expect(try await run(workspace).run.outcome == .partial)
    #expect(try cells(workspace, "SELECT uid FROM tier_changes") == ["u"])
    #expect(try storedProfile(workspace).tier == .lite && profile.tier == .free)
    // Another profile that gets the account's id is returned as it is stored.
    port.put([Self.account("u", claims: #"{"tier":"pro"}"#)])
    _ = try await run(workspace)
    try workspace.session().updateProfile {
      ($0.userId, $0.tier, $0.isTimelineRestricted) = (nil, .free, true)
    }
    let again = try workspace.session().updateProfile { $0.userId = "u" }
    #expect(try again == storedProfile(workspace) && !again.isTimelineRestricted)
  }

  @Test func `a cooldown that ended before a claim was read tells of the tier of its time`()
    async throws
  {
    let (workspace, _) = try workspace(
      accounts: [Self.account("u", claims: #"{"tier":"lite"}"#)])
    try workspace.session().updateProfile { $0.userId = "u" }
    let blockedAt = Instant.morning - .seconds(500)
    for _ in 1...3 { _ = try workspace.session().use(.refresh, now: blockedAt) }
    _ = try await run(workspace)
    var ends: [Event] = []
    try workspace.store.read { reader in
      try reader.forEachEvent {
        if $0.name == "ios_refresh_cooldown_completed" { ends.append($0) }
      }
    }
    #expect(ends.map(\.at) == [blockedAt + .seconds(120)])
    #expect(ends.first?.parameters["ios_subscription_status"] == .string("free"))
    #expect(try storedProfile(workspace).tier == .lite)
  }

  @Test(arguments: [("", Run.Outcome.partial), ("allow_empty: true\n", .ok)])
  func `a project without accounts is reported, unless it may be`(
    more: String, outcome: Run.Outcome
  ) async throws {
    let (workspace, _) = try workspace(more)
    let report = try await run(workspace)
    #expect(report.run.outcome == outcome)
    #expect((report.summary + report.run.warnings.joined()).contains("has no accounts"))
  }

  @Test func `more rows than max_delete allows stay, and the run says so`() async throws {
    let (workspace, port) = try workspace(
      "max_delete: 1\n", accounts: (0..<5).map { Self.account("u\($0)") })
    _ = try await run(workspace)
    port.remove("u0")
    port.remove("u1")
    let report = try await run(workspace)
    #expect(report.run.outcome == .partial && report.run.counts.deleted == 0)
    #expect(report.run.warnings.contains { $0.hasPrefix("2 of 5 rows have lost their account") })
    #expect(try cells(workspace, "SELECT uid FROM auth_users").count == 5)
  }

  @Test func `a plan says what it costs and asks for nothing`() async throws {
    let (workspace, port) = try workspace(accounts: [Self.account("u")])
    let context = try workspace.context(at: ManualClock(start: .morning))
    let work = try SyncAuthOptions().work("accounts", context)
    #expect(try work.plan().contains("not billed as reads"))
    #expect(try await work.plannedRequests() == PlannedRequests())
    #expect(port.calls == 0)
  }

  /// A period of 7,200 s, exactly at it, one below, one above.
  @Test(arguments: [(7_199, true), (7_200, false), (7_201, false), (-300, true), (-301, false)])
  func `the account's creation decides who is new, whatever the profile says`(
    age: Int, isNew: Bool
  ) async throws {
    let created = Instant.morning - .seconds(age)
    let (workspace, _) = try workspace(accounts: [Self.account("u1", createdAt: created)])
    let session = ProfileSession(
      store: workspace.store, app: AppConfig(name: "Chat"),
      profileName: "default",
      settings: try WorkspaceSettings.inForce(
        in: workspace.store, config: try workspace.folder.config()), price: nil, id: "s")
    try session.updateProfile { profile in
      profile.userId = "u1"
      // By this time alone the answer would be the other one.
      profile.firstAccountCreatedAt = isNew ? .morning - .seconds(90_000) : .morning
    }
    _ = try await run(workspace)
    let check = try session.limitSnapshot().peek(.refresh, now: .morning)
    #expect(check.result.userType == (isNew ? .newUser : .freeUser))
    // Changing the profile saves no time of the account's, which belongs to its user.
    let other = try session.updateProfile { $0.userId = "u2" }
    #expect(other.accountCreatedAt == (isNew ? .morning - .seconds(90_000) : .morning))
  }

  @Test(arguments: [
    ("page_size: 1001", "page_size"), ("page_size: 0", "page_size"), ("email: maybe", "email"),
    ("password_hashes: sure", "password_hashes"), ("tier_claim: a..b", "tier_claim"),
    ("tiers: {gold: platinum}", "tiers.gold"), ("max_delete: 101%", "max_delete"),
    ("incremental: {field: a}", "incremental"),
  ])
  func `a wrong key is named`(line: String, key: String) async throws {
    let (workspace, _) = try workspace("\(line)\n")
    let report = try await run(workspace)
    #expect(report.run.outcome == .failed)
    #expect(report.run.error?.contains(key) == true, "\(report.run.error ?? "")")
  }
}
