import Crypto
import Fixtures
import Foundation
import HTTP
import Model
import Platform
import Testing

@testable import Firestore

@Suite("Credentials")
struct CredentialsTests {
  private static let grant = #"{"access_token":"T","expires_in":3600,"token_type":"Bearer"}"#

  private func credentials(
    _ environment: [String: String], choice: CredentialSource.Kind? = nil,
    now: @escaping @Sendable () -> Timestamp = { Stage.now }
  ) -> Credentials {
    Credentials(
      CredentialSource(choice: choice, environment: environment), http: Stage.http, now: now)
  }

  @Test func `a service account signs its request for a token with RS256`() async throws {
    let server = try ScriptedServer(answers: [.json(Self.grant)])
    let file = try KeyFile(KeyFile.serviceAccount(tokenURL: server.url + "/token"))
    let token = try await credentials(["GOOGLE_APPLICATION_CREDENTIALS": file.path]).token()
    #expect(token.secret == Secret("T"))
    #expect(token.expiry?.microseconds == Stage.now.microseconds + 3_600_000_000)
    #expect(token.quotaProject == nil)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.target == "/token")
    #expect(request[header: "Content-Type"] == "application/x-www-form-urlencoded")
    let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
    try #require(request.text.hasPrefix(prefix))
    try verify(request.text.dropFirst(prefix.count).split(separator: ".").map(String.init), server)
  }

  private func verify(_ parts: [String], _ server: ScriptedServer) throws {
    try #require(parts.count == 3)
    let header = try JSON(parsing: #require(Base64.decode(parts[0])))
    #expect(
      header == .object(["alg": .string("RS256"), "typ": .string("JWT"), "kid": .string("kid-1")]))
    let claims = try JSON(parsing: #require(Base64.decode(parts[1])))
    let issued = Stage.now.microseconds / 1_000_000
    #expect(
      claims
        == .object([
          "iss": .string("bot@key-project.example"), "aud": .string(server.url + "/token"),
          "scope": .string(
            "https://www.googleapis.com/auth/datastore "
              + "https://www.googleapis.com/auth/firebase.remoteconfig "
              + "https://www.googleapis.com/auth/identitytoolkit"),
          "iat": .number("\(issued)"), "exp": .number("\(issued + 3600)"),
        ]))
    let key = try #require(RSAKey(pem: PublishedKey.pem))
    #expect(Base64.decode(parts[2]) == key.signature(of: "\(parts[0]).\(parts[1])".utf8))
  }

  @Test func `a user's refresh token is exchanged, and the quota project named`() async throws {
    let server = try ScriptedServer(answers: [.json(Self.grant)])
    let json = KeyFile.authorizedUser(
      tokenURL: server.url, adding: ["quota_project_id": .string("payer")])
    let file = try KeyFile(json)
    let token = try await credentials([:], choice: .file(file.path)).token()
    #expect(token.quotaProject == "payer")
    #expect(
      server.requests.first?.text == "grant_type=refresh_token&client_id=id"
        + "&client_secret=s%26cret&refresh_token=1%2F%2Frefresh")
    let other = credentials(["GOOGLE_CLOUD_QUOTA_PROJECT": "env"], choice: .file(file.path))
    #expect(try await other.token().quotaProject == "env")
  }

  @Test func `gcloud's file comes before the metadata server`() async throws {
    let server = try ScriptedServer(answers: [.json(Self.grant)])
    let folder = try TemporaryFolder()
    let bytes = KeyFile.authorizedUser(tokenURL: server.url).serialized()
    try folder.write(
      String(decoding: bytes, as: UTF8.self), to: "application_default_credentials.json")
    let token = try await credentials([
      "CLOUDSDK_CONFIG": folder.path, "GCE_METADATA_HOST": "127.0.0.1:9",
    ]).token()
    #expect(token.secret == Secret("T"))
  }

  @Test func `a Google machine's metadata server gives token and project`() async throws {
    let server = try ScriptedServer { request in
      .response(
        200, headers: [("Metadata-Flavor", "Google")],
        request.target.hasSuffix("project-id") ? "machine-project" : Self.grant)
    }
    let credentials = credentials(["GCE_METADATA_HOST": server.host])
    #expect(try await credentials.token().secret == Secret("T"))
    #expect(try await credentials.project() == "machine-project")
    let request = try #require(server.requests.first)
    #expect(
      request.target == "/computeMetadata/v1/instance/service-accounts/default/token")
    #expect(request[header: "Metadata-Flavor"] == "Google")
  }

  @Test
  func `without a metadata server, or with another server in its place, nothing is found`()
    async throws
  {
    let silent = try LoopbackSocket()
    await #expect(throws: CredentialsError.noneFound) {
      try await credentials(["GCE_METADATA_HOST": "127.0.0.1:\(silent.port)"]).token()
    }
    let foreign = try ScriptedServer(answers: [.json(Self.grant)])
    await #expect(throws: CredentialsError.noneFound) {
      try await credentials(["GCE_METADATA_HOST": foreign.host]).token()
    }
  }

  @Test
  func `a token command's output is the token, trimmed; its failure is told by its status`()
    async throws
  {
    func token(_ command: String) async throws -> Secret {
      try await credentials(["NAME": "v"], choice: .tokenCommand(command)).token().secret
    }
    #expect(try await token("echo \"  tok-$NAME \"") == Secret("tok-v"))
    for (command, status) in [("exit 3", 3), ("echo x; exit 1", 1)] {
      let error = CredentialsError.commandFailed(command: command, .ended(status: Int32(status)))
      await #expect(throws: error, "\(command)") { try await token(command) }
    }
  }

  @Test(arguments: [0, 300])
  func `a cancelled task ends its token command, started or not`(milliseconds: Int) async throws {
    let credentials = credentials([:], choice: .tokenCommand("exec sleep 600"))
    let task = Task { try await credentials.token() }
    try await Task.sleep(for: .milliseconds(milliseconds))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: [
    "(echo $$ > F; exec sleep 600) | cat", "sleep 600 & echo $! > F; wait",
    "trap '' TERM; echo $$ > F; while :; do sleep 1; done",
    "exec >&-; echo $$ > F; sleep 600",
  ])
  func `a cancelled task ends what its token command started, whatever holds the output open`(
    command: String
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "pid")
    let credentials = credentials(
      [:], choice: .tokenCommand(command.replacing("F", with: "'\(file)'")))
    let task = Task { try await credentials.token() }
    var pid: pid_t?
    while pid == nil {
      try await Task.sleep(for: .milliseconds(5))
      guard let bytes = FileManager.default.contents(atPath: file) else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      if text.hasSuffix("\n") { pid = pid_t(text.dropLast()) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let child = try #require(pid)
    for _ in 1...200 where !hasEnded(child) { try await Task.sleep(for: .milliseconds(10)) }
    #expect(hasEnded(child))
  }

  /// Whether the process is gone, or dead and not yet waited for.
  private func hasEnded(_ pid: pid_t) -> Bool {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return true }
    return String(decoding: bytes, as: UTF8.self).contains(") Z ")
  }

  @Test func `who shares the attempt of a cancelled request makes one of its own`() async throws {
    let server = try ScriptedServer(answers: [
      .json(Self.grant).after(.seconds(3_600)), .json(Self.grant),
    ])
    let file = try KeyFile(KeyFile.authorizedUser(tokenURL: server.url))
    let credentials = credentials([:], choice: .file(file.path))
    let first = Task { try await credentials.token() }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    let second = Task { try await credentials.token() }
    try await Task.sleep(for: .milliseconds(50))
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(try await second.value.secret == Secret("T"))
    #expect(server.requests.count == 2)
  }

  @Test
  func `requests at the same time share one attempt, and the token serves until near its end`()
    async throws
  {
    let server = try ScriptedServer(answers: [.json(Self.grant).after(.milliseconds(50))])
    let file = try KeyFile(KeyFile.authorizedUser(tokenURL: server.url))
    let clock = ManualClock()
    let credentials = credentials([:], choice: .file(file.path), now: { clock.now })
    try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<20 { group.addTask { try await credentials.token().secret } }
      for try await secret in group { #expect(secret == Secret("T")) }
    }
    #expect(server.requests.count == 1)
    clock.advance(seconds: 3539)
    _ = try await credentials.token()
    #expect(server.requests.count == 1)
    clock.advance(seconds: 1)
    _ = try await credentials.token()
    #expect(server.requests.count == 2)
  }

  @Test func `a failed attempt is not kept`() async throws {
    let server = try ScriptedServer(answers: [.response(500, "<html>"), .json(Self.grant)])
    let file = try KeyFile(KeyFile.authorizedUser(tokenURL: server.url))
    let credentials = credentials([:], choice: .file(file.path))
    let error = await #expect(throws: CredentialsError.self) { try await credentials.token() }
    #expect(error?.isTransient == true)
    #expect(try await credentials.token().secret == Secret("T"))
  }

  @Test(arguments: [
    (#"{"error":"invalid_grant","error_description":"Token has been revoked."}"#, false),
    (#"{"error":"internal_failure"}"#, true),
  ])
  func `an endpoint's refusal is told in its own words`(answer: String, isTransient: Bool)
    async throws
  {
    let server = try ScriptedServer(answers: [.json(answer, status: 400)])
    let file = try KeyFile(KeyFile.authorizedUser(tokenURL: server.url))
    let error = await #expect(throws: CredentialsError.self) {
      try await credentials([:], choice: .file(file.path)).token()
    }
    #expect(error?.isTransient == isTransient)
    #expect(error?.description.contains(server.host) == true)
    #expect(error?.description.contains("revoked") == true)
  }

  @Test func `the project comes from whoever names it first`() async throws {
    let file = try KeyFile(KeyFile.serviceAccount(tokenURL: "http://127.0.0.1:9"))
    let environment = ["GOOGLE_CLOUD_PROJECT": "env", "GOOGLE_APPLICATION_CREDENTIALS": file.path]
    #expect(try await credentials(environment).project(preferring: ["flag", "config"]) == "flag")
    #expect(try await credentials(environment).project(preferring: [nil, "config"]) == "config")
    #expect(try await credentials(environment).project(preferring: [nil, ""]) == "env")
    #expect(try await credentials([:], choice: .file(file.path)).project() == "key-project")
    await #expect(throws: CredentialsError.noProject) {
      try await credentials(["FIRESTORE_EMULATOR_HOST": "h:1"]).project()
    }
  }
}
