import HTTP
package import Model

package struct MomentRefusal: Error, Hashable, Sendable {
  package var status: Int
  /// The service's error code; nil when the answer is not the service's.
  package var code: String?
  /// The service's message: one line of at most 300 characters; nil without one.
  package var message: String?
  /// The maximum number of moments; nil when the answer does not contain it.
  package var limit: Int?
  /// The pause that the service requests; nil for none.
  package var retryAfter: Duration?

  package init(
    status: Int, code: String?, message: String?, limit: Int? = nil, retryAfter: Duration? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.limit = limit
    self.retryAfter = retryAfter
  }

  /// The quota that is used up; nil for other refusals.
  package var reachedLimit: MomentLimit? { code.flatMap(MomentLimit.init) }

  /// The meaning of a refusal: of its code, else of its status; docs/jobs.md#moments-service.
  package enum Reason: Hashable, Sendable {
    case limit(MomentLimit)
    case conflict
    case rate
    case invalid
    case unauthenticated
    /// A problem of the server, which may have carried out the request.
    case serverTrouble
    /// Not an answer of the service: the address is probably wrong.
    case foreign
  }

  package var reason: Reason {
    if let limit = reachedLimit { return .limit(limit) }
    switch code {
    case "INVALID_APP_TOKEN": return .unauthenticated
    case "RATE_LIMIT_EXCEEDED": return .rate
    case "VALIDATION_ERROR": return .invalid
    case "INTERNAL_ERROR", "INTERNAL_SERVER_ERROR": return .serverTrouble
    default: return reasonOfStatus
    }
  }

  private var reasonOfStatus: Reason {
    switch (status, code) {
    case (401, _): .unauthenticated
    case (429, _): .rate
    case (408, _), (425, _), (500..., _): .serverTrouble
    case (409, _): .conflict
    case (300..<400, _), (_, nil): .foreign
    default: .invalid
    }
  }
}

extension MomentRefusal: CustomStringConvertible {
  package var description: String {
    guard let code else {
      return "The moments service answered HTTP \(status) without an error code. "
        + "Check moments.base_url in firetally.yml, and any proxy in between."
    }
    let refusal =
      "The moments service refused: \(message ?? "no reason given") (\(code), HTTP \(status))."
    guard code == "INVALID_APP_TOKEN" else { return refusal }
    return refusal
      + " Check FIRETALLY_MOMENTS_TOKEN, or what moments.token_env or moments.token_file names."
  }
}

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
    }

    var meta: Meta?
  }

  /// Reads `{"error": {"code", "message"}, "meta": {"limit"}}`; of another body only the status
  /// counts.
  init(_ response: HTTPResponse, now: Int64) {
    let error = response.decoded(Envelope.self)?.error
    let meta = response.decoded(Details.self)?.meta
    self.init(
      status: response.status, code: error.map { Self.line($0.code) },
      message: error?.message.flatMap { $0.trimmed.isEmpty ? nil : Self.line($0) },
      limit: meta?.limit, retryAfter: response.retryAfter(now: now))
  }

  /// The text as one line of at most 300 characters, for lists and logs.
  private static func line(_ text: String) -> String {
    let visible = text.unicodeScalars.map { scalar in
      [.control, .format, .lineSeparator, .paragraphSeparator]
        .contains(scalar.properties.generalCategory) ? " " : scalar
    }
    return String(String.UnicodeScalarView(visible).prefix(300))
  }
}
