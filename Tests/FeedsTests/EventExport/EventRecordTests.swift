import Feeds
import Model
import Testing

@Suite("One record of the export")
struct EventRecordTests {
  private func event(_ line: String) throws -> Event {
    let content = try ExportFile.content(line)
    return try #require(content.events.first, "\(content)")
  }

  private func parameters(_ text: String) throws -> [String: EventValue] {
    try event(#"{"event_name":"e","event_timestamp":1,"event_params":\#(text)}"#).parameters
  }

  private func reason(_ line: String) throws -> String {
    let content = try ExportFile.content(line)
    return try #require(content.rejections.first, "\(content)").reason
  }

  @Test func `a record as BigQuery writes it becomes an event`() throws {
    let event = try event(
      #"""
      {"event_date":"20260105","event_timestamp":"1767600000123456","event_name":"ios_refresh_popup_shown",\#
      "event_params":[{"key":"ios_user_id","value":{"string_value":"u1"}},\#
      {"key":"ga_session_id","value":{"int_value":"1767599000"}},\#
      {"key":"ios_remaining_cooldown_seconds","value":{"double_value":12.5}},\#
      {"key":"engaged","value":{"string_value":null,"int_value":null,"float_value":2}}],\#
      "user_id":"u1","user_pseudo_id":"p1","is_active_user":true,"items":[],\#
      "device":{"category":"mobile","web_info":null},\#
      "geo":{"city":"Berlin","country":"Germany"},"app_info":{"id":"x","version":"2.1.0"}}
      """#)
    #expect(
      event
        == Event(
          name: "ios_refresh_popup_shown", at: Instant(microseconds: 1_767_600_000_123_456),
          userId: "u1",
          parameters: [
            "ios_user_id": .string("u1"), "ga_session_id": .integer(1_767_599_000),
            "ios_remaining_cooldown_seconds": .double(12.5), "engaged": .double(2),
          ], country: "Germany", appVersion: "2.1.0"))
  }

  @Test func `the least a record needs is a name and a time`() throws {
    let event = try event(#" { "event_timestamp" : 0 , "event_name" : "e" } "#)
    #expect(event == Event(name: "e", at: Instant(microseconds: 0), userId: ""))
  }

  @Test(arguments: [
    (#""user_id":"u","user_pseudo_id":"p""#, "u"), (#""user_pseudo_id":"p","user_id":"u""#, "u"),
    (#""user_id":null,"user_pseudo_id":"p""#, "p"), (#""user_id":"","user_pseudo_id":"p""#, "p"),
    (#""user_pseudo_id":"p""#, "p"), (#""user_id":null"#, ""),
  ])
  func `the user is user_id, else user_pseudo_id`(members: String, expected: String) throws {
    let event = try event(#"{"event_name":"e","event_timestamp":1,\#(members)}"#)
    #expect(event.userId == expected)
  }

  @Test(arguments: [
    ("0", 0), (#""0""#, 0), ("1767600000123456", 1_767_600_000_123_456),
    (#""253402300799999999""#, 253_402_300_799_999_999),
  ])
  func `a time is a number or a string of digits`(text: String, expected: Int64) throws {
    let event = try event(#"{"event_name":"e","event_timestamp":\#(text)}"#)
    #expect(event.at.microseconds == expected)
  }

  @Test(arguments: [
    "-1", "253402300800000000", "9223372036854775808", "1.5", "1e-3", "true", #""""#, #""12a""#,
    #"" 12""#, #""+12""#, "[1]",
  ])
  func `a time outside 1970 to 9999, or no whole number, is rejected`(text: String) throws {
    _ = try reason(#"{"event_name":"e","event_timestamp":\#(text)}"#)
  }

  @Test(arguments: [
    (#"{"int_value":5}"#, EventValue.integer(5)), (#"{"int_value":"-5"}"#, .integer(-5)),
    (#"{"int_value":"9223372036854775807"}"#, .integer(.max)),
    (#"{"int_value":"-9223372036854775808"}"#, .integer(.min)),
    (#"{"double_value":1e-3}"#, .double(0.001)), (#"{"double_value":"2.5"}"#, .double(2.5)),
    (#"{"double_value":3}"#, .double(3)), (#"{"float_value":-0.5}"#, .double(-0.5)),
    (#"{"double_value":"NaN"}"#, .string("NaN")), (#"{"double_value":1e999}"#, .string("1e999")),
    (#"{"string_value":""}"#, .string("")),
    (#"{"double_value":1,"int_value":2,"string_value":"s"}"#, .string("s")),
    (#"{"float_value":1,"int_value":2}"#, .integer(2)),
    (#"{"set_timestamp_micros":"7","string_value":"s"}"#, .string("s")),
  ])
  func `a parameter has the value that is filled`(text: String, expected: EventValue) throws {
    #expect(try parameters(#"[{"key":"k","value":\#(text)}]"#) == ["k": expected])
  }

  @Test(arguments: ["{}", "null", #"{"string_value":null}"#, #"{"other":1}"#])
  func `a parameter without a value is left out`(text: String) throws {
    #expect(try parameters(#"[{"key":"k","value":\#(text)},{"key":"l"}]"#) == [:])
  }

  @Test(arguments: ["null", "[]"]) func `there may be no parameters`(text: String) throws {
    #expect(try parameters(text) == [:])
  }

  @Test(arguments: [
    "5", "{}", #"["k"]"#, #"[{"value":{"int_value":1}}]"#, #"[{"key":null}]"#, #"[{"key":"k"},]"#,
    #"[{"key":"k","value":{"int_value":1.5}}]"#, #"[{"key":"k","value":{"int_value":"x"}}]"#,
    #"[{"key":"k","value":{"int_value":9223372036854775808}}]"#,
    #"[{"key":"k","value":{"double_value":"x"}}]"#, #"[{"key":"k","value":{"string_value":5}}]"#,
    #"[{"key":"k","value":"s"}]"#,
  ])
  func `parameters of another shape are rejected`(text: String) throws {
    _ = try reason(#"{"event_name":"e","event_timestamp":1,"event_params":\#(text)}"#)
  }

  @Test(arguments: [
    (#""event_name":"b""#, "event_name is there twice"),
    (#""event_n\u0061me":"e""#, "event_name is there twice"),
    (#""event_timestamp":1"#, "event_timestamp is there twice"),
    (#""user_id":"u","user_id":"u""#, "user_id is there twice"),
    (#""user_pseudo_id":null,"user_pseudo_id":"u""#, "user_pseudo_id is there twice"),
    (#""event_params":[],"event_params":[]"#, "event_params is there twice"),
    (#""geo":null,"geo":{}"#, "geo is there twice"),
    (#""geo":{"country":"a","country":"a"}"#, "country is there twice"),
    (#""app_info":{"version":"1","x":2,"version":null}"#, "version is there twice"),
    (#""event_params":[{"key":"k","key":"k"}]"#, "a parameter with two keys"),
    (#""event_params":[{"key":"k","value":null,"value":null}]"#, "a parameter with two values"),
    (
      #""event_params":[{"key":"k","value":{"int_value":1,"int_value":1}}]"#,
      "a parameter with two equal values"
    ),
    (
      #""event_params":[{"key":"k","value":{"int_value":1}},{"value":{"int_value":2},"key":"k"}]"#,
      "the parameter 'k' is there twice"
    ),
  ])
  func `a record that says something twice is rejected`(members: String, expected: String) throws {
    #expect(try reason(#"{"event_name":"e","event_timestamp":1,\#(members)}"#) == expected)
  }

  @Test func `what is not read may be there twice`() throws {
    #expect(
      try event(#"{"x":1,"event_name":"e","event_timestamp":1,"x":2,"x":{"y":1,"y":2}}"#).name
        == "e")
  }

  @Test(arguments: [
    #""user_id":"u","user_pseudo_id":"p""#, #""user_pseudo_id":"p","user_id":"u""#,
    #""user_id":"","user_pseudo_id":"u""#, #""user_pseudo_id":"u","user_id":null"#,
  ])
  func `the user's id wins over the pseudo id, in either order`(members: String) throws {
    #expect(try event(#"{"event_name":"e","event_timestamp":1,\#(members)}"#).userId == "u")
  }

  @Test func `names may be written with escapes`() throws {
    let event = try event(#"{"event\u005fname":"e","event_timest\u0061mp":1}"#)
    #expect(event.name == "e")
  }

  @Test(arguments: [
    (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u00e9\u6F22"#, "é漢"),
    (#"\ud83d\ude1e"#, "😞"), (#"a\u0000b"#, "a\u{0}b"), ("é漢😞", "é漢😞"),
  ])
  func `escapes are undone`(text: String, expected: String) throws {
    #expect(
      try event(#"{"event_name":"\#(text)","event_timestamp":1}"#).name.unicodeScalars
        .elementsEqual(expected.unicodeScalars))
  }

  @Test(arguments: [
    #"\ud83d"#, #"\ude1e"#, #"\ud83d\u0041"#, #"\ud83dx"#, #"\ude1e\ud83d"#, #"\x"#, #"\u12"#,
    #"\u12g4"#, "a\u{1}b", "a\tb", "a\u{0}b", #"\"#,
  ])
  func `a string that JSON does not allow is rejected, known member or not`(text: String) throws {
    _ = try reason(#"{"event_name":"\#(text)","event_timestamp":1}"#)
    _ = try reason(#"{"event_name":"e","event_timestamp":1,"other":"\#(text)"}"#)
    _ = try reason(#"{"event_name":"e","event_timestamp":1,"\#(text)":1}"#)
  }

  @Test(arguments: [
    "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", "1_000", "tru", "nul",
    "TRUE", "'a'", "[1,]", "[,1]", "[1 2]", "[1", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}",
    "{\"a\":1 \"b\":2}", "", "]", "\u{A0}1", "\u{0}",
  ])
  func `a skipped value is checked as well`(text: String) throws {
    _ = try reason(#"{"event_name":"e","event_timestamp":1,"other":\#(text)}"#)
  }

  @Test(arguments: [
    "0", "-0", "1.5e+10", "1E5", "[]", "{}", "[1,[2,{\"a\":null}]]", "true", "\"\"",
  ])
  func `a skipped value may be anything that JSON allows`(text: String) throws {
    #expect(
      try event(#"{"other":\#(text),"event_name":"e","event_timestamp":1}"#).name == "e")
  }

  @Test(arguments: [
    #"{"event_timestamp":1}"#, #"{"event_name":"e"}"#, #"{"event_name":"","event_timestamp":1}"#,
    #"{"event_name":null,"event_timestamp":1}"#, #"{"event_name":"e","event_timestamp":null}"#,
    #"{"event_name":5,"event_timestamp":1}"#, "{}", "[5]", "5", "null", "\"e\"", "hello",
    #"{"event_name":"e","event_timestamp":1"#, #"{"event_name":"e","event_timestamp":1} x"#,
    #"{"event_name":"e","event_timestamp":1}{}"#, #"{"event_name":"e","event_timestamp":1},"#,
    #"{"event_name":"e","event_timestamp":1,"user_id":5}"#,
    #"{"event_name":"e","event_timestamp":1,"geo":"Germany"}"#,
    #"{"event_name":"e","event_timestamp":1,"app_info":{"version":2}}"#,
  ])
  func `what is no whole record is rejected`(line: String) throws {
    #expect(!(try reason(line)).isEmpty)
  }

  @Test func `every beginning of a record is rejected as a half line`() throws {
    let line =
      #"{"event_name":"é\n","event_timestamp":1,"other":[1.5e3,true,null,{"a":"b"}],"user_id":"u"}"#
    let bytes = Array(line.utf8)
    for count in 1..<bytes.count {
      let content = try ExportFile(Array(bytes[..<count])).content()
      #expect(content.names == ["line 1"], "\(count) bytes: \(content)")
    }
    #expect(try event(line).userId == "u")
  }

  @Test(arguments: [(99, true), (100, false), (10_000, false), (400_000, false)])
  func `nesting is bounded`(depth: Int, isAccepted: Bool) throws {
    let nest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let content = try ExportFile.content(#"{"event_name":"e","event_timestamp":1,"x":\#(nest)}"#)
    #expect(content.names == [isAccepted ? "e" : "line 1"])
    if !isAccepted { #expect(content.rejections.first?.reason.contains("nested") == true) }
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE6, 0xBC],
    ] as [[UInt8]])
  func `broken UTF-8 is rejected, in skipped values too`(bytes: [UInt8]) throws {
    let start = Array(#"{"event_name":"e","event_timestamp":1,"x":""#.utf8)
    let content = try ExportFile(start + bytes + Array("\"}".utf8)).content()
    #expect(content.names == ["line 1"])
    #expect(content.rejections.first?.reason.hasPrefix("not UTF-8") == true)
  }
}
