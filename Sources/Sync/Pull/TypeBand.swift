import Firestore

/// The documents whose order field has values of one type, in a pull from the latest time down.
///
/// Firestore sorts by type first: all timestamps come before the first number, however late its
/// time is. So the types with times are read in turn, each from its own position, and always the
/// type at the latest time next; see `docs/loads.md#two-types`.
package struct TypeBand: Hashable, Sendable {
  package enum Kind: String, Sendable {
    /// Types above timestamps, such as strings, which contain no time.
    case others
    /// Timestamps, and numbers beyond the year 9999.
    case timestamps
    /// Other numbers, and the types below them.
    case numbers

    /// The smallest number that is no longer a time: the first second of the year 10000.
    private static let beyond = Value.integer(Timestamp.latest.unixSeconds + 1)

    var start: StructuredQuery.Cursor? {
      switch self {
      case .others: nil
      case .timestamps: .init(values: [.timestamp(.latest)], before: true)
      case .numbers: .init(values: [Self.beyond], before: false)
      }
    }

    var end: StructuredQuery.Cursor? {
      switch self {
      case .others: .init(values: [.timestamp(.latest)], before: true)
      case .timestamps: .init(values: [Self.beyond], before: false)
      case .numbers: nil
      }
    }
  }

  package var kind: Kind
  /// The last document stored; nil at the beginning.
  package var last: PullCursor.Position?
  package var isDone = false

  package init(_ kind: Kind, last: PullCursor.Position? = nil, isDone: Bool = false) {
    self.kind = kind
    self.last = last
    self.isDone = isDone
  }

  /// Where the next page starts; nil for the very beginning.
  var position: StructuredQuery.Cursor? {
    last.map { .init(values: [$0.value, .reference($0.name)].compactMap(\.self), before: false) }
      ?? kind.start
  }

  /// The latest time that the remaining documents can have; nil for values without a time, and at
  /// the beginning.
  var latest: Timestamp? {
    last?.value.flatMap { Timestamp(timestampOrSeconds: $0) }
  }

  /// Returns what is left of all types after a position in one of them; empty after the last type.
  static func split(after last: PullCursor.Position) -> [TypeBand] {
    switch last.value {
    case .null, .boolean, .integer, .double, nil: []
    case .timestamp: [TypeBand(.timestamps, last: last), TypeBand(.numbers)]
    default: [TypeBand(.others, last: last), TypeBand(.timestamps), TypeBand(.numbers)]
    }
  }

  /// Returns the index of the type to read next; nil when all are read.
  ///
  /// A type that was not begun comes first, then the one at the latest time, and last the values
  /// without a time.
  static func next(of bands: [TypeBand]) -> Int? {
    let open = bands.indices.filter { !bands[$0].isDone }
    if let fresh = open.first(where: { bands[$0].last == nil }) { return fresh }
    let timed = open.filter { bands[$0].latest != nil }
    return timed.max { (bands[$0].latest ?? .earliest) < (bands[$1].latest ?? .earliest) }
      ?? open.first
  }
}

/// The stored form.
extension TypeBand {
  var json: JSON {
    var members: [String: JSON] = ["type": .string(kind.rawValue), "isDone": .boolean(isDone)]
    if let last { members.merge(last.members) { $1 } }
    return .object(members)
  }

  /// Returns nil for a type that another version of the program wrote.
  init?(json: JSON) throws(WireError) {
    guard let kind = Kind(rawValue: try json["type"]?.text() ?? "") else { return nil }
    self.init(
      kind, last: try PullCursor.Position(json: json),
      isDone: try json["isDone"]?.flag() ?? false)
  }
}
