import Firestore
import Model

/// The moments service's API over a `MomentStore`; see `docs/jobs.md#moments-service`.
struct MomentEndpoints: Sendable {
  let store: MomentStore

  /// A refused request, with the service's error.
  private struct Refused: Error {
    let status: Int
    let code: String
    let message: String
    var meta: [String: JSON] = [:]
  }

  private static let textLengths = 1...1_000

  /// Nil for a target outside of the service.
  func response(to request: RequestRecord, _ target: RequestTarget) -> ServerResponse? {
    guard target.path.first == "moments", target.verb == nil else { return nil }
    do {
      let user = try Self.user(of: request)
      switch (request.method, target.path.count, target.path.last) {
      case ("POST", 1, _): return try post(request, user)
      case ("GET", 2, let id?): return try Self.found(store.entry(of: user) { $0.id == id })
      case ("GET", 3, let id?) where target.path[1] == "by-client-id":
        return try Self.found(
          store.entry(of: user) { $0.moment.clientId.lowercased() == id.lowercased() })
      default: throw Refused(status: 404, code: "NOT_FOUND", message: "No such endpoint.")
      }
    } catch let refused as Refused {
      return Self.response(refused)
    } catch {
      return Self.response(
        Refused(status: 400, code: "VALIDATION_ERROR", message: "The body cannot be read: \(error)")
      )
    }
  }

  private static func user(of request: RequestRecord) throws -> String {
    guard request.headers["x-app-token-code"]?.isEmpty == false else {
      throw Refused(status: 401, code: "INVALID_APP_TOKEN", message: "The app token is missing.")
    }
    guard let user = request.headers["x-user-id"], !user.isEmpty else {
      throw Refused(status: 401, code: "RESTRICTED_ACCESS", message: "The user id is missing.")
    }
    return user
  }

  private func post(_ request: RequestRecord, _ user: String) throws -> ServerResponse {
    let moment = try Self.moment(
      in: try Message(request.json(), "clientId", "text", "submittedAt", "tz", "timeAgo"))
    switch store.add(moment, of: user) {
    case .added(let entry), .known(let entry): return try Self.found(entry)
    case .refused(let limit, let allowed, let isPremium):
      throw Refused(
        status: 400, code: limit.rawValue,
        message: limit == .daily
          ? "The daily limit is reached." : "The total limit is reached.",
        meta: ["limit": .integer(allowed), "isPremium": .boolean(isPremium)])
    }
  }

  private static func moment(in message: Message) throws -> Moment {
    let text = try message.text("text") ?? ""
    let at = try message.text("submittedAt") ?? ""
    guard textLengths.contains(text.count), let submittedAt = Instant(iso8601: at),
      let clientId = try message.text("clientId"), !clientId.isEmpty
    else {
      throw Refused(
        status: 400, code: "VALIDATION_ERROR",
        message: "A moment needs clientId, submittedAt, and a text of 1 to 1000 characters.")
    }
    return Moment(
      clientId: clientId, text: text, submittedAt: submittedAt,
      tz: try message.text("tz") ?? "UTC", timeAgo: try message.count("timeAgo") ?? 0)
  }

  private static func found(_ entry: MomentStore.StoredMoment?) throws -> ServerResponse {
    guard let entry else {
      throw Refused(status: 404, code: "MOMENT_NOT_FOUND", message: "There is no such moment.")
    }
    let moment = entry.moment
    return ServerResponse(
      json: .object([
        "item": .object([
          "id": .string(entry.id), "clientId": .string(moment.clientId),
          "text": .string(moment.text), "submittedAt": .string(moment.submittedAt.description),
          "tz": .string(moment.tz), "timeAgo": .integer(moment.timeAgo),
        ])
      ]))
  }

  private static func response(_ refused: Refused) -> ServerResponse {
    var members: [String: JSON] = [
      "error": .object(["code": .string(refused.code), "message": .string(refused.message)])
    ]
    if !refused.meta.isEmpty { members["meta"] = .object(refused.meta) }
    return ServerResponse(json: .object(members), status: refused.status)
  }
}
