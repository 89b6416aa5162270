import Testing

@testable import HTTP

@Suite struct RetryAfterTests {
  /// 1994-11-06T08:49:00Z.
  private let now: Int64 = 784_111_740

  @Test(
    arguments: [
      ("0", Duration.zero), ("120", .seconds(120)), ("-1", nil), ("", nil), ("1.5", nil),
      ("99999999999999999999", nil), ("5000000000", .seconds(1_000_000_000)), ("soon", nil),
      ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(37)), ("Sun, 06 Nov 1994 08:48:59 GMT", .zero),
      ("Sunday, 06-Nov-94 08:49:37 GMT", .seconds(37)),
      // What libcurl takes for a date: another time, none, a day too many, the wrong one, an
      // offset.
      ("Sun, 06 Nov 1994 25:61:61 GMT", nil), ("06 Nov 1994 GMT", nil),
      ("Mon, 31 Nov 2026 08:49:37 GMT", nil), ("Mon, 06 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 08:49:60 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 +0200 GMT", nil),
      ("Sun, 06 Nov 1994 08:49:37 GMT or so", nil),
      ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
    ] as [(String, Duration?)])
  func `reads seconds and dates, and nothing else`(text: String, expected: Duration?) {
    #expect(RetryAfter.duration(text, now: now) == expected)
  }

  @Test func `a date counts from the answer's own clock, without one from ours`() {
    var response = HTTPResponse(status: 503)
    #expect(response.retryAfter(now: now) == nil)
    response.headers["Retry-After"] = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(response.retryAfter(now: now) == .seconds(37))
    response.headers["Date"] = "Sun, 06 Nov 1994 08:49:30 GMT"
    #expect(response.retryAfter(now: now) == .seconds(7))
  }
}

@Suite struct ResponseDateTests {
  @Test func `the server's clock is the Date header, if it is one`() {
    func date(_ text: String?) -> Int64? {
      HTTPResponse(status: 200, headers: HTTPHeaders(text.map { [("date", $0)] } ?? [])).date
    }
    #expect(date("Sat, 31 Jan 2026 08:00:00 GMT") == 1_769_846_400)
    #expect(date("yesterday") == nil)
    #expect(date(nil) == nil)
  }

  @Test func `libcurl says its version`() throws {
    #expect(HTTPClient.libraryVersion.hasPrefix("libcurl/"))
  }
}
