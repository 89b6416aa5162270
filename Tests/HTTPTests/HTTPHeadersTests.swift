import Testing

@testable import HTTP

@Suite("HTTPHeaders")
struct HTTPHeadersTests {
  @Test func `names are compared without case, values are not touched`() {
    var headers: HTTPHeaders = ["Content-Type": "Text/Plain"]
    #expect(headers["content-type"] == "Text/Plain")
    #expect(headers["CONTENT-TYPE"] == "Text/Plain")
    #expect(headers["Content_Type"] == nil)
    #expect(headers["Content-Typ"] == nil)
    headers["CONTENT-type"] = "b"
    #expect(headers.fields.count == 1)
    headers["content-TYPE"] = nil
    #expect(headers.fields.isEmpty)
  }

  @Test func `fields of one name keep their order`() {
    var headers = HTTPHeaders([("A", "1"), ("B", "2"), ("a", "3")])
    #expect(headers.values("a") == ["1", "3"])
    #expect(headers["A"] == "1")
    headers["A"] = "4"
    #expect(headers.fields.map(\.value) == ["2", "4"])
  }

  @Test(arguments: [
    "Authorization", "authorization", "PROXY-AUTHORIZATION", "Cookie", "Set-Cookie",
    "X-Goog-Api-Key", "x-app-token-code",
  ])
  func `credentials are secret without being told so`(name: String) {
    let headers = HTTPHeaders([(name, "t0ken"), ("Accept", "a")])
    #expect(headers.description == "\(name): ***\nAccept: a")
    #expect(headers.withoutSecrets.fields.map(\.name) == ["Accept"])
    #expect(headers[name] == "t0ken")
  }

  @Test func `any field can be made secret`() {
    var headers = HTTPHeaders()
    headers.add("X-Mine", "s3cret", isSecret: true)
    #expect("\(headers)" == "X-Mine: ***")
    #expect(headers.withoutSecrets.fields.isEmpty)
  }
}
