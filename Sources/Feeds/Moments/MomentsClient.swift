import FoundationEssentials
package import HTTP
package import Model

/// A client of the moments service.
///
/// Sends the app's token, which no message shows, and does not retry.
package struct MomentsClient: Sendable {
  package enum Response: Hashable, Sendable {
    /// The service has the moment; the id is nil when the answer does not contain it.
    case taken(id: String?)
    /// The service has no moment with that client id.
    case absent
    case refused(MomentRefusal)
  }

  /// The maximum size of an answer in bytes: one moment or an error.
  static let answerLimit = 1 << 20

  private let http: HTTPClient
  private let baseURL: String
  private let headers: HTTPHeaders

  /// `baseURL` is the address without `/moments`, with or without trailing slashes.
  package init(http: HTTPClient, baseURL: String, appToken: String) {
    self.http = http
    self.baseURL = baseURL.withoutTrailingSlashes
    var headers: HTTPHeaders = ["Accept": "application/json"]
    headers.add("x-app-token-code", appToken, isSecret: true)
    self.headers = headers
  }

  /// Sends the moment; after an error it is unknown whether the service has it.
  ///
  /// Throws `HTTPError`, or `FeedError.malformed` for a success that is not the service's.
  package func post(_ moment: Moment, userId: String, now: Instant) async throws -> Response {
    var request = HTTPRequest(.post, "\(baseURL)/moments", headers: headers(for: userId))
    request.headers.add("Content-Type", "application/json")
    request.body = try Self.body(of: moment)
    return try await send(request, about: moment.clientId, now: now)
  }

  /// Looks up the moment with that client id, a UUID; throws like `post`.
  package func find(clientId: String, userId: String, now: Instant) async throws -> Response {
    let request = HTTPRequest(
      .get, "\(baseURL)/moments/by-client-id/\(clientId)", headers: headers(for: userId))
    let response = try await send(request, about: clientId, now: now)
    if case .refused(let refusal) = response, refusal.meansAbsent { return .absent }
    return response
  }

  private func headers(for userId: String) -> HTTPHeaders {
    var headers = headers
    headers.add("x-user-id", userId)
    return headers
  }

  private func send(
    _ request: HTTPRequest, about clientId: String, now: Instant
  ) async throws -> Response {
    var request = request
    request.bodyLimit = Self.answerLimit
    let response = try await http.send(request)
    let refusal = MomentRefusal(response, now: now.unixSeconds)
    guard response.isSuccess, refusal.code == nil else { return .refused(refusal) }
    return .taken(id: try Self.id(in: response, of: clientId))
  }

  private static func body(of moment: Moment) throws -> [UInt8] {
    var body = moment
    // The headers say whose it is.
    body.userId = nil
    return Array(try StoredJSON.text(of: body).utf8)
  }

  private struct Record: Decodable {
    enum CodingKeys: CodingKey {
      case id, clientId
    }

    var id: String?
    var clientId: String?
    var hasId: Bool

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      clientId = try container.decodeIfPresent(String.self, forKey: .clientId)
      hasId = try container.contains(.id) && !container.decodeNil(forKey: .id)
      do {
        id = try container.decodeIfPresent(String.self, forKey: .id)
      } catch is DecodingError {
        // Only an id that is a text is kept.
        id = nil
      }
    }
  }

  private struct Envelope: Decodable {
    /// An error without a readable code.
    struct Failure: Decodable {}

    var item: Record?
    var error: Failure?
  }

  /// The service's id of the moment.
  ///
  /// Throws for a success that is not a JSON object, is about another moment, or names none: a
  /// proxy says `{"status": "ok"}`, too.
  private static func id(
    in response: HTTPResponse, of clientId: String
  ) throws(FeedError) -> String? {
    guard let envelope = response.decoded(Envelope.self),
      let record = envelope.item ?? response.decoded(Record.self)
    else {
      throw .malformed(feed: feed, reason: "its answer is not the moment that was sent")
    }
    guard envelope.error == nil else {
      throw .malformed(feed: feed, reason: "its answer is an error without a code")
    }
    guard record.clientId.map({ $0.lowercased() == clientId.lowercased() }) ?? true else {
      throw .malformed(feed: feed, reason: "its answer is about another moment")
    }
    guard record.hasId || record.clientId != nil else {
      throw .malformed(feed: feed, reason: "its answer has neither an id nor a clientId")
    }
    return record.id
  }

  private static let feed = "The moments service"
}

extension MomentRefusal {
  /// Whether the answer to a lookup means that there is no such moment.
  ///
  /// A 404 without a code is a gateway's and means nothing.
  fileprivate var meansAbsent: Bool {
    if code == "MOMENT_NOT_FOUND" { return true }
    return status == 404 && reason == .invalid && code != "VALIDATION_ERROR"
  }
}
