import FoundationEssentials
import HTTP

extension MomentRefusal {
  private struct Envelope: Decodable {
    struct Failure: Decodable {
      var code: String
      var message: String?
    }

    var error: Failure
  }

  private struct Details: Decodable {
    struct Meta: Decodable {
      var limit: Int?
      var isPremium: Bool?
    }

    var meta: Meta?
  }

  /// Reads `{"error": {"code", "message"}, "meta": {"limit", "isPremium"}}`; what is not of this
  /// shape says nothing beside its status.
  init(_ response: HTTPResponse, now: Int64) {
    let error = Self.decoded(Envelope.self, from: response.body)?.error
    let meta = Self.decoded(Details.self, from: response.body)?.meta
    self.init(
      status: response.status, code: error.map { Self.line($0.code) },
      message: error?.message.map(Self.line) ?? "no reason given", limit: meta?.limit,
      isPremium: meta?.isPremium, retryAfter: response.retryAfter(now: now))
  }

  private static func decoded<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) -> Value? {
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch {
      // Whatever came is not the service's envelope, which is all that this reader is asked.
      return nil
    }
  }

  /// What a server writes goes into lists and logs: one line, and not a long one.
  private static func line(_ text: String) -> String {
    let visible = text.unicodeScalars.map { scalar in
      [.control, .format, .lineSeparator, .paragraphSeparator]
        .contains(scalar.properties.generalCategory) ? " " : scalar
    }
    return String(String.UnicodeScalarView(visible).prefix(300))
  }
}
