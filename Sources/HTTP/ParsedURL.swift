import CCurl

/// A URL parsed by libcurl, so that this program and libcurl agree on its parts.
///
/// Its description leaves out user, password, query and fragment.
struct ParsedURL: Hashable, Sendable, CustomStringConvertible {
  let url: String
  let scheme: String
  let hostName: String
  let port: String
  let path: String

  static let webSchemes: Set = ["http", "https"]

  /// Parses an absolute URL with one of the schemes; throws `HTTPError.invalidRequest`.
  init(_ url: String, schemes: Set<String> = ParsedURL.webSchemes) throws(HTTPError) {
    try self.init(Self.parse(url, relativeTo: nil), schemes)
  }

  /// Resolves the value of a `Location` header against this URL.
  func resolving(_ location: String) throws(HTTPError) -> ParsedURL {
    try ParsedURL(Self.parse(location, relativeTo: url), Self.webSchemes)
  }

  /// Host name and port, as error messages name a server.
  var host: String { "\(hostName):\(port)" }

  var description: String {
    let isDefault = (scheme == "https" && port == "443") || (scheme == "http" && port == "80")
    return "\(scheme)://\(hostName)\(isDefault ? "" : ":\(port)")\(path)"
  }

  /// Whether both have the same scheme, host and port, so that credentials may go to either.
  func hasOrigin(of other: ParsedURL) -> Bool {
    scheme == other.scheme && port == other.port
      && hostName.lowercased() == other.hostName.lowercased()
  }

  /// Whether the host is this machine, which no proxy can reach.
  var isLoopback: Bool {
    let name = hostName.lowercased()
    return name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]"
      || (name.hasPrefix("127.") && name.allSatisfy { $0.isNumber || $0 == "." })
  }

  private init(
    _ parts: [CURLUPart.RawValue: String], _ schemes: Set<String>
  ) throws(HTTPError) {
    scheme = parts[CURLUPART_SCHEME.rawValue, default: ""]
    guard schemes.contains(scheme) else {
      let starts = schemes.sorted().map { "\($0)://" }.joined(separator: " or ")
      throw HTTPError.invalidRequest(reason: "a URL starts with \(starts)")
    }
    url = parts[CURLUPART_URL.rawValue, default: ""]
    hostName = parts[CURLUPART_HOST.rawValue, default: ""]
    port = parts[CURLUPART_PORT.rawValue, default: ""]
    path = parts[CURLUPART_PATH.rawValue, default: ""]
  }

  private static func parse(
    _ url: String, relativeTo base: String?
  ) throws(HTTPError) -> [CURLUPart.RawValue: String] {
    guard !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw HTTPError.invalidRequest(reason: "the URL holds a space or a control character")
    }
    try CurlLibrary.start()
    guard let handle = curl_url() else {
      throw HTTPError.invalidRequest(reason: "out of memory")
    }
    defer { curl_url_cleanup(handle) }
    for text in [base, url].compactMap(\.self) {
      let code = curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
      guard code == CURLUE_OK else {
        throw HTTPError.invalidRequest(reason: String(cString: curl_url_strerror(code)))
      }
    }
    return parts(of: handle)
  }

  private static func parts(of handle: OpaquePointer) -> [CURLUPart.RawValue: String] {
    var parts: [CURLUPart.RawValue: String] = [:]
    let wanted = [CURLUPART_URL, CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT, CURLUPART_PATH]
    for part in wanted {
      let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
      var text: UnsafeMutablePointer<CChar>?
      guard firetally_curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else {
        continue
      }
      parts[part.rawValue] = String(cString: text)
      curl_free(text)
    }
    return parts
  }
}

/// Percent-encoding of URL parts, RFC 3986.
package enum PercentEncoding {
  /// Encodes one path segment, `/`, `?`, `#`, `%`, `:` and spaces included.
  ///
  /// Parentheses stay: every Google client sends `(default)` literally.
  package static func path(_ segment: String) -> String { encode(segment, keeping: "()") }

  /// Encodes a name or a value of a query string or a form; a space becomes `%20`.
  package static func query(_ text: String) -> String { encode(text, keeping: "") }

  /// Not by libcurl, which takes at most 8 MB: a token of a page may be longer.
  private static func encode(_ text: String, keeping kept: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      if isUnreserved(byte) || byte < 0x80 && kept.unicodeScalars.contains(scalar) {
        encoded.unicodeScalars.append(scalar)
      } else {
        encoded += byte < 16 ? "%0" : "%"
        encoded += String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }

  /// RFC 3986 section 2.3.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

extension String {
  /// A base URL to which a path can be appended.
  package var withoutTrailingSlashes: String {
    var text = self[...]
    while text.last == "/" { text.removeLast() }
    return String(text)
  }
}
