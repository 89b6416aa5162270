import CCurl
import Glibc

/// The process-wide state of libcurl.
enum CurlLibrary {
  /// Initializes libcurl, once a process.
  private static let started = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  /// Initializes libcurl; must be called before any other libcurl function.
  static func start() throws(HTTPError) {
    guard started == CURLE_OK else {
      let reason = String(cString: curl_easy_strerror(started))
      throw .invalidRequest(reason: "libcurl did not start: \(reason)")
    }
  }

  /// Its version and those of its own libraries: `libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13 ...`.
  static var version: String { String(cString: curl_version()) }
}

/// A libcurl result code with the details of an `HTTPError`.
struct CurlFailure {
  let code: CURLcode
  /// Libcurl's error text, which never contains a header or a query.
  let reason: String
  /// `errno` of the failed call; 0 when unknown.
  var systemError = 0

  init(_ code: CURLcode, text: String) {
    self.code = code
    reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
  }

  func error(host: String) -> HTTPError {
    switch code {
    case CURLE_URL_MALFORMAT: .invalidRequest(reason: reason)
    case CURLE_COULDNT_RESOLVE_HOST: .resolveFailed(host: host)
    case CURLE_COULDNT_RESOLVE_PROXY: .resolveFailed(host: "the proxy for \(host)")
    case CURLE_COULDNT_CONNECT: .refused(host: host)
    case CURLE_SSL_CONNECT_ERROR where systemError == Int(ECONNRESET):
      .cutShort(host: host, reason: reason)
    case _ where Self.tlsCodes.contains(code.rawValue): .tls(host: host, reason: reason)
    case _ where Self.cutCodes.contains(code.rawValue): .cutShort(host: host, reason: reason)
    case _ where Self.malformedCodes.contains(code.rawValue): .malformed(host: host, reason: reason)
    default: .other(host: host, code: Int(code.rawValue), message: reason)
    }
  }

  private static let tlsCodes = codes(
    CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
    CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
    CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE,
    CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
    CURLE_USE_SSL_FAILED)

  private static let cutCodes = codes(
    CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
    CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND)

  private static let malformedCodes = codes(
    CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING)

  private static func codes(_ codes: CURLcode...) -> Set<CURLcode.RawValue> {
    Set(codes.map(\.rawValue))
  }
}
