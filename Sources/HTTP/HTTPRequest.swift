import CCurl
import Foundation
import Synchronization

/// A request.
///
/// Its description leaves out user, password and query, which may contain keys.
package struct HTTPRequest: Sendable {
  package enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether a request may be sent again on a new connection when a kept-alive one breaks.
    package var isIdempotent: Bool { self != .post && self != .patch }

    var followsRedirects: Bool { self == .get || self == .head }
  }

  package var method: Method
  /// An absolute `http` or `https` URL, percent-encoded.
  package var url: String
  package var headers: HTTPHeaders
  /// Sent unchanged with its length; empty means no body for methods that need none.
  package var body: [UInt8]
  /// Nil for the client's timeouts.
  package var timeouts: HTTPTimeouts?
  /// The maximum size of the decoded response body in bytes; nil for the client's limit.
  package var bodyLimit: Int?
  /// Provides the memory of the response body; nil allocates it.
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

/// Reuses the memory of response bodies for the next large responses.
///
/// The system clears memory before it hands it out again. For hundreds of pages of a megabyte each,
/// that is a tenth of the work.
package final class BodyBuffers: Sendable {
  /// One buffer for the page being scanned and one for the page on its way.
  private static let maximumCount = 2
  /// The largest buffer that is kept, in bytes.
  private static let maximumCapacity = 8 << 20

  private let kept = Mutex<[[UInt8]]>([])

  package init() {}

  /// An empty array; with reserved capacity when a buffer was kept.
  func take() -> [UInt8] { kept.withLock { $0.popLast() } ?? [] }

  package func removeAll() { kept.withLock { $0 = [] } }

  /// Takes the memory of a body, which must not be shared, and leaves the body empty.
  package func keep(_ body: inout [UInt8]) {
    var buffer: [UInt8] = []
    swap(&buffer, &body)
    buffer.removeAll(keepingCapacity: true)
    guard (1...Self.maximumCapacity).contains(buffer.capacity) else { return }
    kept.withLock { [buffer] kept in
      if kept.count < Self.maximumCount { kept.append(buffer) }
    }
  }
}

extension HTTPRequest: CustomStringConvertible {
  package var description: String {
    do {
      return "\(method.rawValue) \(try ParsedURL(url))"
    } catch {
      return "\(method.rawValue) (not a URL)"
    }
  }
}

extension HTTPRequest {
  /// Throws for a name or value that could end its header line and begin another.
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

  /// A control character other than the tab.
  fileprivate var isControlByte: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }
}

/// How long the phases of a request may take.
package struct HTTPTimeouts: Hashable, Sendable {
  /// From the start until the connection is established, name resolution and TLS included.
  package var connect: Duration
  /// Time with fewer than `slowestRate` bytes a second in both directions together, waiting for the
  /// response included.
  ///
  /// Rounded up to seconds; libcurl averages over five seconds and may react that much later.
  package var stall: Duration
  /// From the start to the last byte; starts again for each redirect.
  package var total: Duration

  /// Bytes a second: a server that sends one now and then is taken for silent.
  ///
  /// See `docs/firestore.md#errors`.
  static let slowestRate = 100

  package init(
    connect: Duration = .seconds(10), stall: Duration = .seconds(60),
    total: Duration = .seconds(300)
  ) {
    self.connect = connect
    self.stall = stall
    self.total = total
  }
}

extension Duration {
  /// At least 1: libcurl takes 0 for no timeout.
  var curlMilliseconds: Int {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    return Int(max(1, milliseconds))
  }

  /// Rounded up, at least 1.
  var curlSeconds: Int {
    Int(max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0)))
  }
}

/// Header fields in the order they were added; names are case-insensitive.
package struct HTTPHeaders: Sendable {
  /// One field; a secret field is never printed and never sent to another origin.
  package struct HeaderField: Hashable, Sendable {
    package var name: String
    package var value: String
    package var isSecret: Bool
  }

  package private(set) var fields: [HeaderField]

  package init(_ fields: [(String, String)] = []) {
    self.fields = []
    for (name, value) in fields { add(name, value) }
  }

  /// Appends a field, even when a field of the same name exists.
  ///
  /// Fields that conventionally carry credentials (`Authorization`, `Cookie`, ...) are always
  /// secret.
  package mutating func add(_ name: String, _ value: String, isSecret: Bool = false) {
    let secret = isSecret || Self.credentialNames.contains(name.lowercased())
    fields.append(HeaderField(name: name, value: value, isSecret: secret))
  }

  /// The first value of that name; setting replaces all values, nil removes them.
  package subscript(name: String) -> String? {
    get { values(name).first }
    set {
      fields.removeAll { $0.name.lowercased() == name.lowercased() }
      if let newValue { add(name, newValue) }
    }
  }

  package func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The fields that may go to an origin other than the request's own.
  var withoutSecrets: HTTPHeaders {
    var copy = self
    copy.fields.removeAll(where: \.isSecret)
    return copy
  }

  private static let credentialNames: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-goog-api-key",
    "x-app-token-code",
  ]
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements)
  }
}

extension HTTPHeaders: CustomStringConvertible {
  /// One `name: value` a line; secret values are `***`.
  package var description: String {
    fields.map(\.description).joined(separator: "\n")
  }
}

extension HTTPHeaders.HeaderField: CustomStringConvertible {
  package var description: String { "\(name): \(isSecret ? "***" : value)" }
}

/// A server's response, whatever its status.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: HTTPHeaders = HTTPHeaders()
  /// The decoded body; gzip is already unpacked.
  ///
  /// Libcurl does not detect a gzip stream that ends early in a body of the announced length: the
  /// reader must reject an incomplete body.
  package var body: [UInt8] = []
  /// Size of the body on the wire in bytes, before unpacking.
  package var receivedBytes: Int = 0
  /// From the start of the request to the last byte.
  package var duration = Duration.zero

  /// Unix seconds of the `Date` header: the server's clock; nil without a valid one.
  package var date: Int64? { headers["Date"].flatMap(RetryAfter.date) }

  package var isSuccess: Bool { (200...299).contains(status) }
}

/// Percent-encoding of URL parts, RFC 3986.
package enum PercentEncoding {
  /// RFC 3986 section 2.3.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
  private static let segment = unreserved.union(CharacterSet(charactersIn: "()"))

  /// Encodes one path segment, `/`, `?`, `#`, `%`, `:` and spaces included.
  ///
  /// Parentheses stay: every Google client sends `(default)` literally.
  package static func path(_ segment: String) -> String { encode(segment, keeping: Self.segment) }

  /// Encodes a name or a value of a query string or a form; a space becomes `%20`.
  package static func query(_ text: String) -> String { encode(text, keeping: unreserved) }

  /// Not by libcurl, which takes at most 8 MB: a token of a page may be longer.
  private static func encode(_ text: String, keeping kept: CharacterSet) -> String {
    guard let encoded = text.addingPercentEncoding(withAllowedCharacters: kept) else {
      preconditionFailure("a text is always UTF-8")
    }
    return encoded
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
