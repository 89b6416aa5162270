package import Model

/// Reads an export of Cloud Audit Logs, one entry per line or in one array, plain or gzip:
/// docs/readers.md#the-audit-log.
package final class AuditLog {
  package enum Record: Hashable, Sendable {
    /// A read of the database `projects/P/databases/D`.
    case read(AuditedRead, database: String)
    /// Something other than a read of Firestore's documents.
    case other
    /// `number` counts lines from 1, in an array entries; `reason` is the end of a sentence.
    case rejected(number: Int, reason: String)
  }

  /// The longest accepted line in bytes, four times the largest entry of Cloud Logging.
  package static let longestLine = 1 << 20

  private let lines: LineReader

  /// Opens the file; `-` is standard input.
  package init(path: String) throws(FeedError) {
    lines = try LineReader(path: path, longestLine: Self.longestLine)
  }

  /// The next entry that is not blank; nil after the last.
  ///
  /// Throws `FeedError.cannotRead` or `.truncated` when the file ends early.
  package func next() throws(FeedError) -> Record? {
    while let record = try lines.nextRecord(read) {
      if let record { return record }
    }
    return nil
  }

  /// Nil for a blank line.
  private func read(_ line: LineReader.Line) -> Record? {
    do throws(JSONScanner.Fault) {
      guard !line.isTooLong else { throw .init(reason: "longer than \(Self.longestLine) bytes") }
      guard !line.content.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
      return try AuditEntry.record(in: line.content)
    } catch {
      return .rejected(number: line.number, reason: error.reason)
    }
  }
}

/// The members of an audit log's entry that say who read what.
struct AuditEntry {
  private typealias Fault = JSONScanner.Fault

  /// The methods that read documents; what writes is no read, whatever it answers.
  private static let readers: Set<String> = [
    "RunQuery", "RunAggregationQuery", "ExecutePipeline", "PartitionQuery", "BatchGetDocuments",
    "GetDocument", "ListDocuments", "ListCollectionIds", "Listen",
  ]
  private static let service = "google.firestore.v1.Firestore."
  /// It only distinguishes entries, so it need not be secret.
  private static let hash = KeyedHash(low: 0, high: 0)

  private var insertId: String?
  private var logName: String?
  private var time: String?
  private var methodName: String?
  private var resourceName: String?
  private var documentCount: String?
  private var caller = AuditCaller()
  private var request = AuditedRequest()

  static func record(
    in bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONScanner.Fault) -> AuditLog.Record {
    var scanner = try JSONScanner(validating: bytes)
    var entry = AuditEntry()
    guard scanner.peek() == UInt8(ascii: "{") else {
      throw Fault(reason: "the entry is not a JSON object")
    }
    try scanner.members { scanner, key throws(JSONScanner.Fault) in
      try entry.read(key, &scanner)
    }
    try scanner.finish()
    return try entry.record()
  }

  private mutating func read(
    _ key: JSONScanner.Key, _ scanner: inout JSONScanner
  ) throws(JSONScanner.Fault) {
    switch key {
    case "insertId": insertId = try scanner.textOrSkip()
    case "logName": logName = try scanner.textOrSkip()
    case "timestamp": time = try scanner.textOrSkip()
    case "protoPayload":
      try scanner.membersOrSkip { scanner, key throws(JSONScanner.Fault) in
        try readPayload(key, &scanner)
      }
    default: try scanner.skipValue()
    }
  }

  private mutating func readPayload(
    _ key: JSONScanner.Key, _ scanner: inout JSONScanner
  ) throws(JSONScanner.Fault) {
    switch key {
    case "methodName": methodName = try scanner.textOrSkip()
    case "resourceName": resourceName = try scanner.textOrSkip()
    case "numResponseItems": documentCount = try scanner.textOrSkip()
    case "authenticationInfo": try caller.read(&scanner)
    case "request": try request.read(&scanner)
    default: try scanner.skipValue()
    }
  }

  private func record() throws(JSONScanner.Fault) -> AuditLog.Record {
    guard let methodName else { throw Fault(reason: "no methodName, so no entry of an audit log") }
    guard methodName.hasPrefix(Self.service) else { return .other }
    let method = String(methodName.dropFirst(Self.service.count))
    guard Self.readers.contains(method) else { return .other }
    guard let insertId, let time else { throw Fault(reason: "no insertId or timestamp") }
    guard let at = Instant(iso8601: time) else {
      throw Fault(reason: "timestamp is no time such as 2026-01-31T08:00:00Z")
    }
    guard let name = resourceName ?? request.parent, let database = Self.database(of: name) else {
      throw Fault(reason: "no resourceName that names a database")
    }
    let names = "\(logName ?? "")\n\(time)\n\(insertId)"
    return .read(
      AuditedRead(
        id: Int64(bitPattern: Self.hash.of(Array(names.utf8))), at: at,
        collection: request.collection ?? "", method: method, caller: caller.name,
        tags: request.sentTags, documentCount: documentCount.flatMap { Int($0) }),
      database: database)
  }

  /// `projects/P/databases/D` of any name below it.
  private static func database(of name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).prefix(4)
    guard parts.count == 4, parts[0] == "projects", parts[2] == "databases" else { return nil }
    return parts.joined(separator: "/")
  }
}

extension JSONScanner {
  /// Reads a text of one line, which `body` must consume.
  static func read<Result>(
    _ text: [UInt8], _ body: (inout JSONScanner) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    guard !text.contains(end) else { throw Fault(reason: "more than one line") }
    return try (text + [end]).withUnsafeBufferPointer { bytes throws(Fault) in
      var scanner = try JSONScanner(validating: UnsafeBufferPointer(rebasing: bytes.dropLast()))
      let result = try body(&scanner)
      try scanner.finish()
      return result
    }
  }

  /// A string, or the characters of a number; nil for any other value, which is skipped.
  mutating func textOrSkip() throws(Fault) -> String? {
    switch peek() {
    case UInt8(ascii: "\""): return try stringBytes().text()
    case UInt8(ascii: "-"), 0x30...0x39: return String(decoding: try numberBytes(), as: UTF8.self)
    default:
      try skipValue()
      return nil
    }
  }

  /// Reads an object; skips any other value.
  mutating func membersOrSkip(
    _ body: (inout JSONScanner, Key) throws(Fault) -> Void
  ) throws(Fault) {
    guard peek() == UInt8(ascii: "{") else { return try skipValue() }
    try members(body)
  }

  /// Reads an array; skips any other value.
  mutating func elementsOrSkip(
    _ body: (inout JSONScanner) throws(Fault) -> Void
  ) throws(Fault) {
    guard peek() == UInt8(ascii: "[") else { return try skipValue() }
    try elements(body)
  }
}
