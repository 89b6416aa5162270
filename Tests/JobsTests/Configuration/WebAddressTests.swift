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
    ("hooks.slack.com/T0/SECRET", "it does not begin with https://"),
    ("htps://hooks.slack.com/T0/SECRET", "its scheme is 'htps'"),
    ("https:///SECRET", "it names no host"), ("http://user:SECRET@a.b", "it holds a user name"),
    ("http://a.b/SECRET", "it begins with http://"), ("https://a b/SECRET", nil),
  ])
  func `what is wrong with an address is told without what it holds`(
    text: String, fault: String?
  ) {
    let told = WebAddress.fault(of: text)
    #expect(fault == nil || told == fault)
    #expect(!told.contains("SECRET"))
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
