import HTTP

/// The error object of Google's APIs, `{"error": {"code", "message", "status", "details"}}`.
///
/// See `docs/firestore.md#errors`.
package struct ErrorEnvelope: Error, Hashable, Sendable {
  package var status: RPCStatus
  package var message: String
  /// The delay of `RetryInfo`; nil without one.
  package var retryDelay: Duration?
  /// The URLs of `Help`, in order.
  package var links: [String] = []
  /// The reason of `ErrorInfo`, such as `SERVICE_DISABLED`; nil without one.
  package var reason: String?
  /// The quotas that `ErrorInfo` and `QuotaFailure` name, such as
  /// `ReadRequestsPerMinutePerProject`.
  package var quotas: [String] = []
}

extension ErrorEnvelope {
  /// Finds the envelope in an answer or in an array of answers; nil when there is none.
  package init?(in json: JSON) {
    switch json {
    case .object(let members):
      guard case .object(let error)? = members["error"] else { return nil }
      self.init(error: error)
    case .array(let elements):
      guard let envelope = elements.lazy.compactMap(ErrorEnvelope.init(in:)).first else {
        return nil
      }
      self = envelope
    default: return nil
    }
  }

  /// Reads leniently: a malformed error must still be reported as an error.
  private init(error: [String: JSON]) {
    var status: RPCStatus?
    if case .string(let name)? = error["status"] { status = RPCStatus(rawValue: name) ?? .unknown }
    if status == nil, case .number(let text)? = error["code"],
      let code = WireNumber.integer(text)
    {
      status = RPCStatus(httpStatus: Int(clamping: code))
    }
    self.init(status: status ?? .unknown, error)
  }

  private init(status: RPCStatus, _ members: [String: JSON]) {
    self.init(
      status: status,
      message: QuotedText.clipped(members["message"].flatMap(\.string) ?? ""))
    if case .array(let details)? = members["details"] { details.forEach { read(detail: $0) } }
  }

  /// Reads a `google.rpc.Status`, whose `code` is a number of `RPCStatus`; nil for OK.
  static func refusal(rpcStatus json: JSON) throws(WireError) -> ErrorEnvelope? {
    let members = try json.members()
    let code = try members.integer("code") ?? 0
    guard code != 0 else { return nil }
    return ErrorEnvelope(status: RPCStatus(number: code) ?? .unknown, members)
  }

  private mutating func read(detail: JSON) {
    switch detail["@type"].flatMap(\.string)?.split(separator: ".").last {
    case "RetryInfo":
      retryDelay = detail["retryDelay"].flatMap(\.string).flatMap(Duration.init(wire:))
    case "Help": links += detail.texts("url", of: "links")
    case "ErrorInfo":
      reason = detail["reason"].flatMap(\.string)
      quotas += [detail["metadata"]?["quota_limit"].flatMap(\.string)].compactMap(\.self)
    case "QuotaFailure":
      quotas += detail.texts("quotaId", of: "violations")
      quotas += detail.texts("description", of: "violations")
    default: break
    }
  }
}

extension JSON {
  /// The text of a string; nil for other kinds.
  fileprivate var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The string `key` of every element of the list `list` that has one.
  fileprivate func texts(_ key: String, of list: String) -> [String] {
    guard case .array(let elements)? = self[list] else { return [] }
    return elements.compactMap { $0[key].flatMap(\.string).map(QuotedText.clipped) }
  }
}

extension Duration {
  /// Reads the JSON form of `google.protobuf.Duration`, `3.5s`; nil when malformed or negative.
  init?(wire text: String) {
    guard text.hasSuffix("s"), let seconds = Double(text.dropLast()), (0...1e9).contains(seconds)
    else { return nil }
    self = .milliseconds(Int64((seconds * 1000).rounded(.up)))
  }
}
