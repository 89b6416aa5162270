import Fixtures
import Testing

@testable import Firestore

@Suite("JSON")
struct JSONTests {
  @Test(arguments: [
    ("null", JSON.null), (" true\r\n\t ", .boolean(true)), ("false", .boolean(false)),
    ("0", .number("0")), ("-0.0e+10", .number("-0.0e+10")),
    ("123456789012345678901234567890", .number("123456789012345678901234567890")),
    ("\"\"", .string("")), (#""a\"\\\/\b\f\n\r\tz""#, .string("a\"\\/\u{8}\u{C}\n\r\tz")),
    (#""\u00e9\ud83e\udd29 \u0000""#, .string("é🤩 \u{0}")), ("\"é🤩\"", .string("é🤩")),
    ("[]", .array([])),
    ("[1,[2],{}]", .array([.number("1"), .array([.number("2")]), .object([:])])),
    (#"{"a":1,"b":[null]}"#, .object(["a": .number("1"), "b": .array([.null])])),
    (#"{"a":1,"a":2}"#, .object(["a": .number("2")])),
  ])
  func `reads every kind of value`(text: String, expected: JSON) throws {
    #expect(try JSON(parsing: text.utf8) == expected)
  }

  @Test(arguments: [
    ("", JSONError.Cause.endOfInput, 0), ("  ", .endOfInput, 2), ("[1,", .endOfInput, 3),
    ("{\"a\":1", .endOfInput, 6), ("\"abc", .endOfInput, 4), ("nul", .endOfInput, 3),
    ("\"\\", .endOfInput, 2), ("\"\\u12", .endOfInput, 5),
    ("nulL", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3), ("[1,]", .unexpectedByte, 3),
    ("{a:1}", .unexpectedByte, 1), ("{\"a\" 1}", .unexpectedByte, 5), ("{,}", .unexpectedByte, 1),
    ("{\"a\":1,}", .unexpectedByte, 7), ("\u{FEFF}1", .unexpectedByte, 0),
    ("\u{B}1", .unexpectedByte, 0), ("\u{A0}1", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0),
    ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0),
    ("1 1", .trailingBytes, 2), ("[]]", .trailingBytes, 2), ("null\0", .trailingBytes, 4),
    ("01", .badNumber, 0), ("-", .badNumber, 0), ("1.", .badNumber, 0), ("1e", .badNumber, 0),
    ("-01", .badNumber, 0), ("[1.e5]", .badNumber, 1),
    (#""\x""#, .badEscape, 1), (#""\u12G4""#, .badEscape, 1),
    ("\"a\nb\"", .controlCharacter, 2), ("\"\\n\u{1F}\"", .controlCharacter, 3),
    (#""\ud800""#, .loneSurrogate, 1), (#""\udc00""#, .loneSurrogate, 1),
    (#""\ud800\ud800""#, .loneSurrogate, 1), (#""a\ud83ex""#, .loneSurrogate, 2),
  ])
  func `refuses what RFC 8259 refuses, and says where`(
    text: String, problem: JSONError.Cause, offset: Int
  ) {
    #expect(throws: JSONError(problem, at: offset)) { try JSON(parsing: text.utf8) }
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
    ] as [[UInt8]])
  func `refuses bytes that are not UTF-8`(bytes: [UInt8]) {
    for prefix in ["", "\\n"] {
      let text = [0x22] + Array(prefix.utf8) + bytes + [0x22]
      #expect(throws: JSONError(.badUTF8, at: 1)) { try JSON(parsing: text) }
    }
  }

  @Test(arguments: ["[", "{\"a\":"])
  func `nests a hundred deep and no deeper`(opening: String) throws {
    func text(_ depth: Int) -> String {
      let closing = opening == "[" ? "]" : "}"
      return String(repeating: opening, count: depth) + "1"
        + String(repeating: closing, count: depth)
    }
    #expect(throws: Never.self) { try JSON(parsing: text(100).utf8) }
    let error = #expect(throws: JSONError.self) { try JSON(parsing: text(101).utf8) }
    #expect(error?.problem == .tooDeep)
  }

  @Test(arguments: ["[1,[],{\"a\":\"b\"}]", "[0,0,0,0]"])
  func `reads so many values and not one more`(text: String) throws {
    #expect(throws: Never.self) { try JSON(parsing: text.utf8, maximumCount: 5) }
    let error = #expect(throws: JSONError.self) { try JSON(parsing: text.utf8, maximumCount: 4) }
    #expect(error?.problem == .tooManyValues)
  }

  @Test func `writes compactly, with keys in the order of their bytes`() throws {
    let json = JSON.object([
      "b": .array([.null, .boolean(true), .number("1.50")]), "a": .string("\u{1}\"\\\n/é🤩"),
      "B": .object([:]),
    ])
    #expect(
      String(decoding: json.serialized(), as: UTF8.self)
        == #"{"B":{},"a":"\u0001\"\\\n/é🤩","b":[null,true,1.50]}"#)
  }

  @Test(arguments: 0..<200)
  func `reads what it wrote`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let json = JSON.random(depth: 4, using: &random)
    #expect(try JSON(parsing: json.serialized()) == json, "seed \(seed)")
  }

  @Test(
    arguments: [
      (JSON.string("9223372036854775807"), Int64.max), (.number("-9223372036854775808"), .min),
      (.string("-0"), 0), (.string("9223372036854775808"), nil), (.string("+1"), nil),
      (.string(""), nil), (.string("-"), nil), (.string("1.0"), 1), (.number("1e3"), 1000),
      (.number("-1.250E+2"), -125), (.number("1.25e1"), nil), (.number("100e-2"), 1),
      (.number("0e999999"), 0), (.number("-0.00"), 0), (.number("0.0e-7"), 0),
      (.number("922337203685477580.7e1"), .max), (.number("-9223372036854775808.0"), .min),
      (.number("922337203685477580.8e1"), nil), (.number("1e18"), 1_000_000_000_000_000_000),
      (.number("1e19"), nil), (.number("1e99999999999"), nil), (.string("1e"), nil),
      (.string(".5e1"), nil), (.string("1.e1"), nil),
      (.string(" 1"), nil), (.boolean(true), nil), (.null, nil),
    ] as [(JSON, Int64?)])
  func `takes whole numbers as text or number, and only within 64 bits`(
    json: JSON, expected: Int64?
  ) throws {
    if let expected {
      #expect(try json.integer() == expected)
    } else {
      #expect(throws: WireError("is not a 64-bit integer")) { try json.integer() }
    }
  }
}
