import Foundation
import Testing

@testable import Workspace

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
    ("htps://hooks.slack.com/T0/SECRET", "it does not begin with https://"),
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
    ("http://127.0.0.2", true), ("http://a.localhost/x", true), ("http://169.254.169.254/x", true),
    ("http://169.254.170.2", true), ("http://[fd00:ec2::254]/", true),
    ("http://[fe80::1]:80", true), ("http://metadata.google.internal/x", true),
    ("http://169.254.evil.com", false), ("http://169.255.0.1", false), ("http://10.0.0.1", false),
    ("http://[fec0::1]", false), ("http://metadata.google.internal.evil.com", false),
    ("http://[fd00:ec2::255]", false), ("http://192.168.0.7", false),
  ])
  func `only https leaves the machine`(text: String, isSecure: Bool) {
    #expect(WebAddress.isSecure(text) == isSecure)
    let matches = text.range(of: WebAddress.securePattern, options: .regularExpression) != nil
    #expect(matches == isSecure, "the schema's pattern")
  }
}
