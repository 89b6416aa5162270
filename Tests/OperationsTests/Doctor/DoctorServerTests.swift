import Feeds
import Fixtures
import Foundation
import HTTP
import JobsTesting
import Model
import Store
import Sync
import SyncTesting
import Testing

@testable import Firestore
@testable import Operations

/// The checks that ask servers: credentials, secrets, clock, Firestore with its indexes, hooks.
struct DoctorServerTests {
  private let account = GoogleAccount(.service(email: "sa@demo.test"), source: "sa.json")

  private func state(
    expiry: Timestamp? = nil, warnings: [String] = []
  ) -> CredentialState {
    CredentialState(
      source: "the key file sa.json", account: account, expiry: expiry, hasToken: true,
      warnings: warnings)
  }

  @Test func `credentials are told with account, source and the token's end`() async throws {
    let stage = try DoctorStage()
    let expiry = Timestamp(microseconds: (Instant.morning + .seconds(3_600)).microseconds)
    stage.workspace.services.answerCredentials(
      with: .success(state(expiry: expiry, warnings: ["Others can read it; run `chmod 600 x`."])))
    #expect(
      try await stage.lines(of: CredentialsCheck.self) == [
        "ok: Service account sa@demo.test from the key file sa.json; the token is valid until "
          + "2026-01-31 09:00:00 +00:00, and is renewed.",
        "warn: Others can read it; run `chmod 600 x`.",
      ])
    stage.workspace.services.answerCredentials(with: .success(state()))
    let unknown = try await stage.lines(of: CredentialsCheck.self)
    #expect(unknown[0].hasSuffix("; the token's expiry is unknown."))
    stage.isOffline = true
    let offline = try await stage.lines(of: CredentialsCheck.self)
    #expect(offline == ["ok: Service account sa@demo.test from the key file sa.json."])
    stage.workspace.services.answerCredentials(
      with: .success(
        CredentialState(source: "token_command", account: GoogleAccount(.unknown), hasToken: true))
    )
    let unseen = try await stage.lines(of: CredentialsCheck.self)
    #expect(unseen == ["ok: From token_command. It was not asked (--offline)."])
  }

  @Test func `no credentials are a failure that says what to do`() async throws {
    let stage = try DoctorStage()
    let lines = try await stage.lines(of: CredentialsCheck.self)
    #expect(lines.count == 1 && lines[0].hasPrefix("fail: No Google credentials were found."))
    stage.workspace.services.warn(of: ["Others can read it; run `chmod 600 x`."])
    let warned = try await stage.lines(of: CredentialsCheck.self)
    #expect(warned == lines + ["warn: Others can read it; run `chmod 600 x`."])
  }

  @Test func `the secrets of configured services are looked for`() async throws {
    let none = try await DoctorStage().lines(of: SecretsCheck.self)
    #expect(none == ["ok: No service needs a secret."])
    let stage = try DoctorStage(
      configuration: """
        app: {name: Chat, bundle_id: com.example.app}
        moments: {base_url: https://a.b, token_file: none}
        """)
    let found = try await stage.findings(of: SecretsCheck.self)
    #expect(found.map(\.verdict) == [.fail])
    #expect(found[0].subject == "moments")
  }

  @Test(
    arguments: [
      ("password_file: none", [.fail]), ("password_file: jobs/daily.yml", [.warn, .ok]),
      ("password_env: FIRETALLY_NO_SUCH", [.fail]), ("password_command: 'exit 1'", [.ok]),
    ] as [(String, Set<DoctorFinding.Verdict>)])
  func `the password of a digest is looked for, and no command is run for it`(
    key: String, verdicts: Set<DoctorFinding.Verdict>
  ) async throws {
    let digest = """
      kind: digest
      to: you@test.invalid
      from: me@test.invalid
      smtp: {url: 'smtp://mail.test:587', user: me, \(key)}
      """
    let stage = try DoctorStage(jobs: ["daily": digest])
    let found = try await stage.findings(of: SecretsCheck.self)
    #expect(found.count == 1 && verdicts.contains(found[0].verdict), "\(found)")
    #expect(found[0].subject == (key.contains("command") ? nil : "daily"))
  }

  @Test(arguments: [
    (0, DoctorFinding.Verdict.ok), (29, .ok), (30, .ok), (31, .ok), (32, .warn), (300, .warn),
    (301, .warn), (302, .fail), (86_400, .fail), (-1, .ok), (-30, .ok), (-31, .warn),
    (-300, .warn), (-301, .fail), (-86_400, .fail),
  ])
  func `a clock is judged by the least it can be wrong, ahead or behind`(
    seconds: Int, verdict: DoctorFinding.Verdict
  ) async throws {
    let stage = try DoctorStage()
    // The server's header is cut to the second: it may be up to a second later than it says.
    stage.workspace.services.answerTime(with: .success(.morning - .seconds(seconds)))
    let found = try await stage.findings(of: ClockCheck.self)
    #expect(found.map(\.verdict) == [verdict])
    if verdict != .ok {
      #expect(found[0].message.contains(seconds > 0 ? "ahead of" : "behind"))
      #expect(found[0].advice == "Set it: `timedatectl set-ntp true`.")
    }
  }

  @Test func `no time, another clock or no server is no wrong clock`() async throws {
    let stage = try DoctorStage()
    #expect(
      try await stage.lines(of: ClockCheck.self)
        == ["ok: Not compared: http://firestore.test does not say its time."])
    stage.workspace.services.answerTime(with: .failure(.refused(host: "firestore.test")))
    #expect(try await stage.findings(of: ClockCheck.self).map(\.verdict) == [.warn])
    stage.hasOtherClock = true
    #expect(
      try await stage.lines(of: ClockCheck.self)
        == ["ok: Not compared: --now replaces the clock."])
  }

  private static let jobs = [
    "settings": "kind: sync-settings\n", "users": "kind: sync-users\n",
    "orders": """
    kind: sync-collection
    collection: Orders
    where: [{field: status, op: "==", value: paid}]
    order_by: total
    """,
  ]

  private func stage(
    _ database: ProbedFirestore, jobs: [String: String] = jobs
  ) throws -> DoctorStage {
    let stage = try DoctorStage(jobs: jobs)
    stage.services = ScriptedServices(database).services()
    return stage
  }

  @Test func `one limited query a job says whether the database answers`() async throws {
    let database = ProbedFirestore()
    let found = try await stage(database).findings(of: FirestoreCheck.self)
    #expect(found.map(\.verdict) == [.ok, .ok, .ok])
    #expect(found.map(\.subject) == [nil, "orders", "users"])
    #expect(database.queries.count == 2 && database.queries.allSatisfy { $0.limit == 1 })
    #expect(database.queries.allSatisfy { $0.select == [.documentName] })
    #expect(found[0].message.hasPrefix("projects/demo/databases/(default)"))
    #expect(database.calls.isEmpty)
  }

  @Test(
    arguments: [
      ("collection: Chats\nunder: Apps/*", nil, ["Appr\u{10FFFD}/0", "Apps\u{1}/0"]),
      (
        "collection: Chats\nunder: Apps/a/Rooms/*", "Apps/a",
        ["Apps/a/Roomr\u{10FFFD}/0", "Apps/a/Rooms\u{1}/0"]
      ),
      ("collection: Apps/a/Chats", "Apps/a", []),
      (
        "collection: Chats\nwhere: [{field: by, op: \"==\", value: {reference: Users/u1}}]", nil,
        ["Users/u1"]
      ),
    ] as [(String, String?, [String])])
  func `queries are tried as the run sends them: with whole names, below their parent`(
    keys: String, parent: String?, references: [String]
  ) async throws {
    let database = ProbedFirestore()
    let found = try await stage(database, jobs: ["chats": "kind: sync-collection\n\(keys)\n"])
      .findings(of: FirestoreCheck.self)
    #expect(found.map(\.verdict) == [.ok, .ok], "\(found)")
    let root = ResourceName(project: "demo")
    #expect(database.parents == [try parent.map { try root.appending(path: $0) }])
    let text = String(describing: database.queries.first?.filter)
    for reference in references {
      #expect(text.contains(String(reflecting: "\(root)/\(reference)")), "\(text)")
    }
  }

  @Test func `the edition and the protection of the database are told`() async throws {
    var facts = DatabaseFacts(edition: .enterprise)
    (facts.location, facts.deleteProtection, facts.firestoreAccess) = ("nam5", true, true)
    let database = ProbedFirestore(facts: facts)
    let found = try await stage(database).findings(of: FirestoreCheck.self)
    #expect(found.map(\.verdict) == [.ok, .ok, .ok, .ok])
    #expect(
      found[1].message
        == "Enterprise edition in nam5, delete protection on, Firestore API on.")
    // An index is no condition there, and the query in another order would scan the collection.
    #expect(database.queries.allSatisfy { $0.orderBy.map(\.field) == [.documentName] })
    #expect(database.queries.allSatisfy { $0.filter == nil })
    #expect(found[2].message.hasSuffix("are answered; `firetally plan` says what they scan."))
    facts.firestoreAccess = false
    let closed = try await stage(ProbedFirestore(facts: facts)).findings(of: FirestoreCheck.self)
    #expect(closed[1].verdict == .fail)
    #expect(closed[1].message.hasSuffix("Firestore API off."))
  }

  @Test func `a job that lists accounts is tried with one of them`() async throws {
    for isAllowed in [true, false] {
      let stage = try DoctorStage(jobs: ["accounts": "kind: sync-auth\n"])
      let services = ScriptedServices(ProbedFirestore())
      let port = ScriptedAccounts([Account(uid: "a"), Account(uid: "b")])
      if isAllowed { services.answerAccounts(with: port) }
      stage.services = services.services()
      let found = try await stage.findings(of: FirestoreCheck.self)
      #expect(found.map(\.verdict) == [.ok, isAllowed ? .ok : .fail])
      #expect(found.map(\.subject) == [nil, "accounts"])
      #expect(port.calls == (isAllowed ? 1 : 0))
    }
  }

  @Test func `without a query one document is read, and the reads are told`() async throws {
    let database = ProbedFirestore()
    let stage = try stage(database, jobs: ["settings": "kind: sync-settings\n"])
    #expect(try await stage.findings(of: FirestoreCheck.self).map(\.verdict) == [.ok])
    #expect(database.calls == [.document("AppSettings/com.example.app")])
    let services = ScriptedServices(ProbedFirestore { _ in [] })
    let billing = ScriptedServices(
      ProbedFirestore { _ in
        services.bill(0)
        return []
      })
    stage.services = billing.services()
    #expect(
      try await stage.lines(of: FirestoreCheck.self)[0].hasSuffix("the check used 0 billed reads."))
  }

  @Test func `a missing index fails the job that needs it, and warns where only filters do`()
    async throws
  {
    let missing = FirestoreError.refusal(
      .failedPrecondition,
      "The query requires an index. You can create it here: https://a.b/create?x=y")
    let found = try await stage(ProbedFirestore { _ in throw missing })
      .findings(of: FirestoreCheck.self)
    #expect(found.map(\.verdict) == [.ok, .fail, .warn])
    #expect(found[1].message.contains("https://a.b/create?x=y"))
    #expect(found[1].advice == "`firetally plan --indexes` prints what all queries need.")
    #expect(found.allSatisfy { !$0.message.contains("\n") })
  }

  @Test func `a refusal ends the check at the first job`() async throws {
    let database = ProbedFirestore { _ in throw FirestoreError.refusal(.permissionDenied) }
    let found = try await stage(database).findings(of: FirestoreCheck.self)
    #expect(found.map(\.verdict) == [.fail])
    #expect(database.queries.count == 1)
  }

  @Test func `a server that is not there is asked once`() async throws {
    let database = ProbedFirestore()
    let services = ScriptedServices(database)
    services.answerTime(with: .failure(.resolveFailed(host: "firestore.test")))
    let stage = try stage(database)
    stage.services = services.services()
    let found = try await stage.findings(of: FirestoreCheck.self)
    #expect(found.map(\.verdict) == [.fail])
    #expect(database.queries.isEmpty && database.calls.isEmpty)
  }

  @Test func `a ping's server is asked for its first page, never for the ping itself`()
    async throws
  {
    let stage = try DoctorStage(jobs: [
      "settle": """
      kind: settle
      hooks:
        on_success: {ping: "https://hc-ping.com/secret-uuid"}
        on_failure: {ping: "https://hc-ping.com/secret-uuid/fail"}
        on_start: {ping: "https://nowhere.test:8080/x"}
      """
    ])
    stage.head = { url in
      switch url {
      case "https://hc-ping.com/": return 404
      default: throw HTTPError.resolveFailed(host: "nowhere.test:8080")
      }
    }
    let found = try await stage.findings(of: HooksCheck.self)
    #expect(found.map(\.verdict) == [.fail, .ok])
    #expect(found.map(\.subject) == ["https://nowhere.test:8080", "https://hc-ping.com"])
    #expect(found.allSatisfy { !$0.message.contains("secret") })
    stage.head = { _ in throw HTTPError.refused(host: "hc-ping.com") }
    #expect(try await stage.findings(of: HooksCheck.self).map(\.verdict) == [.warn, .warn])
    stage.isOffline = true
    #expect(
      try await stage.lines(of: HooksCheck.self)
        == ["ok: 3 hooks. Doctor could check none of them."])
  }

  @Test func `the first word of a hook's command is looked for`() async throws {
    let stage = try DoctorStage(jobs: [
      "settle": """
      kind: settle
      on_reset: {command: "notify-me hello"}
      hooks:
        on_success: {command: "A=1 B=x mail -s ok you@example.com"}
        on_failure: {command: "$HOME/bin/tell"}
      """
    ])
    stage.outputs = ["command -v mail": "/usr/bin/mail"]
    let found = try await stage.findings(of: HooksCheck.self)
    #expect(found.map(\.subject) == ["mail", "on_reset of the job 'settle'"])
    #expect(found.allSatisfy { !$0.message.contains("notify-me") })
    #expect(found.map(\.verdict) == [.ok, .fail])
    #expect(
      try await DoctorStage(jobs: ["settle": "kind: settle\n"]).lines(of: HooksCheck.self)
        == ["ok: No job has a hook."])
  }

  @Test(arguments: [
    ("mail -s x", "mail"), ("  /usr/bin/mail x", "/usr/bin/mail"), ("./tell.sh", "./tell.sh"),
    ("A=1 tell", "tell"), ("test \"$A\" -gt 1", "test"), ("A=1", nil), ("", nil),
    ("$TELL", nil), ("(a; b)", nil), ("'my tool' x", nil), ("-x", nil), ("a;b", nil),
  ])
  func `only a plain first word is a program`(command: String, program: String?) {
    #expect(HookTarget.program(in: command) == program)
  }
}
