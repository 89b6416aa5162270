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

  /// Whether the host is this machine, or one that only this link reaches: 169.254.0.0/16,
  /// fe80::/10, and the metadata servers of Google (by name) and of AWS (fd00:ec2::254).
  var isNear: Bool {
    let name = hostName.lowercased()
    if isLoopback || name == "metadata.google.internal" || name == "[fd00:ec2::254]" { return true }
    let isIPv4 = name.allSatisfy { $0.isNumber || $0 == "." }
    return (name.hasPrefix("169.254.") && isIPv4)
      || name.prefixMatch(of: /\[fe[89ab][0-9a-f]:/) != nil
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
