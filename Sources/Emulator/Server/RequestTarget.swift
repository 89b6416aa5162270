package import Firestore

package struct RequestRecord: Hashable, Sendable {
  /// As in the request line, in capitals.
  package var method: String
  /// The path and query of the request line, still encoded.
  package var target: String
  /// Keyed by lowercase names; of repeated fields the last.
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []

  /// The target up to its `?`.
  package var path: String {
    String(target.prefix { $0 != "?" })
  }

  /// The parsed body; an empty body is an empty object.
  package func json() throws -> JSON {
    body.isEmpty ? .object([:]) : try JSON(parsing: body)
  }
}

/// The target of a request line, split before it is decoded.
///
/// Decodes each segment on its own, so an encoded `/`, `?`, `#` or `:` is part of an id. A `+` is a
/// space in the query only; see RFC 3986 and `docs/firestore.md`.
package struct RequestTarget: Hashable, Sendable {
  package struct QueryParameter: Hashable, Sendable {
    /// In camel case.
    package var name: String
    package var value: String
  }

  /// The decoded segments, without the custom verb.
  package let path: [String]
  /// The text after the last unencoded `:` of the last segment, such as `runQuery`; nil without
  /// one.
  package let verb: String?
  package let parameters: [QueryParameter]

  package init(parsing target: String) throws(RefusedRequest) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var segments = (halves.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
    if segments.first?.isEmpty == true { segments.removeFirst() }
    var verb: String?
    if let last = segments.last, let colon = last.lastIndex(of: ":") {
      verb = try last[last.index(after: colon)...].percentDecoded()
      segments[segments.count - 1] = last[..<colon]
    }
    self.verb = verb
    var path: [String] = []
    for segment in segments { path.append(try segment.percentDecoded()) }
    self.path = path
    parameters = try RequestTarget.parameters(halves.count > 1 ? halves[1] : "")
  }

  private init(path: [String], parameters: [QueryParameter]) {
    self.path = path
    verb = nil
    self.parameters = parameters
  }

  /// The target for HTTP methods without custom verbs, whose colons are parts of ids.
  var withoutVerb: RequestTarget {
    guard let verb, let last = path.last else { return self }
    return RequestTarget(path: path.dropLast() + ["\(last):\(verb)"], parameters: parameters)
  }

  /// What stands at each `*` of a path such as `v1/projects/*/remoteConfig`; nil for other paths.
  func wildcards(of pattern: String) -> [String]? {
    let parts = pattern.split(separator: "/")
    guard path.count == parts.count, zip(path, parts).allSatisfy({ $1 == "*" || $0 == $1 }) else {
      return nil
    }
    return zip(path, parts).filter { $1 == "*" }.map(\.0)
  }

  /// The target without its trailing slash; nil when it has none.
  var withoutTrailingSlash: RequestTarget? {
    guard verb == nil, path.last == "" else { return nil }
    return RequestTarget(path: path.dropLast(), parameters: parameters)
  }

  /// The first value of that name; nil without one.
  func first(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  func all(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

  /// Throws for parameters that are neither `known` nor accepted by all Google APIs.
  func allowOnly(_ known: String...) throws(RefusedRequest) {
    for parameter in parameters where !known.contains(parameter.name) {
      guard !RequestTarget.universal.contains(parameter.name) else { continue }
      throw .invalid(
        "Invalid JSON payload received. Unknown name \"\(parameter.name)\": "
          + "Cannot bind query parameter. Field '\(parameter.name)' could not be found.")
    }
  }

  /// The parameter with the tags of a request for data; docs/readers.md#request-tags.
  static let tags = "requestOptions.requestTags"

  private static let universal: Set<String> = [
    "accessToken", "alt", "$alt", "callback", "fields", "key", "oauthToken", "prettyPrint",
    "$prettyPrint", "quotaUser", "uploadType", "uploadProtocol",
  ]

  private static func parameters(_ query: Substring) throws(RefusedRequest) -> [QueryParameter] {
    var parameters: [QueryParameter] = []
    for item in query.split(separator: "&") {
      let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count > 1 ? halves[1] : ""
      parameters.append(
        QueryParameter(
          name: WireName.camelCase(try halves[0].percentDecoded(plusIsSpace: true)),
          value: try value.percentDecoded(plusIsSpace: true)))
    }
    return parameters
  }
}

extension Substring {
  /// Not by Foundation, which drops U+FEFF at the beginning: it is a part of an id.
  fileprivate func percentDecoded(plusIsSpace: Bool = false) throws(RefusedRequest) -> String {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 2 else {
          throw .invalid("\"\(self)\" is not percent-encoded: % needs two hexadecimal digits")
        }
        rest = rest.dropFirst(2)
        bytes.append(UInt8(digits[0] << 4 | digits[1]))
      case UInt8(ascii: "+"): bytes.append(plusIsSpace ? UInt8(ascii: " ") : byte)
      default: bytes.append(byte)
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalid("\"\(self)\" is not UTF-8 when percent-decoded")
    }
    return text
  }
}
