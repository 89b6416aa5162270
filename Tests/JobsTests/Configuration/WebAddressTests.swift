import Testing

@testable import Jobs

struct WebAddressTests {
  @Test(arguments: ["http://a.b", "https://a.b:8080/c?d=e", "HTTPS://a", "http://[::1]:80/x"])
  func `web addresses have a host`(text: String) {
    #expect(WebAddress.isValid(text))
  }

  @Test(arguments: [
    "", "a.b", "ftp://a", "http://", "https:///path", "file:///etc/passwd", "http://user@a.b",
    "https://user:secret@a.b", "http://a b",
  ])
  func `anything else is none, nor is one with a user name`(text: String) {
    #expect(!WebAddress.isValid(text))
  }

  @Test(arguments: [
    ("https://a.b", true), ("http://localhost:8080", true), ("http://127.0.0.1", true),
    ("http://[::1]:8080", true), ("http://a.b", false), ("http://localhost.evil.com", false),
    ("http://127.0.0.1.evil.com", false), ("ftp://localhost", false),
  ])
  func `only https leaves the machine`(text: String, isSecure: Bool) {
    #expect(WebAddress.isSecure(text) == isSecure)
  }
}
