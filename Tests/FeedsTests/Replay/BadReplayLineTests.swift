import Feeds
import Model
import Testing

@Suite("Lines that are no attempts")
struct BadReplayLineTests {
  private func reason(_ line: String) throws -> String? { try reason(Array(line.utf8)) }

  private func reason(_ line: [UInt8]) throws -> String? {
    let lines = try ReplayReaderTests.lines(line)
    guard lines.count == 1, case .rejected(number: 1, let reason) = lines[0] else { return nil }
    return reason
  }

  /// A good line with one member replaced, or left out for nil.
  private func line(_ name: String, _ value: String?) -> String {
    var members = [
      "at": "1", "user": #""u""#, "feature": #""refresh""#, "verb": #""use""#, "ok": "true",
      "tier": #""free""#, "firstAccountCreatedAt": "0",
    ]
    members[name] = value
    return "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
  }

  @Test(arguments: ["at", "user", "feature", "verb"])
  func `a required key cannot be left out`(name: String) throws {
    #expect(try reason(line(name, nil)) == "no \(name)")
  }

  @Test(arguments: ["ok", "tier", "firstAccountCreatedAt"])
  func `the others can`(name: String) throws {
    #expect(try reason(line(name, nil)) == nil)
  }

  @Test(arguments: [
    ("at", #""1""#, "at is not a number"), ("at", "null", "at is not a number"),
    ("at", "true", "at is not a number"), ("at", "[1]", "at is not a number"),
    ("at", "NaN", "at is not a number"), ("at", "Infinity", "at is not a number"),
    ("user", "1", "user is not a text"), ("user", "null", "user is not a text"),
    ("feature", "1", "feature is not a text"), ("verb", "{}", "verb is not a text"),
    ("ok", "1", "ok is not true or false"), ("ok", #""true""#, "ok is not true or false"),
    ("ok", "null", "ok is not true or false"), ("tier", "null", "tier is not a text"),
    ("firstAccountCreatedAt", #""0""#, "firstAccountCreatedAt is not a number"),
    ("feature", #""Refresh""#, "feature is not refresh, filter, search, message or conversation"),
    ("feature", #""""#, "feature is not refresh, filter, search, message or conversation"),
    ("verb", #""used""#, "verb is not peek, check or use"),
    ("tier", #""premium""#, "tier is not free, lite, plus or pro"),
  ])
  func `a value of another type is told by its key`(name: String, value: String, expected: String)
    throws
  {
    #expect(try reason(line(name, value)) == expected)
  }

  @Test(arguments: ["01", "+1", "1.", ".5", "1e", "1e+", "--1", "0x10", "1_000", "-"])
  func `numbers are those of JSON's grammar`(number: String) throws {
    #expect(try reason(line("at", number)) != nil)
    #expect(try reason(line("x", number)) != nil)
  }

  @Test(arguments: ["at", "user", "feature", "verb", "ok", "tier", "firstAccountCreatedAt"])
  func `a known key that occurs twice is told, whatever it says`(name: String) throws {
    let values = [
      "at": "1", "user": #""u""#, "feature": #""refresh""#, "verb": #""use""#, "ok": "true",
      "tier": #""free""#, "firstAccountCreatedAt": "null",
    ]
    let again = "\"\(name)\":\(values[name] ?? "")}"
    let line = line(name, values[name]).dropLast() + "," + again
    #expect(try reason(String(line)) == "\(name) occurs twice")
  }

  @Test(arguments: [
    "x", "[]", "1", "null", "\"at\"", "{", "{}x", "{\"at\"}", "{\"at\":1,}", "{'at':1}",
    "{\"at\":1 \"user\":\"u\"}", "{\"at\":1", "{\"at\":", "{\"user\":\"u", "{\"user\":\"\\",
    "{\"ok\":tru", "\u{FEFF}{}", "{\"at\":1}{\"at\":1}",
  ])
  func `what is no JSON object is told where it breaks`(line: String) throws {
    #expect(try reason(line) != nil)
  }

  @Test(arguments: [
    #"{"at":1769846400.5,"user":"uü\u00fc","feature":"refresh","verb":"use","ok":true,"x":[{}]}"#
  ])
  func `a line that stops anywhere is a bad line, never a crash`(line: String) throws {
    let bytes = Array(line.utf8)
    for count in 1..<bytes.count { #expect(try reason(Array(bytes.prefix(count))) != nil) }
    #expect(try reason(bytes) == nil)
  }

  @Test func `broken UTF-8 is a bad line, in skipped values too`() throws {
    for bad: [UInt8] in [
      [0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ] {
      let line = Array(line("x", "\"?\"").utf8).flatMap { $0 == UInt8(ascii: "?") ? bad : [$0] }
      #expect(try reason(line)?.hasPrefix("not UTF-8, at byte ") == true)
    }
  }

  @Test func `half a surrogate pair in the user or a name is a bad line`() throws {
    for name in ["user", "feature", "verb", "tier"] {
      #expect(try reason(line(name, #""\ud800""#)) == "half a surrogate pair")
    }
  }

  @Test func `a control character inside a text is a bad line`() throws {
    #expect(try reason(line("user", "\"a\u{1}b\""))?.contains("control character") == true)
    #expect(try reason(line("user", "\"a\u{7F}b\"")) == nil)
  }

  @Test(arguments: [(98, false), (99, false), (100, true), (10_000, true)])
  func `nesting ends at a hundred`(depth: Int, isBad: Bool) throws {
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect((try reason(line("x", nested)) != nil) == isBad)
  }

  @Test func `a line above 1 MiB is left out, and the next one read`() throws {
    let good = line("user", "\"v\"")
    let filler = String(repeating: "y", count: ReplayReader.longestLine - good.utf8.count)
    let longest = good.replacing("\"v\"", with: "\"v\(filler)\"")
    #expect(longest.utf8.count == ReplayReader.longestLine)
    let lines = try ReplayReaderTests.lines(
      [longest, longest + " ", String(repeating: "z", count: 10 << 20), good]
        .joined(separator: "\n"))
    let reason = "longer than 1048576 bytes"
    #expect(lines.count == 4)
    #expect(lines[1] == .rejected(number: 2, reason: reason))
    #expect(lines[2] == .rejected(number: 3, reason: reason))
    guard case .attempt = lines[0], case .attempt = lines[3] else {
      Issue.record("a good line was left out")
      return
    }
  }

  @Test func `line numbers count blank lines`() throws {
    let lines = try ReplayReaderTests.lines("\n\nx\n\ny\n")
    #expect(
      lines.map { line in
        guard case .rejected(let number, _) = line else { return 0 }
        return number
      } == [3, 5])
  }

  @Test func `a gzip file that breaks off is an error behind its good lines`() throws {
    let text = (0..<50_000).map { "{\"at\":\($0),\"user\":\"u\($0 * 37)\"}\n" }.joined()
    let whole = try ExportFile(text, gzip: true).bytes()
    #expect(throws: FeedError.self) {
      _ = try ReplayReaderTests.lines(Array(whole.prefix(whole.count / 2)))
    }
  }
}
