import Testing

@testable import Firestore

@Suite("DocumentScanner")
struct DocumentScannerTests {
  @Test func `hands over name, update time and wanted fields of every document, in order`() throws {
    let scan = try Scan(
      """
      [ {"document":{"name":"C/1","fields":{
          "text":{"stringValue":"a\\u00e9\\ud83e\\udd29\\n"}, "skipped":{"mapValue":{"fields":{}}},
          "count":{"integerValue":"-42"}},
        "createTime":"2026-01-01T00:00:00Z","updateTime":"2026-01-31T08:00:00.000001Z"},
        "readTime":"2026-02-01T00:00:00Z"},
        {"document":{"name":"C\\/2"}}, {"readTime":"2026-02-01T00:00:01Z","skippedResults":3} ]
      """, fields: ["count", "text", "gone", "text"])
    #expect(
      scan.documents == [
        .init(
          name: "C/1", updateTime: 1_769_846_400_000_001,
          fields: [.integer(-42), .text("aé🤩\n"), .missing, .text("aé🤩\n")]),
        .init(name: "C/2", updateTime: nil, fields: [.missing, .missing, .missing, .missing]),
      ])
    #expect(scan.page.documentCount == 2)
    #expect(scan.page.skippedCount == 3)
    #expect(scan.page.lastName == "C/2")
    #expect(scan.page.readTime == Timestamp(rfc3339: "2026-02-01T00:00:01Z"))
  }

  @Test(
    arguments: [
      (#"{"nullValue":null}"#, Scan.Field.null), (#"{"nullValue":"NULL_VALUE"}"#, .null),
      (#"{"nullValue":"null"}"#, .malformed), (#"{"nullValue":0}"#, .null),
      (#"{"nullValue":1}"#, .malformed), (#"{"nullValue":"0"}"#, .malformed),
      (#"{"booleanValue":true}"#, .boolean(true)), (#"{"booleanValue":false}"#, .boolean(false)),
      (#"{"booleanValue":"true"}"#, .malformed), (#"{"booleanValue":1}"#, .malformed),
      (#"{"integerValue":"9223372036854775807"}"#, .integer(.max)),
      (#"{"integerValue":"-9223372036854775808"}"#, .integer(.min)),
      (#"{"integerValue":7}"#, .integer(7)), (#"{"integerValue":"\u0037"}"#, .integer(7)),
      (#"{"integerValue":"9223372036854775808"}"#, .malformed),
      (#"{"integerValue":"-9223372036854775809"}"#, .malformed),
      (#"{"integerValue":"x"}"#, .malformed), (#"{"integerValue":""}"#, .malformed),
      (#"{"integerValue":1.0}"#, .integer(1)), (#"{"integerValue":"-12e1"}"#, .integer(-120)),
      (#"{"integerValue":1.5}"#, .malformed), (#"{"integerValue":1e19}"#, .malformed),
      (#"{"integerValue":[1]}"#, .malformed),
      (#"{"doubleValue":-1.5e-3}"#, .double((-0.0015).bitPattern)),
      (#"{"doubleValue":-0}"#, .double((-0.0).bitPattern)),
      (
        #"{"doubleValue":1.7976931348623157e+308}"#,
        .double(Double.greatestFiniteMagnitude.bitPattern)
      ),
      (#"{"doubleValue":"NaN"}"#, .double(Double.nan.bitPattern)),
      (#"{"doubleValue":"-Infinity"}"#, .double((-Double.infinity).bitPattern)),
      (#"{"doubleValue":"-1.5e0"}"#, .double((-1.5).bitPattern)),
      (#"{"doubleValue":"\u00311"}"#, .double(11.0.bitPattern)),
      (#"{"doubleValue":"1 "}"#, .malformed), (#"{"doubleValue":"0x1"}"#, .malformed),
      (#"{"doubleValue":""}"#, .malformed), (#"{"doubleValue":1e999}"#, .malformed),
      (#"{"timestampValue":"1970-01-01T00:00:01Z"}"#, .timestamp(1_000_000)),
      (#"{"timestampValue":"1970-01-01"}"#, .malformed), (#"{"timestampValue":1}"#, .malformed),
      (#"{"stringValue":""}"#, .text("")), (#"{"stringValue":null}"#, .malformed),
      (#"{"bytesValue":"AA=="}"#, .base64([0])),
      (#"{"referenceValue":"C/1"}"#, .reference("C/1")),
      (#"{"geoPointValue":{}}"#, .other(.geoPoint)), (#"{"arrayValue":{}}"#, .other(.array)),
      (#"{"mapValue":{}}"#, .other(.map)), (#"{"futureValue":{}}"#, .other(.unknown)),
      ("{}", .malformed), ("[]", .malformed), ("null", .malformed), ("1", .malformed),
      (#"{"stringValue":"a","integerValue":"1"}"#, .malformed),
      (#"{"integerValue":"x","integerValue":"1"}"#, .integer(1)),
      (#"{"string\u0056alue":"a"}"#, .text("a")),
    ] as [(String, Scan.Field)])
  func `reads every kind, and calls malformed what is not as Firestore writes it`(
    value: String, expected: Scan.Field
  ) throws {
    let scan = try Scan(
      #"[{"document":{"name":"n","fields":{"x":\#(value),"y":{"integerValue":"1"}}}}]"#,
      fields: ["x", "y"])
    #expect(scan.documents.map(\.fields) == [[expected, .integer(1)]])
  }

  @Test func `a repeated key keeps its last value, at every level`() throws {
    let scan = try Scan(
      """
      [{"document":{"name":"old","fields":{"a":{"integerValue":"1"}}},
        "document":{"name":"older","name":"new","fields":{"b":{"integerValue":"1"}},
          "fields":{"a":{"integerValue":"2"},"a":{"integerValue":"3"}}}}]
      """, fields: ["a", "b"])
    #expect(
      scan.documents == [.init(name: "new", updateTime: nil, fields: [.integer(3), .missing])])
  }

  @Test func `a page without documents has an element all the same`() throws {
    let scan = try Scan("[{}]", fields: ["a"])
    #expect(scan.documents.isEmpty)
    #expect(scan.page == ScannedPage())
  }

  @Test(arguments: ["[]", " [ ] "])
  func `an array without an element is no answer of Firestore's`(text: String) {
    #expect(throws: WireError.self) { try Scan(text, fields: ["a"]) }
    #expect(throws: WireError.self) { try QueryResult(answer: Array(text.utf8)) }
  }

  @Test(arguments: [
    #"[{"document":{"name":"n"}},{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}]"#,
    #"[{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}]"#,
    #"{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}"#,
  ])
  func `an error element fails the page, also after documents, and also outside an array`(
    text: String
  ) {
    #expect(throws: ErrorEnvelope(status: .unavailable, message: "m")) {
      try Scan(text, fields: [])
    }
  }

  @Test(arguments: [
    "{}", "null", "[1]", "[[]]", #"[{"document":[]}]"#, #"[{"document":{}}]"#,
    #"[{"document":{"name":""}}]"#, #"[{"document":{"name":5}}]"#,
    #"[{"document":{"name":"n","fields":[]}}]"#,
    #"[{"document":{"name":"n","updateTime":"yesterday"}}]"#, #"[{"readTime":5}]"#,
  ])
  func `refuses an answer of another shape`(text: String) {
    #expect(throws: WireError.self) { try Scan(text, fields: ["a"]) }
  }

  @Test func `a page cut at any byte is an error, never a short result`() throws {
    let text =
      #"[{"document":{"name":"n","fields":{"a":{"stringValue":"é\n"},"#
      + #""b":{"arrayValue":{"values":[{"doubleValue":-1.5e3}]}}}},"#
      + #""readTime":"2026-01-01T00:00:00Z"}]"#
    let bytes = Array(text.utf8)
    #expect(throws: Never.self) { try Scan(bytes, fields: ["a"]) }
    for length in 0..<bytes.count {
      #expect(throws: JSONError.self, "cut after \(length) bytes") {
        try Scan(Array(bytes[..<length]), fields: ["a"])
      }
    }
    #expect(throws: JSONError(.trailingBytes, at: bytes.count)) {
      try Scan(bytes + [0x5D], fields: ["a"])
    }
  }

  @Test(arguments: [
    #""\ud800""#, #""\udc00\ud800""#, #""\x""#, #""\u12x4""#, "\"\u{1}\"", "01", "1.", "tru",
    "nul", "[1,]", "{\"a\":1,}", "{\"a\"}", "\u{B}1", "+1", "NaN", "'a'",
  ])
  func `is as strict in what it skips as in what it reads`(value: String) throws {
    #expect(throws: JSONError.self) { try JSON(parsing: value.utf8) }
    for field in ["wanted", "skipped"] {
      for text in [
        #"[{"document":{"name":"n","fields":{"\#(field)":{"stringValue":\#(value)}}}}]"#,
        #"[{"document":{"name":"n","fields":{"\#(field)":\#(value)}}}]"#,
        #"[{"later":\#(value)}]"#,
      ] {
        #expect(throws: JSONError.self, "\(text)") { try Scan(text, fields: ["wanted"]) }
      }
    }
  }

  @Test func `nests as deep as JSON may, and no deeper`() {
    for count in [95, 96] {
      let nested = String(repeating: "[", count: count) + String(repeating: "]", count: count)
      let text = #"[{"document":{"name":"n","fields":{"x":{"later":\#(nested)}}}}]"#
      let isAccepted = count == 95
      #expect(accepts { try JSON(parsing: text.utf8) } == isAccepted)
      #expect(accepts { try Scan(text, fields: ["x"]) } == isAccepted)
      #expect(accepts { try Scan(text, fields: ["y"]) } == isAccepted)
    }
  }

  private func accepts(_ body: () throws -> some Any) -> Bool {
    do {
      _ = try body()
      return true
    } catch {
      return false
    }
  }

  @Test func `what the caller throws ends the scan`() {
    struct Stop: Error {}
    var scanner = DocumentScanner(fields: [])
    var bytes = Array(#"[{"document":{"name":"a"}},{"document":{"name":"b"}}]"#.utf8)
    var count = 0
    #expect(throws: Stop.self) {
      _ = try scanner.scan(&bytes) { _, _ in
        count += 1
        throw Stop()
      }
    }
    #expect(count == 1)
  }
}
