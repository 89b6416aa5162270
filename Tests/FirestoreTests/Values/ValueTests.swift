import Fixtures
import Testing

@testable import Firestore

@Suite("Value")
struct ValueTests {
  @Test(arguments: [
    (Value.null, #"{"nullValue":null}"#),
    (.boolean(true), #"{"booleanValue":true}"#),
    (.integer(.max), #"{"integerValue":"9223372036854775807"}"#),
    (.integer(.min), #"{"integerValue":"-9223372036854775808"}"#),
    (.double(1.5), #"{"doubleValue":1.5}"#),
    (.double(-0.0), #"{"doubleValue":-0.0}"#),
    (.double(.greatestFiniteMagnitude), #"{"doubleValue":1.7976931348623157e+308}"#),
    (.double(.leastNonzeroMagnitude), #"{"doubleValue":5e-324}"#),
    (.double(.nan), #"{"doubleValue":"NaN"}"#),
    (.double(.infinity), #"{"doubleValue":"Infinity"}"#),
    (.double(-.infinity), #"{"doubleValue":"-Infinity"}"#),
    (
      .timestamp(Timestamp(microseconds: 1)), #"{"timestampValue":"1970-01-01T00:00:00.000001Z"}"#
    ),
    (.string("é\"🤩"), #"{"stringValue":"é\"🤩"}"#),
    (.bytes([]), #"{"bytesValue":""}"#),
    (.bytes([0xFB, 0xFF]), #"{"bytesValue":"+/8="}"#),
    (
      .reference("projects/p/databases/d/documents/C/D"),
      #"{"referenceValue":"projects/p/databases/d/documents/C/D"}"#
    ),
    (
      .geoPoint(latitude: 52.5, longitude: -13.4),
      #"{"geoPointValue":{"latitude":52.5,"longitude":-13.4}}"#
    ),
    (.array([]), #"{"arrayValue":{}}"#),
    (
      .array([.null, .integer(1)]),
      #"{"arrayValue":{"values":[{"nullValue":null},{"integerValue":"1"}]}}"#
    ),
    (.map([:]), #"{"mapValue":{}}"#),
    (
      .map(["a": .map(["b": .null])]),
      #"{"mapValue":{"fields":{"a":{"mapValue":{"fields":{"b":{"nullValue":null}}}}}}}"#
    ),
    (
      .unknown(kind: "decimalValue", json: .object(["digits": .number("1.10")])),
      #"{"decimalValue":{"digits":1.10}}"#
    ),
  ])
  func `travels as Firestore writes it, both ways`(value: Value, text: String) throws {
    #expect(String(decoding: value.json.serialized(), as: UTF8.self) == text)
    #expect(try Value(json: JSON(parsing: text.utf8)) == value)
  }

  @Test(arguments: [
    (#"{"integerValue":7}"#, Value.integer(7)),
    (#"{"integerValue":"7.0e1"}"#, .integer(70)),
    (#"{"doubleValue":"-2.5"}"#, .double(-2.5)),
    (#"{"nullValue":"NULL_VALUE"}"#, .null),
    (#"{"doubleValue":3}"#, .double(3)),
    (
      #"{"timestampValue":"2026-01-31T10:00:00+02:00"}"#,
      .timestamp(Timestamp(microseconds: 1_769_846_400_000_000))
    ),
    (#"{"bytesValue":"-_8"}"#, .bytes([0xFB, 0xFF])),
    (#"{"geoPointValue":{}}"#, .geoPoint(latitude: 0, longitude: 0)),
    (#"{"geoPointValue":{"longitude":1}}"#, .geoPoint(latitude: 0, longitude: 1)),
    (#"{"arrayValue":{"values":[]}}"#, .array([])),
    (#"{"mapValue":{"fields":{}}}"#, .map([:])),
  ])
  func `accepts the other forms that servers and encoders send`(text: String, value: Value) throws {
    #expect(try Value(json: JSON(parsing: text.utf8)) == value)
  }

  @Test(arguments: [
    (#"{}"#, "a value has exactly one member, and this one has 0"),
    (
      #"{"nullValue":null,"booleanValue":true}"#,
      "a value has exactly one member, and this one has 2"
    ),
    (#"[]"#, "is not an object"),
    (#"{"booleanValue":"true"}"#, "booleanValue: is not true or false"),
    (#"{"booleanValue":1}"#, "booleanValue: is not true or false"),
    (#"{"nullValue":1}"#, "nullValue: is not null"),
    (#"{"integerValue":"1x"}"#, "integerValue: is not a 64-bit integer"),
    (#"{"integerValue":9223372036854775808}"#, "integerValue: is not a 64-bit integer"),
    (#"{"doubleValue":"nan"}"#, "doubleValue: is not a 64-bit floating-point number"),
    (#"{"doubleValue":1e999}"#, "doubleValue: is not a 64-bit floating-point number"),
    (
      #"{"timestampValue":"2026-02-30T00:00:00Z"}"#,
      "timestampValue: is not an RFC 3339 timestamp"
    ),
    (#"{"bytesValue":"a"}"#, "bytesValue: is not base64"),
    (#"{"stringValue":null}"#, "stringValue: is not a string"),
    (
      #"{"arrayValue":{"values":[{"nullValue":null},{}]}}"#,
      "arrayValue.values.1: a value has exactly one member, and this one has 0"
    ),
    (
      #"{"mapValue":{"fields":{"a":{"integerValue":""}}}}"#,
      "mapValue.fields.a.integerValue: is not a 64-bit integer"
    ),
  ])
  func `refuses a value that is malformed, naming where`(text: String, message: String) throws {
    let json = try JSON(parsing: text.utf8)
    let error = #expect(throws: WireError.self) { try Value(json: json) }
    #expect(error?.description == message)
  }

  @Test(arguments: 0..<500)
  func `survives a round trip through bytes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = Value.random(depth: 4, using: &random)
    let bytes = value.json.serialized()
    let copy = try Value(json: JSON(parsing: bytes))
    #expect(copy == value, "seed \(seed)")
    #expect(copy.hashValue == value.hashValue, "seed \(seed)")
    #expect(copy.json.serialized() == bytes, "seed \(seed)")
  }

  @Test func `equals what travels alike, and nothing else`() {
    #expect(Value.double(.nan) == .double(.signalingNaN))
    #expect(Value.double(.nan).hashValue == Value.double(-.nan).hashValue)
    #expect(Value.double(0.0) != .double(-0.0))
    #expect(Value.integer(1) != .double(1))
    #expect(Value.string("\u{E9}") != .string("e\u{301}"))
    #expect(Value.string("a") != .reference("a"))
    #expect(Value.null != .array([]))
  }
}
