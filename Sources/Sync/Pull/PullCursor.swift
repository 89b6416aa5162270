package import Firestore

/// The position that a pull has reached, committed with the rows that it covers.
package struct PullCursor: Hashable, Sendable {
  package struct Position: Hashable, Sendable {
    /// The order field's value; nil when the pages are ordered by the name alone.
    package var value: Value?
    package var name: String
  }

  /// A range of names that is read concurrently with others.
  package struct Partition: Hashable, Sendable {
    /// The first name that may be in the range; nil in the first partition.
    package var start: String?
    /// The first name after the range; nil in the last partition.
    package var end: String?
    /// The last document stored; nil at the beginning.
    package var last: String?
    package var isDone = false

    /// Where the next page starts; nil for the very first page.
    var position: StructuredQuery.Cursor? {
      last.map { .init(values: [.reference($0)], before: false) }
        ?? start.map { .init(values: [.reference($0)], before: true) }
    }
  }

  /// The last document stored; nil at the beginning, and for a pull in partitions or types.
  package var last: Position?
  /// Ranges that together cover all names, in order; empty for a pull without partitions.
  package var partitions: [Partition] = []
  /// The types of the order field's values; empty for a pull that does not read them separately.
  package var bands: [TypeBand] = []
  /// The snapshot of the first page; nil before it arrived, and for a pull that stopped at its
  /// budget or at the end of its snapshot.
  package var readTime: Timestamp?
  /// The snapshot in which the pull began, before it stopped.
  package var firstReadTime: Timestamp?
  package var documentCount = 0
  /// The highest times of the order field among the documents stored.
  package var highest = TypedTimes()

  package init() {}

  /// Starts a pull in partitions, which are split before these names, in order.
  package init(cutAt points: [String]) {
    guard !points.isEmpty else { return }
    partitions = zip([nil] + points, points + [nil]).map { Partition(start: $0, end: $1) }
  }
}

/// The stored form: JSON, with the values as on the wire.
extension PullCursor {
  package var text: String {
    var members: [String: JSON] = ["documentCount": .integer(documentCount)]
    if let last { members.merge(last.members) { $1 } }
    if !bands.isEmpty { members["types"] = .array(bands.map(\.json)) }
    if !partitions.isEmpty { members["parts"] = .array(partitions.map(\.json)) }
    members["readTime"] = readTime.map { .string($0.rfc3339) }
    members["firstReadTime"] = firstReadTime.map { .string($0.rfc3339) }
    if !highest.isEmpty { members["highest"] = .string(highest.text(usual: .timestamp)) }
    return String(decoding: JSON.object(members).serialized(), as: UTF8.self)
  }

  /// Returns nil for a text from another version of the program: the pull then starts over.
  package init?(text: String) {
    do {
      let json = try JSON(parsing: Array(text.utf8))
      let last = try Position(json: json)
      let partitions = try json["parts"]?.elements().map { try Partition(json: $0) } ?? []
      let bands = try json["types"]?.elements().compactMap { try TypeBand(json: $0) } ?? []
      let positions = [last != nil, !partitions.isEmpty, !bands.isEmpty]
      guard positions.count(where: \.self) == 1, let count = try json["documentCount"]?.integer()
      else { return nil }
      self.init()
      self.last = last
      self.partitions = partitions
      self.bands = bands
      documentCount = Int(count)
      readTime = try json["readTime"].flatMap { Timestamp(rfc3339: try $0.text()) }
      firstReadTime = try json["firstReadTime"].flatMap { Timestamp(rfc3339: try $0.text()) }
      highest =
        try json["highest"].flatMap { TypedTimes(text: try $0.text(), usual: .timestamp) }
        ?? TypedTimes()
    } catch {
      return nil
    }
  }
}

extension PullCursor.Partition {
  fileprivate var json: JSON {
    var members: [String: JSON] = ["isDone": .boolean(isDone)]
    members["start"] = start.map { .string($0) }
    members["end"] = end.map { .string($0) }
    members["last"] = last.map { .string($0) }
    return .object(members)
  }

  fileprivate init(json: JSON) throws(WireError) {
    self.init(
      start: try json["start"]?.text(), end: try json["end"]?.text(),
      last: try json["last"]?.text(), isDone: try json["isDone"]?.flag() ?? false)
  }
}

extension PullCursor.Position {
  var members: [String: JSON] {
    var members: [String: JSON] = ["name": .string(name)]
    members["value"] = value?.json
    return members
  }

  /// Returns nil for JSON without a name.
  init?(json: JSON) throws(WireError) {
    guard let name = try json["name"]?.text() else { return nil }
    let value = try json["value"].map { json throws(WireError) in try Value(json: json) }
    self.init(value: value, name: name)
  }
}
