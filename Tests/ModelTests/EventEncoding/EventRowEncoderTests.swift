import Fixtures
import Testing

@testable import Model

@Suite struct EventRowEncoderTests {
  private let tap = Event(
    name: "ios_refresh_button_tapped", at: Instant.morning, userId: "u1",
    parameters: ["ios_user_type": .string("free_user"), "ios_current_usage": .integer(1)],
    country: "Germany", appVersion: "2.0")

  private func parameters(_ values: [String: EventValue]) -> String? {
    let rows = EventRows([
      Event(name: "e", at: Instant(microseconds: 0), userId: "", parameters: values)
    ])
    return rows.text(rows.rows[0].parameters)
  }

  @Test func `an event becomes the columns of its row`() {
    #expect(
      EventRows([tap]).columns == [
        [
          "ios_refresh_button_tapped", "1769846400000000", "u1", "ios", "refresh",
          "button_tapped", "free_user", nil,
          #"{"ios_current_usage":1,"ios_user_type":"free_user"}"#, "Germany", "2.0",
          String(Int64(bitPattern: 0x9647_267f_c2b3_2ad9)),
        ]
      ])
  }

  @Test func `a reused encoder forgets the event before it`() {
    let bare = Event(name: "x", at: tap.at, userId: "")
    #expect(EventRows([tap, bare]).columns[1] == EventRows([bare]).columns[0])
    #expect(EventRows([bare]).columns[0].filter { $0 == nil }.count == 7)
  }

  @Test func `parameters are sorted by key, whatever their lengths`() {
    let keys = ["b", "a", "ab", "", "abcdefgh", "abcdefghi", "abcdefgha", "abcdefg", "B", "a_b"]
    let values = Dictionary(uniqueKeysWithValues: keys.map { ($0, EventValue.integer(1)) })
    let sorted = keys.sorted().map { "\"\($0)\":1" }.joined(separator: ",")
    #expect(parameters(values) == "{\(sorted)}")
  }

  @Test(arguments: [
    ["é", "e", "z", "f"], ["e\u{301}x", "é", "ez"], ["\"", "!", "#"], ["\n", "a", " "],
    ["a\u{0}", "a", "a\u{1}"], ["漢", "😞", "a"],
  ])
  func `keys that are not plain ASCII sort as Swift sorts text`(keys: [String]) {
    let values = Dictionary(uniqueKeysWithValues: keys.map { ($0, EventValue.string("")) })
    let bytes = Array((parameters(values) ?? "").utf8)
    let read = bytes.withUnsafeBufferPointer { ParameterText.parameters($0) }
    #expect(read == values)
    let sorted = keys.sorted().map { "\"\(encoded($0))\":\"\"" }.joined(separator: ",")
    #expect(parameters(values).map { Array($0.utf8) } == Array("{\(sorted)}".utf8))
  }

  private func encoded(_ key: String) -> String {
    key.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\u{0}"..<"\u{10}": "\\u000" + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }.joined()
  }

  @Test(arguments: ["a", "ios_user_type", "é", "x\"y"])
  func `a parameter that is added twice is refused by name`(key: String) throws {
    var rows = EventRows()
    #expect(throws: EventRowEncoder.DuplicateParameter(name: key)) {
      try finish(withTwo: key, into: &rows)
    }
    #expect(rows.isEmpty)
    #expect(rows.bytes.isEmpty)
  }

  private func finish(withTwo key: String, into rows: inout EventRows) throws {
    var encoder = EventRowEncoder()
    var key = key
    encoder.begin()
    key.withUTF8 { key in
      for number in 1...2 { encoder.add(key, .integer(Int64(number))) }
    }
    try encoder.finish(at: Instant(microseconds: 0), into: &rows)
  }

  static let userTypes: [(EventValue?, String?)] = [
    (.string("free_user"), "free_user"), (.string("new_user"), "new_user"),
    (.string("gold"), nil), (.string("free_user\""), nil), (.integer(1), nil), (nil, nil),
  ]

  @Test(arguments: userTypes)
  func `a known user type is kept as the event's segment`(
    value: EventValue?, expected: String?
  ) {
    var event = tap
    event.parameters["ios_user_type"] = value
    event.parameters["android_user_type"] = .string("lite_subscriber")
    let rows = EventRows([event])
    #expect(rows.text(rows.rows[0].userType) == expected)
  }

  @Test func `text does not slide between name, user and parameters`() {
    let at = Instant(microseconds: 0)
    let rows = EventRows([
      Event(name: "ab", at: at, userId: "c"), Event(name: "a", at: at, userId: "bc"),
    ])
    #expect(rows.fingerprints[0] != rows.fingerprints[1])
  }

  @Test func `more events than a cache holds names keep their own parts`() {
    let names = (0..<2_000).map { "ios\($0)_refresh_performed" }
    let rows = EventRows((names + names).map { Event(name: $0, at: tap.at, userId: "") })
    #expect(
      rows.rows.map { rows.text($0.platform) }
        == (names + names).map { $0.prefix { $0 != "_" } }
        .map(String.init))
  }
}
