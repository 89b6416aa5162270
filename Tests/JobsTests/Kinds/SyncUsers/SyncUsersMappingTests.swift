import Firestore
import Fixtures
import JobsTesting
import Model
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

@Suite struct SyncUsersMappingTests {
  /// One field's value of each kind that a scan distinguishes, as on the wire; nil leaves it out.
  private static let kinds: [(name: String, json: String?)] = [
    ("string", #"{"stringValue":"Anna"}"#), ("integer", #"{"integerValue":"31"}"#),
    ("timestamp", #"{"timestampValue":"2026-01-31T07:59:58.999999Z"}"#),
    ("double", #"{"doubleValue":1700000000.75}"#), ("boolean", #"{"booleanValue":true}"#),
    ("null", #"{"nullValue":null}"#), ("missing", nil),
    ("malformed", #"{"integerValue":"many"}"#), ("other", #"{"mapValue":{}}"#),
  ]

  /// What each column holds for a kind; a kind without an entry is unreadable.
  private static func expected(_ column: UserColumn) -> [String: String] {
    switch column.descriptor.form {
    case .text where column == .userId:
      ["string": "Anna", "null": "document-id", "missing": "document-id"]
    case .text: ["string": "Anna", "null": "", "missing": ""]
    case .age: ["string": "Anna", "integer": "31", "null": "", "missing": ""]
    case .integer: ["integer": "31", "null": "0", "missing": "0"]
    case .lastSeen:
      [
        "integer": "31", "timestamp": "1769846398", "double": "1700000000", "null": "0",
        "missing": "0",
      ]
    case .flag: ["boolean": "1", "null": "0", "missing": "0"]
    }
  }

  private static let cases = UserColumn.ofUsers.flatMap { column in
    kinds.map { (column, $0.name, $0.json) }
  }

  /// What a column holds when its field is unreadable; nil when the user is then skipped.
  private static func empty(_ column: UserColumn) -> String? {
    column.descriptor.isRequired ? nil : column.descriptor.isInteger ? "0" : ""
  }

  @Test(arguments: cases)
  func `a column takes its own kinds; of the others it stays empty, or there is no user`(
    column: UserColumn, kind: String, json: String?
  ) throws {
    let name = UserWireFields.app.queryName(column)
    var fields = ["User_name": #"{"stringValue":"Bob"}"#]
    fields[name] = json
    let mapped = try map(fields)
    if column == .name, json == nil || kind == "null" {
      #expect(mapped.reason == SkipReason.emptyName.id)
    } else if let text = Self.expected(column)[kind] {
      #expect(mapped.reason == nil)
      #expect(mapped.rows.count == 1)
      #expect(mapped.text(column) == text)
      #expect(mapped.emptied.isEmpty)
    } else if let text = Self.empty(column) {
      #expect(mapped.reason == nil)
      #expect(mapped.text(column) == text)
      #expect(mapped.emptied == [name])
    } else {
      #expect(mapped.reason == SkipReason.badField(name).id)
      #expect(mapped.rows.isEmpty)
    }
  }

  @Test func `texts and numbers are stored as what SQLite has of them`() throws {
    let rows = try map([
      "User_name": #"{"stringValue":"Zo\u00eb \ud83c\udf38"}"#,
      "User_age": #"{"integerValue":"27"}"#,
      "isAd": #"{"booleanValue":false}"#,
    ]).rows
    #expect(rows.text(row: 0, column: .name) == "Zoë 🌸")
    #expect(rows[0, .age] == .integer(27))
    #expect(rows[0, .isAd] == .integer(0))
    #expect(rows[0, .updateTime] == .integer(Instant.morning.microseconds + 1))
  }

  @Test(arguments: [
    (#"{"stringValue":"Lima"}"#, #"{"stringValue":"Cusco"}"#, "Lima"),
    (nil, #"{"stringValue":"Cusco"}"#, "Cusco"),
    (#"{"nullValue":null}"#, #"{"stringValue":"Cusco"}"#, "Cusco"),
    (#"{"stringValue":""}"#, #"{"stringValue":"Cusco"}"#, ""),
    (#"{"stringValue":"Lima"}"#, #"{"booleanValue":true}"#, "Lima"), (nil, nil, ""),
    (#"{"booleanValue":true}"#, #"{"stringValue":"Cusco"}"#, "Cusco"),
  ])
  func `the city's first name wins, the second stands in for a missing, null or unreadable one`(
    first: String?, second: String?, city: String
  ) throws {
    var fields = ["User_name": #"{"stringValue":"Bob"}"#]
    fields["user_city"] = first
    fields["User_city"] = second
    #expect(try map(fields).text(.city) == city)
  }

  @Test(
    arguments: [
      ("me-myself", "Bob", .ownUser), ("me-myself", "", .ownUser), ("you", "", .emptyName),
      ("u", "", .emptyName), ("ab", "Bob", .shortId), ("äö", "Bob", .shortId),
      ("", "Bob", .shortId),
      ("x_ad_7", "Bob", .adId), ("_ad_", "Bob", .adId), ("abc", "Bob", nil), ("abc", " ", nil),
      ("madison", "Bob", nil), ("x_AD_7", "Bob", nil), ("me-myself2", "Bob", nil),
    ] as [(String, String, SkipReason?)])
  func `some users are left out, by the first reason`(id: String, name: String, reason: SkipReason?)
    throws
  {
    let mapped = try map([
      "User_id": #"{"stringValue":"\#(id)"}"#, "User_name": #"{"stringValue":"\#(name)"}"#,
    ])
    #expect(mapped.reason == reason?.id)
    #expect(mapped.rows.count == (reason == nil ? 1 : 0))
  }

  @Test func `a document's id is judged where it stands in for User_id`() throws {
    let fields = ["User_name": #"{"stringValue":"Bob"}"#]
    #expect(try map(fields, id: "document-id").text(.userId) == "document-id")
    #expect(try map(fields, id: "me-myself").reason == SkipReason.ownUser.id)
    #expect(try map(fields, id: "x7").reason == SkipReason.shortId.id)
  }

  @Test func `without an own id nobody is the own user`() throws {
    let fields = ["User_name": #"{"stringValue":"Bob"}"#]
    #expect(try map(fields, id: "me-myself", ownUserId: nil).reason == nil)
    #expect(try map(fields, id: "me-myself", ownUserId: "").reason == nil)
  }

  @Test func `a bad field is named before any other reason`() throws {
    let mapped = try map(["User_name": #"{"booleanValue":true}"#], id: "x7")
    #expect(mapped.reason == SkipReason.badField("User_name").id)
  }

  /// 08:00:00 is now; 08:05:00 is 300 seconds ahead.
  @Test(
    arguments: [
      (#"{"timestampValue":"2026-01-31T08:05:00Z"}"#, 1_769_846_700),
      (#"{"timestampValue":"2026-01-31T08:05:00.000001Z"}"#, nil),
      (#"{"timestampValue":"2026-01-31T08:05:01Z"}"#, nil),
      (#"{"integerValue":"1769846700"}"#, 1_769_846_700), (#"{"integerValue":"1769846701"}"#, nil),
      (#"{"doubleValue":1769846700}"#, 1_769_846_700), (#"{"doubleValue":1769846700.5}"#, nil),
      (#"{"integerValue":"253402300799"}"#, nil),
    ] as [(String, Int64?)])
  func `a time more than 300 s ahead becomes 30 days ago, to the microsecond`(
    json: String, seconds: Int64?
  ) throws {
    let mapped = try map(["User_name": #"{"stringValue":"Bob"}"#, "last_time_seen": json])
    #expect(mapped.collected.notes[LastSeenRule.countedAs] == (seconds == nil ? 1 : nil))
    #expect(
      mapped.text(.lastSeenAtSeconds)
        == String(seconds ?? Instant.morning.unixSeconds - 30 * 86_400))
  }

  @Test func `a time ahead of a user who is left out is not counted`() throws {
    let ahead = #"{"integerValue":"1769846701"}"#
    #expect(try map(["last_time_seen": ahead]).reason == SkipReason.emptyName.id)
  }

  @Test(arguments: [
    (#"{"integerValue":"-62135596800"}"#, true), (#"{"integerValue":"-62135596801"}"#, false),
    (#"{"integerValue":"253402300800"}"#, false),
    (#"{"integerValue":"9223372036854775807"}"#, false),
    (#"{"integerValue":"-9223372036854775808"}"#, false), (#"{"doubleValue":1e300}"#, false),
    (#"{"doubleValue":"NaN"}"#, false), (#"{"doubleValue":"-Infinity"}"#, false),
    (#"{"doubleValue":-1.5}"#, true),
  ])
  func `seconds outside of the years 1 to 9999 are a bad field`(json: String, isTaken: Bool) throws
  {
    let mapped = try map(["User_name": #"{"stringValue":"Bob"}"#, "last_time_seen": json])
    #expect(mapped.reason == (isTaken ? nil : SkipReason.badField("last_time_seen").id))
  }

  @Test(arguments: [
    (#"{"integerValue":"1764230400000"}"#, "milliseconds"),
    (#"{"doubleValue":1764230400000.0}"#, "milliseconds"),
    (#"{"integerValue":"1764230400000000"}"#, "microseconds"),
  ])
  func `a last-seen time in another unit is left out with what it looks like`(
    json: String, unit: String
  ) throws {
    let mapped = try map(["User_name": #"{"stringValue":"Bob"}"#, "last_time_seen": json])
    #expect(mapped.reason == "bad-field:last_time_seen (looks like \(unit))")
  }

  @Test func `renamed fields are read, named when bad, and the app's own names ignored`() throws {
    let fields = UserWireFields.app.renamed(["User_name": "displayName", "User_age": "years"])
    let good = try map(
      [
        "displayName": #"{"stringValue":"Eve"}"#, "years": #"{"stringValue":"44"}"#,
        "User_name": #"{"booleanValue":true}"#, "User_age": #"{"stringValue":"18"}"#,
      ], by: fields)
    #expect(good.text(.name) == "Eve")
    #expect(good.text(.age) == "44")
    let bad = try map(["displayName": #"{"mapValue":{}}"#], by: fields)
    #expect(bad.reason == SkipReason.badField("displayName").id)
  }

  private struct Mapped {
    var collected = MappedRows(TableRows.users())

    var rows: TableRows { collected.rows }
    /// Why there is no row; nil when there is one.
    var reason: String? { collected.skipped.keys.first }
    /// Wire names of fields that were left empty.
    var emptied: [String] {
      collected.notes.keys.filter { $0.hasPrefix(SyncUsersMapping.emptied) }
        .map { String($0.dropFirst(SyncUsersMapping.emptied.count)) }
    }

    /// The one row's cell as text; nil when there is no row.
    func text(_ column: UserColumn) -> String? {
      rows.isEmpty ? nil : rows.text(row: 0, column: column)
    }
  }

  private func map(
    _ fields: [String: String], id: String = "document-id", ownUserId: String? = "me-myself",
    by wireFields: UserWireFields = .app
  ) throws -> Mapped {
    let mapping = SyncUsersMapping(fields: wireFields, ownUserId: ownUserId, now: .morning)
    let members = fields.map { "\"\($0)\":\($1)" }.joined(separator: ",")
    let name = "projects/demo/databases/(default)/documents/Users/\(id)"
    var bytes = Array(
      """
      [{"document":{"name":"\(name)","fields":{\(members)},
      "updateTime":"2026-01-31T08:00:00.000001Z"}}]
      """.utf8)
    var scanner = DocumentScanner(fields: mapping.wireNames)
    var mapped = Mapped()
    _ = try scanner.scan(&bytes) { document, page in
      mapping.add(document, in: page, to: &mapped.collected)
    }
    return mapped
  }
}
