import CCurl
import Glibc
import Testing

@testable import HTTP

@Suite("CurlFailure")
struct CurlFailureTests {
  private func error(_ code: CURLcode, _ text: String = "why") -> HTTPError {
    CurlFailure.error(code, text: text, host: "h:1")
  }

  @Test func `what is known by name gets its case`() {
    #expect(error(CURLE_COULDNT_RESOLVE_HOST) == .resolveFailed(host: "h:1"))
    #expect(error(CURLE_COULDNT_RESOLVE_PROXY) == .resolveFailed(host: "the proxy for h:1"))
    #expect(error(CURLE_COULDNT_CONNECT) == .refused(host: "h:1"))
    #expect(error(CURLE_URL_MALFORMAT) == .invalidRequest(reason: "why"))
  }

  @Test(
    arguments: [
      CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND,
    ].map(\.rawValue))
  func `a lost connection is cut short`(code: CURLcode.RawValue) {
    #expect(error(CURLcode(code)) == .cutShort(host: "h:1", reason: "why"))
  }

  @Test(
    arguments: [
      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM,
    ].map(\.rawValue))
  func `a failed handshake or certificate is TLS`(code: CURLcode.RawValue) {
    #expect(error(CURLcode(code)) == .tls(host: "h:1", reason: "why"))
  }

  @Test func `a handshake that was reset is cut short, so that it is tried again`() {
    let error = CurlFailure.error(
      CURLE_SSL_CONNECT_ERROR, text: "why", systemError: Int(ECONNRESET), host: "h:1")
    #expect(error == .cutShort(host: "h:1", reason: "why"))
  }

  @Test func `anything else keeps the number and words of libcurl`() {
    let expected = HTTPError.other(
      host: "h:1", code: Int(CURLE_OUT_OF_MEMORY.rawValue), message: "Out of memory")
    #expect(error(CURLE_OUT_OF_MEMORY, "") == expected)
    #expect(!expected.isTransient)
  }
}
