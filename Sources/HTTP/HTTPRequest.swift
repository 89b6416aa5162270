/// One request, as the caller wants it sent.
///
/// It prints as its method and URL without user, password and query: keys travel there.
package struct HTTPRequest: Sendable {
  package enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether sending it twice does what sending it once does, so that a dead kept-alive
    /// connection may be answered with a second try on a new one.
    package var isIdempotent: Bool { self != .post && self != .patch }

    /// Whether a redirect of it is followed.
    var followsRedirects: Bool { self == .get || self == .head }
  }

  package var method: Method
  /// Absolute, `http` or `https`, percent-encoded where needed.
  package var url: String
  package var headers: HTTPHeaders
  /// Sent as it is, with its length; empty means none for the methods that need none.
  package var body: [UInt8]
  /// Nil means the client's.
  package var timeouts: HTTPTimeouts?
  /// The most bytes of the decoded response body; nil means the client's.
  package var bodyLimit: Int?
  /// Where the response body finds its memory; nil for memory of its own.
  package var buffers: BodyBuffers?

  package init(
    _ method: Method = .get, _ url: String, headers: HTTPHeaders = HTTPHeaders(),
    body: [UInt8] = [], timeouts: HTTPTimeouts? = nil, bodyLimit: Int? = nil,
    buffers: BodyBuffers? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.bodyLimit = bodyLimit
    self.buffers = buffers
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String {
    do {
      return "\(method.rawValue) \(try WebAddress(url))"
    } catch {
      return "\(method.rawValue) (not a URL)"
    }
  }

  package var debugDescription: String { description }
}

extension HTTPRequest {
  /// Refuses what would let a value of the caller's end a header line and start another.
  func checkHeaders() throws {
    for field in headers.fields {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isHeaderNameByte) else {
        throw HTTPError.invalidRequest(
          reason: "a header name may only hold letters, digits and -_.!#$%&'*+^`|~")
      }
      guard !field.value.utf8.contains(where: \.isControlByte) else {
        throw HTTPError.invalidRequest(
          reason: "the value of the header '\(field.name)' holds a control character")
      }
    }
  }
}

extension UInt8 {
  /// RFC 9110 section 5.6.2, `tchar`.
  fileprivate var isHeaderNameByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }

  /// Anything below the space but the tab, and DEL.
  fileprivate var isControlByte: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }
}
