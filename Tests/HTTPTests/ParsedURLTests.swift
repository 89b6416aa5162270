import Testing

@testable import HTTP

@Suite("ParsedURL")
struct ParsedURLTests {
  @Test(arguments: [
    ("http://h", "h:80", "http://h/"), ("https://h/", "h:443", "https://h/"),
    ("http://h:8080/a?b#c", "h:8080", "http://h:8080/a"),
    ("https://u:p@h:443/a", "h:443", "https://h/a"), ("HTTP://H/A", "H:80", "http://H/A"),
    ("http://[::1]:9/x", "[::1]:9", "http://[::1]:9/x"),
    ("http://h/(default)/a%2Fb", "h:80", "http://h/(default)/a%2Fb"),
  ])
  func `a URL prints without user, password, query and fragment`(
    url: String, host: String, description: String
  ) throws {
    let address = try ParsedURL(url)
    #expect(address.host == host)
    #expect(address.description == description)
  }

  @Test(arguments: [
    ("https://h/a", "https://h:443/b", true), ("https://h/", "https://H/", true),
    ("https://h/", "http://h/", false), ("https://h/", "https://h:444/", false),
    ("https://h/", "https://h.evil/", false), ("https://h/", "https://sub.h/", false),
    ("http://h:443/", "https://h/", false), ("http://127.0.0.1/", "http://localhost/", false),
  ])
  func `an origin is scheme, host and port`(one: String, other: String, isSame: Bool) throws {
    let (first, second) = try (ParsedURL(one), ParsedURL(other))
    #expect(first.hasOrigin(of: second) == isSame)
    #expect(second.hasOrigin(of: first) == isSame)
  }

  @Test(arguments: [
    ("/c", "http://h:1/c"), ("c", "http://h:1/a/c"), ("../c", "http://h:1/c"),
    ("?x=y", "http://h:1/a/b?x=y"), ("//other/c", "http://other/c"),
    ("https://other:2/c?d", "https://other:2/c?d"),
  ])
  func `a Location is seen from the address it came from`(
    location: String, expected: String
  ) throws {
    #expect(try ParsedURL("http://h:1/a/b?q=r").resolving(location).url == expected)
  }

  @Test(arguments: ["ftp://h/", "javascript:alert(1)", "http://", "http://h\n/", "data:,x"])
  func `a Location that is no web address is an error`(location: String) throws {
    let address = try ParsedURL("http://h/")
    #expect(throws: HTTPError.self) { try address.resolving(location) }
  }

  @Test(arguments: [
    ("http://localhost/", true), ("http://LOCALHOST:1/", true), ("http://app.localhost/", true),
    ("http://127.0.0.1/", true), ("http://127.8.9.10/", true), ("http://[::1]/", true),
    ("http://localhost.example/", false), ("http://127.example/", false),
    ("http://128.0.0.1/", false), ("http://10.0.0.1/", false), ("http://[::2]/", false),
  ])
  func `only this machine is reached without a proxy`(url: String, isLoopback: Bool) throws {
    #expect(try ParsedURL(url).isLoopback == isLoopback)
  }
}
