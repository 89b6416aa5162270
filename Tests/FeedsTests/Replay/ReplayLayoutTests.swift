import Fixtures
import Model
import Testing

@testable import Feeds

/// Lines that are read by the layout of those before: what they are read as, and which they are.
@Suite("Layouts of replay lines")
struct ReplayLayoutTests {
  private struct Found: Equatable {
    let attempt: LimitAttempt
    let user: String
  }

  private static let line =
    #"{"at": 1769846400, "user": "u1", "feature": "refresh", "verb": "use", "ok": true, "#
    + #""tier": "free", "firstAccountCreatedAt": 1769840000}"#

  /// Calls `body` with the line, which a line feed follows.
  private static func with<Result>(
    _ line: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    (line + [0x0A]).withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0.dropLast()))
    }
  }

  private static func found(_ read: (LimitAttempt, user: Int)?, _ users: UserInterner) -> Found? {
    read.map { attempt, user in
      var name = ""
      users.withEncodedName(of: user) { name = String(decoding: $0, as: UTF8.self) }
      return Found(attempt: attempt, user: name)
    }
  }

  /// As `ReplayLine` reads it; nil for a line that is no attempt.
  private static func parsed(_ line: [UInt8]) -> Found? {
    let users = UserInterner()
    return with(line) { found(try? ReplayLine.attempt(in: $0, users: users), users) }
  }

  /// As it is read by the layouts of these lines; nil for a line that they do not fit.
  private static func read(_ line: [UInt8], after known: [String] = [line]) -> Found? {
    let users = UserInterner()
    var layouts = ReplayLayouts()
    for text in known { with(Array(text.utf8)) { layouts.learn($0) } }
    return with(line) { found(layouts.attempt(in: $0, users: users), users) }
  }

  /// A value in place of one of the line, and whether the layout still fits.
  @Test(
    "values in their usual form are read, all others are left to the parser",
    arguments: [
      ("1769846400", "0", true), ("1769846400", "00", false), ("1769846400", "01", false),
      ("1769846400", "-1", false), ("1769846400", "7.", false), ("1769846400", "7.5", true),
      ("1769846400", "7.25", true), ("1769846400", "7.125", true), ("1769846400", "7.0625", true),
      ("1769846400", "7.03125", true), ("1769846400", "7.012345", true),
      ("1769846400", "7.0123456", false),
      ("1769846400", "0.5", true), ("1769846400", "1e3", false), ("1769846400", "", false),
      ("1769846400", "253402300799.999999", true), ("1769846400", "253402300800", false),
      ("1769846400", "999999999999", false), ("1769846400", "1000000000000", false),
      ("1769846400", "99999999999999999999999", false), ("1769846400", "null", false),
      ("1769840000", "null", true), ("1769840000", "nul", false),
      ("1769840000", "07null", false), ("1769840000", "7.null", false),
      ("1769840000", "7.1234567null", false), ("1769840000", "999999999999null", false),
      ("1769840000", "0.000001", true),
      ("u1", "", false), ("u1", "u", true), ("u1", #"a\"b"#, false), ("u1", "a~ b/c", true),
      ("u1", "a\u{1F}b", false), ("u1", "é", false), ("u1", "a\u{7F}", true),
      ("refresh", "filter", true), ("refresh", "search", true), ("refresh", "message", true),
      ("refresh", "conversation", true), ("refresh", "refreshed", false), ("refresh", "re", false),
      (#""use""#, #""check""#, true), (#""use""#, #""peek""#, true),
      (#""use""#, #""used""#, false), (#""use""#, #""""#, false),
      ("free", "lite", true), ("free", "plus", true), ("free", "pro", true), ("free", "p", false),
      ("free", "prow", false), ("true", "false", true), ("true", "True", false),
      ("true", "tru", false), (": true", ":true", false), ("}", "} ", false), ("}", "", false),
      ("{", " {", false), ("\"ok\": true, ", "", false),
    ])
  func values(old: String, new: String, fits: Bool) {
    let line = Array(Self.line.replacing(old, with: new, maxReplacements: 1).utf8)
    #expect((Self.read(line) != nil) == fits)
    if fits { #expect(Self.read(line) == Self.parsed(line)) }
  }

  @Test("a name is read up to the last byte of ASCII", arguments: [(0x7F, true), (0x80, false)])
  func ascii(byte: UInt8, fits: Bool) throws {
    var line = Array(Self.line.utf8)
    line[try #require(line.firstRange(of: Array("u1".utf8))).lowerBound] = byte
    #expect((Self.read(line) != nil) == fits)
  }

  @Test("no cut of a line fits")
  func cuts() {
    let line = Array(Self.line.utf8)
    for count in 1..<line.count { #expect(Self.read(Array(line.prefix(count))) == nil) }
    #expect(Self.read(line) == Self.parsed(line))
  }

  @Test("the members may come in any order, with any white space, or be left out")
  func orders() {
    let others = [
      #"{"verb":"use","feature":"search","user":"u2","at":7}"#,
      #"  { "user" :"u3" , "at": 7.5,"feature":"filter", "verb" :"peek","tier":"pro" }  "#,
    ]
    for other in others {
      let line = Array(other.replacing("7", with: "1769846400").utf8)
      #expect(Self.parsed(line) != nil)
      #expect(Self.read(line) == nil)
      #expect(Self.read(line, after: [Self.line, other]) == Self.parsed(line))
    }
  }

  @Test("four lines are learned from, whether or not they have a layout")
  func learned() {
    let unknown = #"{"at":7,"user":"u","feature":"search","verb":"use","note":1}"#
    let line = Array(Self.line.utf8)
    #expect(Self.read(line, after: [unknown, unknown, unknown, Self.line]) != nil)
    #expect(Self.read(line, after: [unknown, unknown, unknown, unknown, Self.line]) == nil)
    #expect(Self.read(Array(unknown.utf8), after: [unknown]) == nil)
    var layouts = ReplayLayouts()
    for text in [Self.line, Self.line.replacing("u1", with: "é"), Self.line + " "] {
      Self.with(Array(text.utf8)) { layouts.learn($0) }
    }
    #expect(layouts.layouts.count == 2)
  }

  @Test(
    "a line with a few bytes changed is read as the parser reads it, or not at all",
    arguments: FuzzCases.seeds(3, orMany: 30))
  func mutated(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let known = [Self.line, Self.line.replacing(" ", with: "")]
    var fitting = 0
    for _ in 0..<2_000 {
      var line = Array(random.pick(known, or: Self.line).utf8)
      for _ in 0..<random.integer(0...2) {
        let place = random.integer(0...line.count - 1)
        line[place] = random.pick(Array(#"0159.-eunltrf"\{}:, "#.utf8) + [0, 0x7F, 0x80], or: 0)
      }
      guard let found = Self.read(line, after: known) else { continue }
      fitting += 1
      #expect(found == Self.parsed(line), "seed \(seed): \(String(decoding: line, as: UTF8.self))")
    }
    #expect(fitting > 600)
  }
}
