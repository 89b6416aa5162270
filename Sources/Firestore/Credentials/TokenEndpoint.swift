import HTTP

/// Fetches tokens over HTTP, from an OAuth endpoint or from the metadata server.
struct TokenEndpoint: Sendable {
  static let googleURL = "https://oauth2.googleapis.com/token"

  let http: HTTPClient
  let now: @Sendable () -> Timestamp

  /// Posts the form to an OAuth token endpoint, RFC 6749 section 5.
  func token(posting form: [(String, String)], to url: String) async throws -> AccessToken {
    let body = form.map { name, value in
      "\(PercentEncoding.query(name))=\(PercentEncoding.query(value))"
    }
    let request = HTTPRequest(
      .post, url, headers: ["Content-Type": "application/x-www-form-urlencoded"],
      body: Array(body.joined(separator: "&").utf8),
      timeouts: HTTPTimeouts(stall: .seconds(20), total: .seconds(40)), bodyLimit: 1 << 20)
    return try read(try await send(request, host: Self.host(url)), host: Self.host(url))
  }

  /// Asks the metadata server of a Google machine; throws `.noneFound` when there is none.
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
      response = try await http.send(request)
    } catch HTTPError.resolveFailed, HTTPError.refused, HTTPError.timedOut {
      throw CredentialsError.noneFound
    } catch HTTPError.cancelled {
      throw CancellationError()
    } catch let error as HTTPError {
      throw CredentialsError.unreachable(host: host, error)
    }
    guard response.headers["Metadata-Flavor"] == "Google" else { throw CredentialsError.noneFound }
    return response
  }

  private func send(_ request: HTTPRequest, host: String) async throws -> HTTPResponse {
    do {
      return try await http.send(request)
    } catch HTTPError.cancelled {
      throw CancellationError()
    } catch let error as HTTPError {
      throw CredentialsError.unreachable(host: host, error)
    }
  }

  private func read(_ response: HTTPResponse, host: String) throws -> AccessToken {
    do {
      let members = try JSON(parsing: response.body).members()
      guard response.isSuccess else { throw try Self.refusal(members, host: host) }
      let token = try members.requiredText("access_token")
      let lifetime = try members.optional("expires_in") { json throws(WireError) in
        try json.integer()
      }
      let expiry = lifetime.map { seconds in
        Timestamp(microseconds: now().microseconds + min(max(0, seconds), 86_400) * 1_000_000)
      }
      return AccessToken(secret: Secret(token), expiry: expiry)
    } catch let error as JSONError {
      throw CredentialsError.malformedToken(
        host: host, problem: "HTTP \(response.status), \(error)")
    } catch let error as WireError {
      throw CredentialsError.malformedToken(
        host: host, problem: "HTTP \(response.status), \(error)")
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
  private static func host(_ url: String) -> String {
    let rest = url.split(separator: "/", omittingEmptySubsequences: true)
    return rest.count > 1 ? String(rest[1]) : url
  }
}
