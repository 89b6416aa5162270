import Fixtures
import Foundation
import HTTP
import Testing

@testable import Firestore

/// A user of a workforce pool who has signed in with gcloud, other universes, and addresses that
/// are refused: docs/keyless.md.
@Suite struct WorkforceTests {
  private static let pool = "//iam.googleapis.com/locations/global/workforcePools/POOL"
  private static let email = "sa@p.iam.gserviceaccount.com"

  /// Answers the first refresh with another refresh token.
  private func server() throws -> ScriptedServer {
    try ScriptedServer { request in
      switch request.target {
      case "/v1/oauthtoken":
        .json(
          request.text.contains("first")
            ? #"{"access_token":"A1","expires_in":3600,"refresh_token":"second"}"#
            : #"{"access_token":"A2","expires_in":3600}"#)
      case "/subject": .response("SUBJECT")
      default:
        request.target.hasSuffix(":generateAccessToken")
          ? .json(#"{"accessToken":"SA","expireTime":"2030-01-02T03:04:05Z"}"#)
          : .response(404, "no")
      }
    }
  }

  /// As `gcloud auth application-default login` writes it.
  private func user(
    _ server: ScriptedServer, adding more: [String: JSON] = [:], without missing: String = ""
  ) -> JSON {
    var members: [String: JSON] = [
      "type": .string("external_account_authorized_user"),
      "audience": .string("\(Self.pool)/providers/PROVIDER"), "client_id": .string("client"),
      "client_secret": .string("s:&cret"), "refresh_token": .string("first"),
      "token_url": .string(server.url + "/v1/oauthtoken"),
      "token_info_url": .string("https://sts.googleapis.com/v1/introspect"),
      "quota_project_id": .string("payer"), "universe_domain": .string("googleapis.com"),
    ]
    members.merge(more) { $1 }
    members[missing] = nil
    return .object(members)
  }

  private func credentials(
    _ json: JSON, _ environment: [String: String] = [:],
    now: @escaping @Sendable () -> Timestamp = { Stage.now }
  ) throws -> (Credentials, KeyFile) {
    let file = try KeyFile(json)
    let source = CredentialSource(
      environment: environment.merging(["GOOGLE_APPLICATION_CREDENTIALS": file.path]) { $1 })
    return (Credentials(source, http: Stage.http, now: now), file)
  }

  private func error(_ json: JSON, _ environment: [String: String] = [:]) async throws -> String {
    let (credentials, file) = try credentials(json, environment)
    defer { withExtendedLifetime(file) {} }
    do {
      return "none, but \(try await credentials.token())"
    } catch let error as CredentialsError {
      return error.description
    }
  }

  @Test func `the refresh token is exchanged as google-auth does, and replaced by a new one`()
    async throws
  {
    let server = try server()
    let clock = ManualClock()
    let (credentials, file) = try credentials(user(server), now: { clock.now })
    let token = try await credentials.token()
    #expect(token.secret == Secret("A1") && token.quotaProject == "payer")
    #expect(token.headers["x-goog-user-project"] == "payer")
    clock.advance(seconds: 3_600)
    #expect(try await credentials.token().secret == Secret("A2"))
    let requests = server.requests
    #expect(requests.map(\.method) == ["POST", "POST"])
    #expect(
      requests.map(\.text) == [
        "grant_type=refresh_token&refresh_token=first",
        "grant_type=refresh_token&refresh_token=second",
      ])
    let basic = "Basic \(Data("client:s:&cret".utf8).base64EncodedString())"
    #expect(requests.allSatisfy { $0[header: "Authorization"] == basic })
    let type = "application/x-www-form-urlencoded"
    #expect(requests.allSatisfy { $0[header: "Content-Type"] == type })
    let grant = await credentials.account.grant("roles/datastore.viewer", in: "p")
    #expect(grant.hasPrefix("Grant the signed-in user (from \(file.path)) roles/datastore.v"))
    #expect(grant.contains("--member='principalSet:\(Self.pool)/*' "))
    withExtendedLifetime(file) {}
  }

  @Test func `such a user acts as a service account`() async throws {
    let server = try server()
    let url = "\(server.url)/v1/projects/-/serviceAccounts/\(Self.email):generateAccessToken"
    let (credentials, file) = try credentials(
      .object([
        "type": .string("impersonated_service_account"), "source_credentials": user(server),
        "service_account_impersonation_url": .string(url),
      ]))
    let token = try await credentials.token()
    #expect(token.secret == Secret("SA"))
    // The source's own quota project does not count, as in google-auth.
    #expect(token.quotaProject == nil)
    #expect(server.requests.last?[header: "Authorization"] == "Bearer A1")
    withExtendedLifetime(file) {}
  }

  @Test(arguments: ["client_id", "client_secret", "refresh_token", "token_url"])
  func `a file that cannot be refreshed is refused with what it lacks`(name: String) async throws {
    let server = try server()
    let error = try await error(user(server, without: name))
    #expect(error.contains("\(name) is missing"), "\(error)")
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [nil, "", "googleapis.com"])
  func `the public cloud's universe is taken`(domain: String?) async throws {
    let server = try server()
    let more = domain.map { ["universe_domain": JSON.string($0)] } ?? [:]
    let environment = domain.map { ["GOOGLE_CLOUD_UNIVERSE_DOMAIN": $0] } ?? [:]
    #expect(try await error(user(server, adding: more), environment).hasPrefix("none"))
  }

  @Test func `another universe is refused before anything is sent`() async throws {
    let server = try server()
    let domain = "apis-tpclp.goog"
    let words = "is of the universe \(domain) ("
    let inside: JSON = .object([
      "type": .string("impersonated_service_account"),
      "source_credentials": user(server, adding: ["universe_domain": .string(domain)]),
      "service_account_impersonation_url": .string("\(server.url)/x:generateAccessToken"),
    ])
    let files: [JSON] = [
      user(server, adding: ["universe_domain": .string(domain)]), inside,
      try KeyFile.serviceAccount(
        tokenURL: server.url, adding: ["universe_domain": .string(domain)]),
    ]
    for file in files { #expect(try await error(file).contains(words)) }
    let variable = try await error(user(server), ["GOOGLE_CLOUD_UNIVERSE_DOMAIN": domain])
    #expect(variable.contains(words + "GOOGLE_CLOUD_UNIVERSE_DOMAIN)"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a quota project in a key's own file does not count, in the environment it does`()
    async throws
  {
    let server = try server()
    let key = try KeyFile.serviceAccount(
      tokenURL: server.url + "/v1/oauthtoken", adding: ["quota_project_id": .string("payer")])
    let (credentials, file) = try credentials(key)
    #expect(try await credentials.token().quotaProject == nil)
    withExtendedLifetime(file) {}
    let (other, otherFile) = try self.credentials(key, ["GOOGLE_CLOUD_QUOTA_PROJECT": "env"])
    #expect(try await other.token().quotaProject == "env")
    withExtendedLifetime(otherFile) {}
  }

  private func external(_ server: ScriptedServer, from url: String) -> JSON {
    .object([
      "type": .string("external_account"), "audience": .string("//x/providers/p"),
      "subject_token_type": .string("urn:ietf:params:oauth:token-type:jwt"),
      "token_url": .string(server.url + "/v1/oauthtoken"),
      "credential_source": .object([
        "url": .string(url), "headers": .object(["Authorization": .string("hunter2")]),
      ]),
    ])
  }

  @Test(arguments: [
    "http://tokens.example/x?key=hunter2", "http://10.0.0.1/x", "http://169.254.evil.example",
  ])
  func `a token is not fetched from another machine in plain text`(url: String) async throws {
    let server = try server()
    let told = try await error(external(server, from: url))
    #expect(told.contains("unencrypted and on another machine"))
    #expect(told.contains("credential_source.url") && !told.contains("hunter2"))
    #expect(server.requests.isEmpty)
    #expect(try await error(external(server, from: server.url + "/subject")).hasPrefix("none"))
  }

  @Test(arguments: [
    "http://169.254.169.254/metadata/identity", "http://169.254.170.2/x",
    "http://metadata.google.internal/computeMetadata/v1/x", "http://[fe80::1]/x",
    "https://tokens.example/x", "http://localhost:9/x",
  ])
  func `this machine and metadata servers may be plain`(url: String) throws {
    let server = try server()
    let bytes = external(server, from: url).serialized()
    #expect(throws: Never.self) { try CredentialFile(bytes, path: "x") }
  }

  @Test func `a key in the place of its path is not repeated`() async throws {
    let key = String(
      decoding: try KeyFile.serviceAccount(tokenURL: "https://x").serialized(), as: UTF8.self)
    for text in [key, "-----BEGIN PRIVATE KEY-----\nhunter2", String(repeating: "a", count: 256)] {
      let source = CredentialSource(
        choice: .file("/srv/x/" + text), environment: [:])
      let credentials = Credentials(source, http: Stage.http, now: { Stage.now })
      let error = await #expect(throws: CredentialsError.self) { try await credentials.token() }
      #expect(error == .keyInsteadOfPath)
      #expect(source.kind.description == "the key file ***")
    }
    #expect(CredentialFile.isPath("/srv/My {keys}/sa.json"))
    #expect(CredentialFile.isPath("/srv/" + String(repeating: "a", count: 255)))
  }

  @Test func `a command's answer without an end is taken beside output_file, as google-auth does`()
    async throws
  {
    let server = try ScriptedServer { _ in .json(#"{"access_token":"STS","expires_in":3600}"#) }
    let folder = try TemporaryFolder()
    let answer =
      #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:jwt","id_token":"T"}"#
    let environment = ["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1", "PATH": "/usr/bin:/bin"]
    let runs = folder.path(of: "runs")
    for command in ["echo x >> \(runs); echo '\(answer)'", "echo x >> \(runs)"] {
      try folder.write(answer, to: "kept")
      let json: JSON = .object([
        "type": .string("external_account"), "audience": .string("//x/providers/p"),
        "subject_token_type": .string("urn:ietf:params:oauth:token-type:jwt"),
        "token_url": .string(server.url),
        "credential_source": .object([
          "executable": .object([
            "command": .string(command), "output_file": .string(folder.path(of: "kept")),
          ])
        ]),
      ])
      // What was kept without an end counts as over: the command runs each time, and one that
      // prints nothing has left its answer in the file.
      for _ in 0..<2 { #expect(try await error(json, environment).hasPrefix("none")) }
    }
    #expect(try String(contentsOfFile: runs, encoding: .utf8) == "x\nx\nx\nx\n")
  }
}
