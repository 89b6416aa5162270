import HTTP
import Model

/// A client for tokens over HTTP, from an OAuth endpoint or from the metadata server.
struct TokenEndpoint: Sendable {
  static let googleURL = "https://oauth2.googleapis.com/token"

  let http: HTTPClient
  let now: @Sendable () -> Timestamp

  private static let timeouts = HTTPTimeouts(stall: .seconds(20), total: .seconds(40))
  private static let mostBytes = 1 << 20

  /// Posts the form to an OAuth token endpoint, RFC 6749 section 5.
  func token(
    posting form: [(String, String)], to url: String, client: (id: String, secret: Secret)? = nil
  ) async throws -> AccessToken {
    let body = form.map { name, value in
      "\(PercentEncoding.query(name))=\(PercentEncoding.query(value))"
    }
    var headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
    if let client {
      let pair = Base64.encode("\(client.id):\(client.secret.revealed)".utf8)
      headers.add("Authorization", "Basic \(pair)", isSecret: true)
    }
    let request = HTTPRequest(
      .post, url, headers: headers, body: Array(body.joined(separator: "&").utf8),
      timeouts: Self.timeouts, bodyLimit: Self.mostBytes)
    return try read(try await send(request, host: Self.host(url)), host: Self.host(url))
  }

  /// Exchanges a workload's token for one of Google's at the Security Token Service.
  func exchange(_ subjectToken: String, by account: ExternalAccount) async throws -> AccessToken {
    do {
      return try await token(
        posting: account.tokenForm(subjectToken: subjectToken), to: account.tokenURL,
        client: account.client)
    } catch CredentialsError.tokenRefused(let host, let error, let description) {
      throw CredentialsError.workloadRefused(host: host, error: error, description: description)
    }
  }

  /// Requests a token of a service account, with a token of a principal that may act as it.
  ///
  /// The error of a refusal says that `member` may lack `role`.
  func token(
    actingAs impersonation: Impersonation, by token: AccessToken, role: String, member: String
  ) async throws -> AccessToken {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    headers.add("Authorization", "Bearer \(token.secret.revealed)", isSecret: true)
    let host = Self.host(impersonation.url)
    let response = try await send(
      HTTPRequest(
        .post, impersonation.url, headers: headers, body: impersonation.body.serialized(),
        timeouts: Self.timeouts, bodyLimit: Self.mostBytes), host: host)
    return try reading(response, host: host) { json in
      guard response.isSuccess else {
        let message = ErrorEnvelope(in: json)?.message ?? "no reason given"
        throw CredentialsError.impersonationRefused(
          email: impersonation.email, status: response.status,
          message: QuotedText.clipped(message), role: role, member: member)
      }
      let members = try json.members()
      let expiry = try members.required("expireTime", Timestamp.init(json:))
      return AccessToken(secret: Secret(try members.requiredText("accessToken")), expiry: expiry)
    }
  }

  /// Requests a token from the metadata server of a Google machine; throws `.noneFound` without
  /// one.
  func metadataToken(host: String) async throws -> AccessToken {
    let path = "instance/service-accounts/default/token"
    return try read(try await metadata(path, host: host), host: host)
  }

  func metadataProject(host: String) async throws -> String {
    let response = try await metadata("project/project-id", host: host)
    guard response.isSuccess, let project = String(validating: response.body, as: UTF8.self),
      !project.isEmpty
    else { throw CredentialsError.noProject }
    return project
  }

  private func metadata(_ path: String, host: String) async throws -> HTTPResponse {
    let request = HTTPRequest(
      .get, "http://\(host)/computeMetadata/v1/\(path)", headers: ["Metadata-Flavor": "Google"],
      timeouts: HTTPTimeouts(connect: .seconds(1), stall: .seconds(5), total: .seconds(10)))
    let response: HTTPResponse
    do {
      response = try await send(request, host: host)
    } catch CredentialsError.unreachable(_, .resolveFailed),
      CredentialsError.unreachable(_, .refused), CredentialsError.unreachable(_, .timedOut)
    {
      throw CredentialsError.noneFound
    }
    guard response.headers["Metadata-Flavor"] == "Google" else { throw CredentialsError.noneFound }
    return response
  }

  /// - Throws: `.unreachable`, or a cancellation.
  func send(_ request: HTTPRequest, host: String) async throws -> HTTPResponse {
    do {
      return try await http.send(request)
    } catch HTTPError.cancelled {
      throw CancellationError()
    } catch let error as HTTPError {
      throw CredentialsError.unreachable(host: host, error)
    }
  }

  /// Reads an answer with `body`; throws an error about an answer that is not a token, or not JSON.
  private func reading(
    _ response: HTTPResponse, host: String, _ body: (JSON) throws -> AccessToken
  ) throws -> AccessToken {
    func malformed(_ error: any Error) -> CredentialsError {
      .malformedToken(host: host, problem: "HTTP \(response.status), \(error)")
    }
    do {
      return try body(JSON(parsing: response.body))
    } catch let error as JSONError {
      throw malformed(error)
    } catch let error as WireError {
      throw malformed(error)
    }
  }

  private func read(_ response: HTTPResponse, host: String) throws -> AccessToken {
    try reading(response, host: host) { json in
      let members = try json.members()
      guard response.isSuccess else { throw try Self.refusal(members, host: host) }
      let token = try members.requiredText("access_token")
      let lifetime = try members.integer("expires_in")
      let expiry = lifetime.map { seconds in
        Timestamp(microseconds: now().microseconds + min(max(0, seconds), 86_400) * 1_000_000)
      }
      var answer = AccessToken(secret: Secret(token), expiry: expiry)
      answer.refreshToken = try members.text("refresh_token").map { Secret($0) }
      return answer
    }
  }

  private static func refusal(
    _ members: [String: JSON], host: String
  ) throws(WireError) -> CredentialsError {
    let error = try members.requiredText("error")
    let description = try members.text("error_description")
    return .tokenRefused(
      host: host, error: QuotedText.clipped(error),
      description: description.map(QuotedText.clipped) ?? "no reason given")
  }

  /// The host and port of a URL, for messages.
  static func host(_ url: String) -> String {
    let rest = url.split(separator: "/", omittingEmptySubsequences: true)
    return rest.count > 1 ? String(rest[1]) : url
  }
}
