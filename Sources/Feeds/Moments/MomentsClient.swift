import FoundationEssentials
package import HTTP
package import Model

/// Speaks to the service that keeps the users' moments.
///
/// Every request carries the app's token, which no message shows. It never tries again by itself.
package struct MomentsClient: Sendable {
  package enum Answer: Hashable, Sendable {
    /// The service has the moment, under the id it gave it; nil when it did not tell.
    case taken(id: String?)
    /// The service itself says that it has no moment of that client id.
    case absent
    case refused(MomentRefusal)
  }

  /// Bytes of an answer at most: it is one moment, or an error.
  static let answerLimit = 1 << 20

  private let http: HTTPClient
  private let baseURL: String
  private let headers: HTTPHeaders

  /// `baseURL` is what `/moments` follows, with or without slashes at its end.
  package init(http: HTTPClient, baseURL: String, appToken: String) {
    self.http = http
    self.baseURL = baseURL.withoutSlashesAtEnd
    var headers: HTTPHeaders = ["Accept": "application/json"]
    headers.add("x-app-token-code", appToken, isSecret: true)
    self.headers = headers
  }

  /// Sends the moment; not idempotent: after a failure, whether the service has it is unknown.
  ///
  /// Throws `HTTPError`, or `FeedError.malformed` for a success that is not the service's.
  package func post(_ moment: Moment, userId: String, now: Instant) async throws -> Answer {
    var request = HTTPRequest(.post, "\(baseURL)/moments", headers: headers(for: userId))
    request.headers.add("Content-Type", "application/json")
    request.body = try Self.body(of: moment)
    return try await answer(to: request, about: moment.clientId, now: now)
  }

  /// Asks whether the service has the moment with that client id, a UUID; throws like `post`.
  package func find(clientId: String, userId: String, now: Instant) async throws -> Answer {
    let request = HTTPRequest(
      .get, "\(baseURL)/moments/by-client-id/\(clientId)", headers: headers(for: userId))
    let answer = try await answer(to: request, about: clientId, now: now)
    // A 404 without a code is a gateway's, which knows nothing of moments.
    if case .refused(let refusal) = answer, refusal.status == 404, refusal.code != nil {
      return .absent
    }
    return answer
  }

  private func headers(for userId: String) -> HTTPHeaders {
    var headers = headers
    headers.add("x-user-id", userId)
    return headers
  }

  private func answer(
    to request: HTTPRequest, about clientId: String, now: Instant
  ) async throws -> Answer {
    var request = request
    request.bodyLimit = Self.answerLimit
    let response = try await http.send(request)
    guard response.isSuccess else {
      return .refused(MomentRefusal(response, now: now.unixSeconds))
    }
    return .taken(id: try Self.id(in: response.body, of: clientId))
  }

  private struct Body: Encodable {
    let clientId: String
    let text: String
    let submittedAt: Instant
    let tz: String
    let timeAgo: Int
  }

  private static func body(of moment: Moment) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(
      try encoder.encode(
        Body(
          clientId: moment.clientId, text: moment.text, submittedAt: moment.submittedAt,
          tz: moment.tz, timeAgo: moment.timeAgo)))
  }

  private struct Record: Decodable {
    enum CodingKeys: CodingKey {
      case id, clientId
    }

    var id: String?
    var clientId: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      clientId = try container.decodeIfPresent(String.self, forKey: .clientId)
      do {
        id = try container.decodeIfPresent(String.self, forKey: .id)
      } catch is DecodingError {
        // The service names its records as it likes; only a text is worth remembering.
        id = nil
      }
    }
  }

  private struct Envelope: Decodable {
    var item: Record?
  }

  /// The service's id of a moment that it took.
  ///
  /// A success that is no JSON object, or is about another moment, comes from somebody else.
  private static func id(in body: [UInt8], of clientId: String) throws(FeedError) -> String? {
    let record: Record
    do {
      let data = Data(body)
      let decoder = JSONDecoder()
      record =
        try decoder.decode(Envelope.self, from: data).item
        ?? decoder.decode(Record.self, from: data)
    } catch {
      throw .malformed(feed: feed, reason: "its answer is not the moment that was sent")
    }
    guard record.clientId.map({ $0.lowercased() == clientId.lowercased() }) ?? true else {
      throw .malformed(feed: feed, reason: "its answer is about another moment")
    }
    return record.id
  }

  private static let feed = "The moments service"
}
