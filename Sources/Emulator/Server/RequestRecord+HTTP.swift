import CZlib
import Firestore
import NIOHTTP1

/// Who may ask, and in which forms: docs/emulator.md#who-may-ask.
extension RequestRecord {
  /// - Throws: `RefusedRequest` for a host or an origin other than this machine, or for what is no
  ///   request.
  init(_ head: HTTPRequestHead, body: [UInt8]) throws(RefusedRequest) {
    let pairs = head.headers.map { ($0.name.lowercased(), $0.value) }
    let headers = Dictionary(pairs) { _, last in last }
    let (authority, target) = Self.parts(of: head.uri)
    let hosts = head.headers["Host"]
    guard hosts.count < 2, !hosts.isEmpty || !head.version.isModern else {
      throw .invalid("A request of HTTP/1.1 has one Host.")
    }
    // That of a target in absolute form counts before the header.
    if let host = authority ?? hosts.first, !Self.isThisMachine(host) {
      throw RefusedRequest(
        .permissionDenied,
        "The Host is not this machine: ask for 127.0.0.1, localhost or [::1].")
    }
    if let origin = headers["origin"], !Self.isThisMachine(origin: origin) {
      throw RefusedRequest(.permissionDenied, "A page of another origin may not ask this server.")
    }
    self.init(
      method: head.method.rawValue, target: target, headers: headers,
      body: try Self.decoded(body, as: headers["content-encoding"]))
  }

  /// The authority of a target in absolute form, `http://127.0.0.1:8080/v1/…`, and the rest.
  private static func parts(of uri: String) -> (authority: String?, target: String) {
    guard let scheme = uri.prefixMatch(of: /https?:\/\//.ignoresCase()) else { return (nil, uri) }
    let rest = uri[scheme.range.upperBound...]
    let authority = rest.prefix { !"/?".contains($0) }
    let target = rest[authority.endIndex...]
    return (String(authority), target.hasPrefix("/") ? String(target) : "/" + target)
  }

  private static func isThisMachine(origin: String) -> Bool {
    guard let scheme = origin.prefixMatch(of: /https?:\/\//.ignoresCase()) else { return false }
    return isThisMachine(String(origin[scheme.range.upperBound...]))
  }

  /// Whether a host, with or without its port, is a name or an address of this machine.
  private static func isThisMachine(_ host: String) -> Bool {
    host.lowercased().wholeMatch(
      of: /(([a-z0-9-]+\.)*localhost\.?|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]*)?/) != nil
  }

  private static func decoded(
    _ body: [UInt8], as encoding: String?
  ) throws(RefusedRequest) -> [UInt8] {
    switch encoding?.lowercased() {
    case nil, "", "identity": return body
    case "gzip", "x-gzip": return try expanded(body)
    default: throw .invalid("The Content-Encoding of a request is gzip or identity.")
    }
  }

  /// The bytes of a gzip stream, at most as many as a body may have.
  private static func expanded(_ bytes: [UInt8]) throws(RefusedRequest) -> [UInt8] {
    let limit = ConnectionHandler.bodyLimit
    var stream = z_stream()
    // 15 bits of window; 16 more for the format of gzip.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
      throw RefusedRequest(.internal, "zlib did not start.")
    }
    defer { inflateEnd(&stream) }
    var input = bytes
    var (output, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
    let code = input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      var code = Z_OK
      while code == Z_OK, output.count <= limit {
        let count = chunk.withUnsafeMutableBufferPointer { chunk in
          stream.next_out = chunk.baseAddress
          stream.avail_out = UInt32(chunk.count)
          code = inflate(&stream, Z_NO_FLUSH)
          return chunk.count - Int(stream.avail_out)
        }
        output += chunk[..<count]
      }
      return code
    }
    guard output.count <= limit else {
      throw .invalid("Request payload size exceeds the limit: \(limit) bytes.")
    }
    guard code == Z_STREAM_END, stream.avail_in == 0 else {
      throw .invalid("The body of the request is not a whole gzip stream.")
    }
    return output
  }
}
