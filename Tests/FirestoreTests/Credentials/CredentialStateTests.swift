import Fixtures
import Platform
import Testing

@testable import Firestore

/// What `firetally doctor` says of credentials: docs/doctor.md#checks.
@Suite struct CredentialStateTests {
  private static let grant = #"{"access_token":"T","expires_in":3600,"token_type":"Bearer"}"#

  private func state(
    _ environment: [String: String] = [:], choice: CredentialSource.Kind? = nil,
    fetchesToken: Bool
  ) async throws -> CredentialState {
    try await Credentials(
      CredentialSource(choice: choice, environment: environment), http: Stage.http,
      now: { Stage.now }
    ).state(fetchesToken: fetchesToken)
  }

  @Test
  func `a key file is read, and its token fetched only when that is asked for`() async throws {
    let server = try ScriptedServer(answers: [.json(Self.grant)])
    let file = try KeyFile(KeyFile.serviceAccount(tokenURL: server.url + "/token"), mode: 0o644)
    let offline = try await state(choice: .file(file.path), fetchesToken: false)
    #expect(offline.account.kind == .service(email: "bot@key-project.example"))
    #expect(offline.source == "the key file \(file.path)")
    #expect(!offline.hasToken && offline.expiry == nil)
    #expect(offline.warnings.count == 1)
    #expect(server.requests.isEmpty)
    let online = try await state(choice: .file(file.path), fetchesToken: true)
    #expect(online.hasToken && online.warnings.count == 1)
    #expect(online.expiry?.microseconds == Stage.now.microseconds + 3_600_000_000)
    #expect(server.requests.count == 1)
  }

  @Test func `without a token nothing is run or asked, and the source is named`() async throws {
    let command = try await state(choice: .tokenCommand("exit 1"), fetchesToken: false)
    #expect(command.source == "token_command" && command.account.kind == .unknown)
    let metadata = try await state(["GCE_METADATA_HOST": "127.0.0.1:9"], fetchesToken: false)
    #expect(metadata.source == "the metadata server 127.0.0.1:9")
    let emulator = try await state(["FIRESTORE_EMULATOR_HOST": "a:1"], fetchesToken: true)
    #expect(emulator.hasToken && emulator.expiry == nil)
    #expect(emulator.source.hasPrefix("FIRESTORE_EMULATOR_HOST"))
  }

  @Test func `a missing file and a command that fails are errors`() async throws {
    await #expect(throws: CredentialsError.missingFile(path: "/nowhere/key.json")) {
      try await state(choice: .file("/nowhere/key.json"), fetchesToken: false)
    }
    await #expect(throws: CredentialsError.commandFailed(command: "exit 3", .ended(status: 3))) {
      try await state(choice: .tokenCommand("exit 3"), fetchesToken: true)
    }
  }
}
