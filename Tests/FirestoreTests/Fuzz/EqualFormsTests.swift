import Fixtures
import Testing

@testable import Firestore

/// The same answer in every legal way of writing it: what is read of it is the same.
@Suite struct EqualFormsTests {
  private static let page = #"""
    [{"document":{"name":"projects/p/databases/d/documents/Users/ü/1","updateTime":
    "2026-01-31T08:00:00.5Z","createTime":"2026-01-31T08:00:00Z","fields":{
    "name":{"stringValue":"Zoë \"Z\" \\ / 🤩\n"},"age":{"integerValue":"42"},"empty":{"mapValue":{}},
    "rate":{"doubleValue":12.5},"whole":{"doubleValue":300},"none":{"nullValue":null},
    "on":{"booleanValue":true},"seen":{"timestampValue":"2026-01-31T07:00:00Z"},
    "raw":{"bytesValue":"AQID/+8="},"place":{"geoPointValue":{"latitude":52.5,"longitude":-13}},
    "friend":{"referenceValue":"projects/p/databases/d/documents/Users/2"},
    "tags":{"arrayValue":{"values":[{"stringValue":"b"},{"stringValue":"a"},{"integerValue":"-7"}]}},
    "address":{"mapValue":{"fields":{"zip":{"stringValue":"10115"},"city":{"stringValue":"Köln"},
    "geo":{"mapValue":{"fields":{"lat":{"doubleValue":50.9},"é":{"integerValue":"9007199254740993"}}}}
    }}},"later":{"futureValue":{"b":[1,2.5],"a":"x"}}}},"readTime":"2026-01-31T09:00:00Z"},
    {"document":{"name":"projects/p/databases/d/documents/Users/3","fields":{
    "name":{"stringValue":""},"age":{"integerValue":"43"}}},"skippedResults":2},
    {"readTime":"2026-01-31T09:00:01Z","done":true}]
    """#

  /// All that a scan in every form makes of a page.
  private struct Found: Equatable {
    var page = ScannedPage()
    var names: [String] = []
    var times: [Int64?] = []
    var fields: [[Scan.Field]] = []
    var json: [[String]] = []
    var documents: [String] = []
  }

  private static let paths = [
    "name", "age", "rate", "whole", "none", "on", "seen", "raw", "place", "friend", "tags", "later",
    "address", "address.city", "address.zip", "address.geo.lat", "address.geo.`é`", "address.no.x",
  ]

  private func found(_ bytes: [UInt8], extent: DocumentScanner.Extent) throws -> Found {
    let paths = try Self.paths.map { try FieldPath(parsing: $0) }
    var scanner = DocumentScanner(
      fields: paths.map { WantedField($0) } + paths.map { WantedField($0, .json) }, extent: extent)
    var bytes = bytes
    var found = Found()
    found.page = try scanner.scan(&bytes) { document, buffer in
      found.names.append(String(decoding: buffer[document.name], as: UTF8.self))
      found.times.append(document.updateTime)
      found.fields.append(document.fields.map { Scan.Field($0, buffer) })
      found.json.append(
        document.fields.indices.map { String(decoding: document.json(of: $0), as: UTF8.self) })
      found.documents.append(String(decoding: document.json, as: UTF8.self))
    }
    return found
  }

  @Test(arguments: FuzzCases.seeds(60, orMany: 400))
  func `a scan finds the same values, JSON, documents and kinds of fields`(seed: UInt64) throws {
    let form = try JSONForms.form(of: Self.page, seed: seed)
    let extent = DocumentScanner.Extent(hasDocument: true, hasCensus: true)
    var expected = try found(Array(Self.page.utf8), extent: extent)
    var scanned = try found(form, extent: extent)
    // A census lists fields in the order in which it met them.
    #expect(Self.kinds(scanned.page) == Self.kinds(expected.page), "seed \(seed)")
    (expected.page.census, scanned.page.census) = (nil, nil)
    #expect(scanned == expected, "seed \(seed): \(String(decoding: form, as: UTF8.self))")
  }

  private static func kinds(_ page: ScannedPage) -> [String] {
    (page.census?.fields ?? []).map { "\($0.name): \($0.kinds)" }.sorted()
  }

  @Test(arguments: FuzzCases.seeds(60, orMany: 400))
  func `the users' scan, which expects fields as they were, finds the same`(seed: UInt64) throws {
    let names = ["name", "age", "whole", "none", "on", "seen", "raw", "friend"]
    let form = try JSONForms.form(of: Self.page, seed: seed)
    let expected = try Scan(Self.page, fields: names)
    #expect(try Scan(form, fields: names) == expected, "seed \(seed)")
  }

  @Test(arguments: FuzzCases.seeds(40, orMany: 200))
  func `the decoder of small answers reads the same`(seed: UInt64) throws {
    let form = try JSONForms.form(of: Self.page, seed: seed)
    var expected = try QueryResult(answer: Array(Self.page.utf8))
    var result = try QueryResult(answer: form)
    #expect(result.documents[0].fields["later"] != nil)
    // What a kind of a later version holds stays as it came.
    expected.documents[0].fields["later"] = nil
    result.documents[0].fields["later"] = nil
    #expect(result == expected, "seed \(seed)")
  }

  private static let answers = [
    #"{"error":{"code":404,"message":"no é","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3s"}]}}"#,
    #"[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Quota exceeded."}}]"#,
  ]

  @Test(arguments: FuzzCases.seeds(40, orMany: 100))
  func `an error is the same error`(seed: UInt64) throws {
    for answer in Self.answers {
      let expected = try #require(ErrorEnvelope(in: JSON(parsing: answer.utf8)))
      let form = try JSONForms.form(of: answer, seed: seed)
      #expect(ErrorEnvelope(in: try JSON(parsing: form)) == expected, "seed \(seed)")
    }
  }

  @Test(arguments: FuzzCases.seeds(40, orMany: 100))
  func `the results of writes are the same`(seed: UInt64) throws {
    let text = #"""
      {"writeResults":[{"updateTime":"2026-01-31T08:00:00Z","transformResults":[{"integerValue":"3"}]},
      {}],"status":[{},{"code":6,"message":"there"}]}
      """#
    let expected = try BatchResult(json: JSON(parsing: text.utf8), writeCount: 2).outcomes
    let form = try JSONForms.form(of: text, seed: seed)
    let outcomes = try BatchResult(json: JSON(parsing: form), writeCount: 2).outcomes
    #expect(outcomes == expected, "seed \(seed)")
  }

  @Test(arguments: [
    ("5", "5"), ("5.0", "5"), ("50e-1", "5"), ("1e3", "1000"), ("-0", "-0.0"),
    ("-0.0", "-0.0"), ("-0e5", "-0.0"),
    ("0.0", "0"), ("0e5", "0"), ("1.50", "1.5"), ("15e-1", "1.5"), ("1E400", "1E400"),
    ("9223372036854775807", "9223372036854775807"), ("0.1000000000000000055", "0.1"),
  ])
  func `a number is stored in its shortest form`(text: String, expected: String) throws {
    let page = #"[{"document":{"name":"n","fields":{"tags":{"x":\#(text)}}}}]"#
    let json = try found(Array(page.utf8), extent: .init()).json[0]
    #expect(json[Self.paths.count + 10] == #"{"x":\#(expected)}"#)
  }

  @Test(arguments: [
    (#"{"integerValue":7}"#, #"{"integerValue":"7"}"#),
    (#"{"integerValue":"7e0"}"#, #"{"integerValue":"7"}"#),
    (#"{"integerValue":-7.0}"#, #"{"integerValue":"-7"}"#),
    (#"{"integerValue":"x"}"#, #"{"integerValue":"x"}"#),
    (#"{"integerValue":-0.0}"#, #"{"integerValue":"0"}"#),
    (#"{"doubleValue":"-0"}"#, #"{"doubleValue":-0.0}"#),
    (#"{"doubleValue":-0.0}"#, #"{"doubleValue":-0.0}"#),
    (#"{"doubleValue":"1.50"}"#, #"{"doubleValue":1.5}"#),
    (#"{"doubleValue":"NaN"}"#, #"{"doubleValue":"NaN"}"#),
    (#"{"nullValue":"NULL_VALUE"}"#, #"{"nullValue":null}"#),
    (#"{"nullValue":0}"#, #"{"nullValue":null}"#),
    (#"{"stringValue":"7.0"}"#, #"{"stringValue":"7.0"}"#),
    (#"{"b":1,"a":2,"b":3}"#, #"{"a":2,"b":3}"#), ("[ ]", "[]"), ("[ 1 , {} ]", "[1,{}]"),
  ])
  func `a value that may travel as a string or a number is stored as Google writes it`(
    text: String, expected: String
  ) throws {
    let page = #"[{"document":{"name":"n","fields":{"tags":\#(text)}}}]"#
    let json = try found(Array(page.utf8), extent: .init()).json[0]
    #expect(json[Self.paths.count + 10] == expected)
  }
}
