import Feeds
import Model
import Testing

@Suite("Lines of a replay file")
struct ReplayReaderTests {
  static func lines(
    _ text: String, gzip: Bool = false, users: StringInterner = StringInterner()
  ) throws -> [ReplayReader.Line] {
    try lines(Array(text.utf8), gzip: gzip, users: users)
  }

  static func lines(
    _ bytes: [UInt8], gzip: Bool = false, users: StringInterner = StringInterner()
  ) throws -> [ReplayReader.Line] {
    let file = try ExportFile(bytes, gzip: gzip)
    let reader = try withExtendedLifetime(file) { try ReplayReader(path: file.path, users: users) }
    var lines: [ReplayReader.Line] = []
    while let line = try reader.next() { lines.append(line) }
    return lines
  }

  private func attempt(_ members: String) throws -> LimitAttempt {
    let line = try #require(try Self.lines("{\(members)}").first)
    guard case .attempt(let attempt, user: 0) = line else { throw Unexpected(line: line) }
    return attempt
  }

  private struct Unexpected: Error {
    let line: ReplayReader.Line
  }

  private static let rest = #""user":"u","feature":"refresh","verb":"use""#

  @Test func `a line with every key becomes an attempt`() throws {
    let attempt = try attempt(
      """
      "at": 1769846400.25, "user": "u1", "feature": "search", "verb": "check", "ok": false,
      "tier": "pro", "firstAccountCreatedAt": 1769840000.5
      """.replacing("\n", with: " "))
    #expect(
      attempt
        == LimitAttempt(
          at: Instant(microseconds: 1_769_846_400_250_000), feature: .search, action: .check,
          succeeds: false, tier: .pro,
          firstAccountCreatedAt: Instant(microseconds: 1_769_840_000_500_000)))
  }

  @Test func `a byte order mark is no part of the first line`() throws {
    let line = "{\"at\":1,\(Self.rest)}"
    #expect(try Self.lines("\u{FEFF}" + line) == Self.lines(line))
  }

  @Test func `what is left out has its default`() throws {
    #expect(
      try attempt("\"at\":1,\(Self.rest)")
        == LimitAttempt(
          at: Instant(unixSeconds: 1), feature: .refresh, action: .use, succeeds: true, tier: .free,
          firstAccountCreatedAt: nil))
  }

  @Test(arguments: Feature.allCases)
  func `every feature, action and tier is known by its name, written with escapes too`(
    feature: Feature
  ) throws {
    for action in LimitAction.allCases {
      for tier in Tier.allCases {
        let line = """
          "at":1,"user":"","\\u0066eature":"\(feature.rawValue)","verb":"\(action.rawValue)",\
          "tier":"\\u00\(String(tier.rawValue.utf8.first ?? 0, radix: 16))\(tier.rawValue.dropFirst())"
          """
        let attempt = try attempt(line)
        #expect(attempt.feature == feature)
        #expect(attempt.action == action)
        #expect(attempt.tier == tier)
      }
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("1", 1_000_000), ("-1.5", -1_500_000), ("0.000001", 1),
      ("1769846400.123456", 1_769_846_400_123_456), ("0.1", 100_000), ("0.29", 290_000),
      ("0.0000004", 0), ("0.0000005", 1), ("0.9999995", 1_000_000), ("-0.0000005", -1),
      ("0.00000049999999999999", 0), ("1e3", 1_000_000_000), ("1.7698464E9", 1_769_846_400_000_000),
      ("15e-1", 1_500_000), ("253402300799.999999", 253_402_300_799_999_999),
      ("-62135596800", -62_135_596_800_000_000),
    ] as [(String, Int64)])
  func `a time is taken to the microsecond, exactly`(text: String, microseconds: Int64) throws {
    #expect(try attempt("\"at\":\(text),\(Self.rest)").at.microseconds == microseconds)
    let created = try attempt("\"at\":0,\(Self.rest),\"firstAccountCreatedAt\":\(text)")
    #expect(created.firstAccountCreatedAt?.microseconds == microseconds)
  }

  @Test(arguments: [
    "253402300800", "253402300799.9999999", "-62135596800.000001", "1e300", "-1e300", "1e999",
    "1000000000000", "999999999999", "123456789012345678901234567890",
  ])
  func `a time outside the years 1 to 9999 is a bad line`(text: String) throws {
    let hint = text == "1000000000000" ? "; it looks like milliseconds" : ""
    for name in ["at", "firstAccountCreatedAt"] {
      let other = name == "at" ? "" : "\"at\":1,"
      let line = try Self.lines("{\(other)\"\(name)\":\(text),\(Self.rest)}").first
      #expect(
        line == .rejected(number: 1, reason: "\(name) is not in the years 1 to 9999\(hint)"),
        "\(text)")
    }
  }

  @Test func `an unknown creation time is null`() throws {
    #expect(
      try attempt("\"at\":1,\(Self.rest),\"firstAccountCreatedAt\":null").firstAccountCreatedAt
        == nil)
  }

  @Test func `keys that nobody knows are skipped, whatever they hold, and as often as they come`()
    throws
  {
    let more = #""x":[1,{"at":"no"},null,true,-1.5e-7],"x":"\ud83d\ude00","":{}"#
    #expect(try attempt("\(more),\"at\":1,\(Self.rest)").at == Instant(unixSeconds: 1))
  }

  @Test func `users are numbered in the order in which they are met, by what their name means`()
    throws
  {
    let users = StringInterner()
    let names = [#"u1"#, #"ü"#, #"\u0075\u0031"#, #""#, #"a\"b"#, #"\u00fc"#, #"a\u0022b"#]
    let text = names.map {
      "{\"at\":1,\"user\":\"\($0)\",\"feature\":\"filter\",\"verb\":\"peek\"}\n"
    }.joined()
    let numbers = try Self.lines(text, users: users).map { line -> Int in
      guard case .attempt(_, let user) = line else { return -1 }
      return user
    }
    #expect(numbers == [0, 1, 0, 2, 3, 1, 3])
    #expect(users.count == 4)
    #expect(users.number(of: "a\"b") == 3)
  }

  @Test func `blank lines, CRLF, a missing last line end and gzip make no difference`() throws {
    let line = "{\"at\":1,\(Self.rest)}"
    let expected = try Self.lines(line)
    #expect(expected.count == 1)
    #expect(try Self.lines("\n \t\n\(line)\r\n\n") == expected)
    #expect(try Self.lines("\(line)\n", gzip: true) == expected)
    #expect(try Self.lines("") == [])
    #expect(try Self.lines("\n\n") == [])
  }
}
