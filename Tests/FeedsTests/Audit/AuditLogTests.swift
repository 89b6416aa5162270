import Feeds
import Model
import Testing

/// Who read what, as entries of Cloud Audit Logs tell it; `docs/readers.md#the-audit-log`.
@Suite struct AuditLogTests {
  private static let database = "projects/p/databases/(default)"
  private static let root = "\(database)/documents"

  /// An entry with these members of its payload.
  private static func entry(
    _ method: String, _ request: String, _ authentication: String = "{}", more: String = ""
  ) -> String {
    """
    {"insertId":"i1","logName":"l","timestamp":"2026-11-08T19:14:57.217715Z","protoPayload":{\
    "methodName":"google.firestore.v1.Firestore.\(method)","resourceName":"\(database)",\
    "authenticationInfo":\(authentication),"request":\(request)\(more)}}
    """
  }

  private static func records(_ text: String, gzip: Bool = false) throws -> [AuditLog.Record] {
    let file = try ExportFile(Array(text.utf8), gzip: gzip)
    return try withExtendedLifetime(file) {
      let log = try AuditLog(path: file.path)
      var records: [AuditLog.Record] = []
      while let record = try log.next() { records.append(record) }
      return records
    }
  }

  private static func read(_ text: String) throws -> AuditedRead {
    guard case .read(let read, database)? = try records(text).first else { throw Unexpected() }
    return read
  }

  private struct Unexpected: Error {}

  @Test func `a byte order mark is no part of the first entry`() throws {
    let entry = Self.entry(
      "Listen", #"{"addTarget":{"documents":{"documents":["\#(Self.root)/c/1"]}}}"#)
    #expect(try Self.records("\u{FEFF}" + entry) == Self.records(entry))
  }

  @Test func `a listener's entry tells time, collection, method, caller and documents`() throws {
    // The members of a real entry, with made-up ids.
    let read = try Self.read(
      Self.entry(
        "Listen",
        #"{"addTarget":{"targetId":102,"query":{"parent":"\#(Self.root)","structuredQuery":{"limit":10,"from":[{"collectionId":"chat"}],"orderBy":[{"field":{"fieldPath":"from"}}]}}}}"#,
        #"{"principalEmail":"service-9@firebase-rules.iam.gserviceaccount.com","thirdPartyPrincipal":{"payload":{"payload":{"sign_in_provider":"anonymous"},"user_id":"u"}}}"#,
        more: #","numResponseItems":"10","status":{}"#))
    #expect(read.at == Instant(microseconds: 1_794_165_297_217_715))
    #expect(read.collection == "chat" && read.method == "Listen")
    #expect(read.caller == "app users (anonymous)")
    #expect(read.documentCount == 10 && read.tags == [] && read.job == nil)
  }

  @Test(arguments: [
    ("RunQuery", #"{"parent":"ROOT","structuredQuery":{"from":[{"collectionId":"c"}]}}"#, "c"),
    (
      "RunQuery",
      #"{"parent":"ROOT/Users/u1","structuredQuery":{"from":[{"collectionId":"Sessions"}]}}"#,
      "Users/*/Sessions"
    ),
    (
      "RunQuery",
      #"{"parent":"ROOT","structuredQuery":{"from":[{"collectionId":"s","allDescendants":true}]}}"#,
      "s (group)"
    ),
    (
      "RunAggregationQuery",
      #"{"parent":"ROOT","structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]}}}"#,
      "c"
    ),
    ("BatchGetDocuments", #"{"documents":["ROOT/Users/u1/s/1","ROOT/c/2"]}"#, "Users/*/s"),
    ("Listen", #"{"addTarget":{"documents":{"documents":["ROOT/c/1"]}}}"#, "c"),
    ("GetDocument", #"{"name":"ROOT/c/1"}"#, "c"),
    ("ListDocuments", #"{"parent":"ROOT/c/1","collectionId":"d"}"#, "c/*/d"),
    ("ListCollectionIds", #"{"parent":"ROOT"}"#, ""), ("RunQuery", "{}", ""),
    ("ExecutePipeline", #"{"structuredPipeline":{"pipeline":{"stages":[]}}}"#, ""),
  ])
  func `the collection is its path, without ids of documents`(
    method: String, request: String, collection: String
  ) throws {
    let read = try Self.read(Self.entry(method, request.replacing("ROOT", with: Self.root)))
    #expect(read.collection == collection && read.method == method)
    #expect(read.documentCount == nil)
  }

  @Test(arguments: [
    ("{}", "not told"), (#"{"principalEmail":""}"#, "not told"),
    (#"{"principalEmail":"a@p.iam.gserviceaccount.com"}"#, "a@p.iam.gserviceaccount.com"),
    (#"{"principalEmail":"jane@example.com"}"#, "a person of example.com"),
    (
      #"{"principalEmail":"jane@notgserviceaccount.com"}"#,
      "a person of notgserviceaccount.com"
    ),
    (#"{"principalSubject":"principal://iam/x/subject/jane"}"#, "a federated identity"),
    (#"{"thirdPartyPrincipal":{"payload":{"sub":"u"}}}"#, "app users"),
    (
      #"{"thirdPartyPrincipal":{"payload":{"firebase":{"sign_in_provider":"password"}}}}"#,
      "app users (password)"
    ),
  ])
  func `a caller is a service account or a kind, never a person`(
    authentication: String, caller: String
  ) throws {
    #expect(try Self.read(Self.entry("RunQuery", "{}", authentication)).caller == caller)
  }

  @Test(
    arguments: [
      (#"["job=a","app=firetally","job=a",""]"#, ["app=firetally", "job=a"], "a"),
      (#"["job=a"]"#, ["job=a"], nil), (#"["app=firetally"]"#, ["app=firetally"], nil),
      ("[]", [], nil), ("null", [], nil),
    ] as [(String, [String], String?)])
  func `tags are sorted, and name a job beside Firetally's own`(
    tags: String, sent: [String], job: String?
  ) throws {
    let read = try Self.read(
      Self.entry("RunQuery", #"{"requestOptions":{"requestTags":\#(tags)}}"#))
    #expect(read.tags == sent && read.job == job)
  }

  @Test func `what does not read Firestore's documents is left out`() throws {
    let others = ["Commit", "Write", "BatchWrite", "UpdateDocument", "Rollback", "Unheard"].map {
      Self.entry($0, "{}")
    }
    let admin = Self.entry("X", "{}").replacing("v1.Firestore.X", with: "admin.v1.FirestoreAdmin.X")
    let records = try Self.records((others + [admin]).joined(separator: "\n"))
    #expect(records == Array(repeating: .other, count: 7))
  }

  @Test(arguments: [
    ("nonsense", "the entry is not a JSON object"),
    ("{}", "no methodName, so no entry of an audit log"),
    (
      entry("RunQuery", "{}").replacing("i1", with: "").replacing(#""insertId":"","#, with: ""),
      "no insertId or timestamp"
    ),
    (
      entry("RunQuery", "{}").replacing("2026-11-08T", with: "yesterday "),
      "timestamp is no time such as 2026-01-31T08:00:00Z"
    ),
    (
      entry("RunQuery", "{}").replacing(database, with: "projects/p"),
      "no resourceName that names a database"
    ),
  ])
  func `an entry that cannot be read says why, and the next one counts`(
    line: String, reason: String
  ) throws {
    let records = try Self.records("\(line)\n\n\(Self.entry("RunQuery", "{}"))\n")
    #expect(records.count == 2 && records.first == .rejected(number: 1, reason: reason))
  }

  @Test func `lines, an array and gzip are the same, and each entry has its own id`() throws {
    let entries = (1...3).map {
      Self.entry("RunQuery", "{}").replacing("\"i1\"", with: "\"i\($0)\"")
    }
    let lines = try Self.records(entries.joined(separator: "\n"))
    let array = try Self.records("[\n  \(entries.joined(separator: ",\n  "))\n]\n", gzip: true)
    #expect(lines == array && lines.count == 3 && Set(lines).count == 3)
    let other = try Self.read(Self.entry("RunQuery", "{}").replacing("\"l\"", with: "\"m\""))
    #expect(try other.id != Self.read(Self.entry("RunQuery", "{}")).id)
  }
}
