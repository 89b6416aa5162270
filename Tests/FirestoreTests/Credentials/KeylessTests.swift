import Fixtures
import Foundation
import HTTP
import Testing

@testable import Firestore

/// Letting in without a key, against a made up Security Token Service and IAM:
/// docs/keyless.md.
@Suite struct KeylessTests {
  private static let email = "byoid-test@cicpclientproj.iam.gserviceaccount.com"
  private static let pool =
    "//iam.googleapis.com/projects/123456/locations/global/workloadIdentityPools/POOL_ID"
  private static let exchanged = """
    {"access_token":"STS","issued_token_type":"urn:ietf:params:oauth:token-type:access_token",\
    "token_type":"Bearer","expires_in":3600}
    """

  /// A Security Token Service and IAM.
  private func server(
    sts: ScriptedAnswer = .json(exchanged),
    iam: ScriptedAnswer = .json(#"{"accessToken":"SA","expireTime":"2030-01-02T03:04:05Z"}"#)
  ) throws -> ScriptedServer {
    try ScriptedServer { request in
      switch request.target {
      case "/v1/token": sts
      case "/subject": .json(#"{"access_token":"FROM_URL"}"#)
      case "/text": .response("FROM_TEXT\n")
      case "/busy": .response(503, "later")
      case "/refresh": .json(#"{"access_token":"USER","expires_in":3600}"#)
      default: request.target.hasSuffix(":generateAccessToken") ? iam : .response(404, "no")
      }
    }
  }

  private func external(
    _ server: ScriptedServer, source: JSON, impersonates: Bool = false,
    adding more: [String: JSON] = [:]
  ) -> JSON {
    var members: [String: JSON] = [
      "type": .string("external_account"),
      "audience": .string(Self.pool + "/providers/PROVIDER_ID"),
      "subject_token_type": .string("urn:ietf:params:oauth:token-type:jwt"),
      "token_url": .string(server.url + "/v1/token"), "credential_source": source,
    ]
    if impersonates { members["service_account_impersonation_url"] = .string(url(server)) }
    return .object(members.merging(more) { $1 })
  }

  private func url(_ server: ScriptedServer) -> String {
    "\(server.url)/v1/projects/-/serviceAccounts/\(Self.email):generateAccessToken"
  }

  private func credentials(_ json: JSON, _ environment: [String: String] = [:]) throws -> (
    Credentials, KeyFile
  ) {
    let file = try KeyFile(json)
    let source = CredentialSource(
      environment: environment.merging(["GOOGLE_APPLICATION_CREDENTIALS": file.path]) { $1 })
    return (Credentials(source, http: Stage.http, now: { Stage.now }), file)
  }

  private func error(_ json: JSON, _ environment: [String: String] = [:]) async throws -> String {
    let (credentials, file) = try credentials(json, environment)
    defer { withExtendedLifetime(file) {} }
    do {
      _ = try await credentials.token()
      return "none"
    } catch let error as CredentialsError {
      return error.description
    }
  }

  private static func form(_ text: String) -> [String: String] {
    let pairs = text.split(separator: "&").map { pair -> (String, String) in
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts[0], (parts.count > 1 ? parts[1] : "").removingPercentEncoding ?? "")
    }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test func `a workload's token is exchanged by RFC 8693`() async throws {
    let server = try server()
    let folder = try TemporaryFolder()
    try folder.write("SUBJECT\n", to: "token")
    let (credentials, file) = try credentials(
      external(server, source: .object(["file": .string(folder.path(of: "token"))])))
    let token = try await credentials.token()
    #expect(token.secret == Secret("STS"))
    #expect(token.expiry?.microseconds == Stage.now.microseconds + 3_600_000_000)
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1 && request.method == "POST")
    #expect(
      Self.form(request.text) == [
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
        "audience": Self.pool + "/providers/PROVIDER_ID", "scope": ServiceAccountKey.scope,
        "requested_token_type": "urn:ietf:params:oauth:token-type:access_token",
        "subject_token": "SUBJECT", "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
      ])
    #expect(request[header: "Authorization"] == nil)
    let account = await credentials.account
    #expect(
      account.grant("roles/datastore.user", in: "p").contains(
        "--member='principalSet:\(Self.pool)/*' --role=roles/datastore.user"))
    withExtendedLifetime(file) {}
  }

  @Test func `the exchanged token fetches one of the service account`() async throws {
    let server = try server()
    let source: JSON = .object([
      "url": .string(server.url + "/subject"), "headers": .object(["X-A": .string("b")]),
      "format": .object([
        "type": .string("json"), "subject_token_field_name": .string("access_token"),
      ]),
    ])
    let (credentials, file) = try credentials(
      external(
        server, source: source, impersonates: true,
        adding: [
          "service_account_impersonation": .object(["token_lifetime_seconds": .integer(2_800)]),
          "quota_project_id": .string("payer"),
        ]))
    let token = try await credentials.token()
    #expect(token.secret == Secret("SA") && token.quotaProject == "payer")
    #expect(token.expiry?.rfc3339 == "2030-01-02T03:04:05Z")
    let requests = server.requests
    #expect(requests.map(\.target).first == "/subject" && requests[0][header: "X-A"] == "b")
    let form = Self.form(requests[1].text)
    #expect(form["subject_token"] == "FROM_URL")
    #expect(form["scope"] == "https://www.googleapis.com/auth/cloud-platform")
    #expect(requests[2][header: "Authorization"] == "Bearer STS")
    #expect(
      try JSON(parsing: requests[2].body)
        == .object([
          "delegates": .array([]), "lifetime": .string("2800s"),
          "scope": .array(
            ServiceAccountKey.scope.split(separator: " ").map { .string(String($0)) }),
        ]))
    #expect(await credentials.account.kind == .service(email: Self.email))
    withExtendedLifetime(file) {}
  }

  @Test func `a client authenticates itself, else the user project is named`() async throws {
    let server = try server()
    let source: JSON = .object(["url": .string(server.url + "/text")])
    let project = ["workforce_pool_user_project": JSON.string("pays")]
    let client = ["client_id": JSON.string("username"), "client_secret": .string("password")]
    for more in [project, project.merging(client) { $1 }] {
      let (credentials, file) = try credentials(external(server, source: source, adding: more))
      _ = try await credentials.token()
      withExtendedLifetime(file) {}
    }
    let exchanges = server.requests.filter { $0.target == "/v1/token" }
    #expect(Self.form(exchanges[0].text)["options"] == #"{"userProject":"pays"}"#)
    #expect(Self.form(exchanges[0].text)["subject_token"] == "FROM_TEXT")
    #expect(exchanges[1][header: "Authorization"] == "Basic dXNlcm5hbWU6cGFzc3dvcmQ=")
    #expect(Self.form(exchanges[1].text)["options"] == nil)
  }

  /// The answers of google-auth-library-python, tests/test_pluggable.py, and what it makes of them.
  @Test(arguments: [
    (
      #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:id_token","id_token":"FAKE_ID_TOKEN","expiration_time":9999999999}"#,
      "FAKE_ID_TOKEN"
    ),
    (
      #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:jwt","id_token":"FAKE_ID_TOKEN","expiration_time":9999999999}"#,
      "FAKE_ID_TOKEN"
    ),
    (
      #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:saml2","saml_response":"FAKE_SAML_RESPONSE","expiration_time":9999999999}"#,
      "FAKE_SAML_RESPONSE"
    ),
    (
      #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:id_token","id_token":"FAKE_ID_TOKEN"}"#,
      "FAKE_ID_TOKEN"
    ),
    (
      #"{"version":1,"success":false,"code":"401","message":"Permission denied. Caller not authorized"}"#,
      "refused: 401, Permission denied. Caller not authorized"
    ),
    (
      #"{"version":2,"success":true,"token_type":"urn:ietf:params:oauth:token-type:id_token","id_token":"FAKE_ID_TOKEN","expiration_time":9999999999}"#,
      "version 2"
    ),
    (
      #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:id_token","id_token":"FAKE_ID_TOKEN","expiration_time":0}"#,
      "expired"
    ),
    (
      #"{"version":1,"success":true,"token_type":"unsupported_token_type","id_token":"FAKE_ID_TOKEN","expiration_time":9999999999}"#,
      "unsupported_token_type is not supported"
    ),
    (
      #"{"success":true,"token_type":"urn:ietf:params:oauth:token-type:id_token","id_token":"FAKE_ID_TOKEN"}"#,
      "version: is missing"
    ),
    (
      #"{"version":1,"token_type":"urn:ietf:params:oauth:token-type:id_token","id_token":"FAKE_ID_TOKEN"}"#,
      "success: is missing"
    ),
    (#"{"version":1,"success":false,"message":"Permission denied."}"#, "code: is missing"),
    (#"{"version":1,"success":false,"code":"401"}"#, "message: is missing"),
    (
      #"{"version":1,"success":true,"id_token":"FAKE_ID_TOKEN","expiration_time":9999999999}"#,
      "token_type: is missing"
    ),
    ("no json", "not what it should be"),
  ])
  func `a command's answer is read as Google's library reads it`(answer: String, expected: String)
    async throws
  {
    let server = try server()
    let folder = try TemporaryFolder()
    try folder.write(answer, to: "answer")
    let source: JSON = .object([
      "executable": .object(["command": .string("cat \(folder.path(of: "answer"))")])
    ])
    let environment = ["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1", "PATH": "/usr/bin:/bin"]
    let error = try await error(external(server, source: source), environment)
    if error == "none" {
      let form = Self.form(server.requests.first?.text ?? "")
      #expect(form["subject_token"] == expected)
    } else {
      #expect(error.contains(expected), "\(error)")
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `a command runs only where that is allowed, and finds Google's variables`()
    async throws
  {
    let server = try server()
    let folder = try TemporaryFolder()
    let output = folder.path(of: "kept")
    let command = """
      echo '{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:jwt",\
      "id_token":"'$GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL'|'$GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE'|\
      '$GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE'|'$GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE'",\
      "expiration_time":9999999999}' | tee "$GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE"; echo x >> \(folder.path(of: "runs"))
      """
    let source: JSON = .object([
      "executable": .object(["command": .string(command), "output_file": .string(output)])
    ])
    let json = external(server, source: source, impersonates: true)
    let refused = try await error(json, ["PATH": "/usr/bin:/bin"])
    #expect(refused.contains("run only where GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES is 1"))
    let allowed = ["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1", "PATH": "/usr/bin:/bin"]
    #expect(try await error(json, allowed) == "none")
    let subject = try #require(Self.form(server.requests[0].text)["subject_token"])
    #expect(
      subject
        == "\(Self.email)|0|urn:ietf:params:oauth:token-type:jwt|\(Self.pool)/providers/PROVIDER_ID"
    )
    // The answer in its file holds, so the command does not run again.
    #expect(try await error(json, allowed) == "none")
    let runs = try String(contentsOfFile: folder.path(of: "runs"), encoding: .utf8)
    #expect(runs == "x\n")
  }

  @Test(arguments: [
    (#"{}"#, "credential_source is neither a file nor a url nor an executable"),
    (#"{"executable":{}}"#, "credential_source.executable.command is missing"),
    (#"{"executable":{"command":"x","timeout_millis":4999}}"#, "5 to 120 seconds"),
    (#"{"executable":{"command":"x","timeout_millis":120001}}"#, "5 to 120 seconds"),
    (#"{"file":"x","format":{"type":"xml"}}"#, "credential_source.format.type"),
    (#"{"file":"x","format":{"type":"json"}}"#, "subject_token_field_name is missing"),
    (#"{"environment_id":"aws1"}"#, "external_account of AWS or X.509"),
  ])
  func `a source that is none is a fault of the file`(source: String, problem: String) async throws
  {
    let server = try server()
    let error = try await error(external(server, source: try JSON(parsing: Array(source.utf8))))
    #expect(error.contains(problem), "\(error)")
  }

  @Test(arguments: [5_000, 120_000])
  func `a command may take from five seconds to two minutes`(milliseconds: Int) throws {
    let source: JSON = .object([
      "command": .string("x"), "timeout_millis": .integer(milliseconds),
    ])
    #expect(throws: Never.self) { try SubjectTokenSource(["executable": source]) }
  }

  @Test func `a refusal says which role is missing, and who needs it`() async throws {
    let refusal =
      #"{"error":{"code":403,"message":"Permission 'iam.serviceAccounts.getAccessToken' denied","status":"PERMISSION_DENIED"}}"#
    let server = try server(iam: .json(refusal, status: 403))
    let source: JSON = .object(["url": .string(server.url + "/text")])
    let workload = try await error(external(server, source: source, impersonates: true))
    #expect(workload.contains("Permission 'iam.serviceAccounts.getAccessToken' denied"))
    #expect(
      workload.contains(
        "\(Self.email) --role=roles/iam.workloadIdentityUser --member='principalSet:\(Self.pool)/*'`"
      )
    )
    let user = KeyFile.authorizedUser(tokenURL: server.url + "/refresh")
    let impersonated: JSON = .object([
      "type": .string("impersonated_service_account"), "source_credentials": user,
      "service_account_impersonation_url": .string(url(server)),
    ])
    let person = try await error(impersonated)
    #expect(person.contains("--role=roles/iam.serviceAccountTokenCreator --member=user:EMAIL`"))
  }

  @Test func `a refusal of the exchange points to the pool's provider`() async throws {
    let refusal = #"{"error":"invalid_grant","error_description":"The audience does not match"}"#
    let server = try server(sts: .json(refusal, status: 400))
    let error = try await error(
      external(server, source: .object(["url": .string(server.url + "/text")])))
    #expect(error.contains("invalid_grant (The audience does not match). Check the provider"))
  }

  @Test func `a user or a key acts as a service account`() async throws {
    let server = try server()
    for source in [
      KeyFile.authorizedUser(tokenURL: server.url + "/refresh"),
      try KeyFile.serviceAccount(tokenURL: server.url + "/refresh"),
    ] {
      let (credentials, file) = try credentials(
        .object([
          "type": .string("impersonated_service_account"), "source_credentials": source,
          "service_account_impersonation_url": .string(url(server)),
          "delegates": .array([.string("d@x")]),
        ]))
      #expect(try await credentials.token().secret == Secret("SA"))
      #expect(await credentials.account.kind == .service(email: Self.email))
      withExtendedLifetime(file) {}
    }
    let last = try #require(server.requests.last)
    #expect(last[header: "Authorization"] == "Bearer USER")
    #expect(try JSON(parsing: last.body).members()["delegates"] == .array([.string("d@x")]))
    #expect(try JSON(parsing: last.body).members()["lifetime"] == .string("3600s"))
  }

  @Test func `no token goes to another machine in plain text`() async throws {
    let server = try server()
    let json = external(
      server, source: .object(["file": .string("/t")]),
      adding: [
        "service_account_impersonation_url": .string("http://iam.example/x:generateAccessToken")
      ])
    #expect(try await error(json).contains("unencrypted and on another machine"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a token that is not there is told with its place`() async throws {
    let server = try server()
    let missing = try await error(
      external(server, source: .object(["file": .string("/nowhere/t")])))
    #expect(
      missing
        == "There is no token of the workload in the file /nowhere/t: no such file or directory. "
        + "Check what writes it, and credential_source of the credentials file.")
    let refused = try await error(
      external(server, source: .object(["url": .string(server.url + "/404")])))
    #expect(refused.contains("its status is 404"))
  }

  @Test(arguments: [(428, false), (429, true), (499, false), (500, true), (503, true)])
  func `a service that has too much to do may be asked again`(status: Int, isTransient: Bool) {
    let error = CredentialsError.impersonationRefused(
      email: Self.email, status: status, message: "no", role: "r", member: "m")
    #expect(error.isTransient == isTransient)
    #expect(error.description.hasSuffix("Try again later.") == isTransient)
  }

  @Test func `a provider that is busy has not refused`() async throws {
    let server = try server()
    let busy = try await error(
      external(server, source: .object(["url": .string(server.url + "/busy")])))
    #expect(busy.contains("did not answer with a token: HTTP 503"))
  }

  @Test(arguments: [(-1, false), (0, false), (1, true)])
  func `a command's token holds until its last second`(seconds: Int64, holds: Bool) throws {
    let expiry = Stage.now.microseconds / 1_000_000 + seconds
    let answer =
      #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:jwt","id_token":"A","expiration_time":\#(expiry)}"#
    let response = try? ExecutableResponse(Array(answer.utf8), now: Stage.now, needsExpiry: true)
    #expect((response?.token == "A") == holds)
  }
}
