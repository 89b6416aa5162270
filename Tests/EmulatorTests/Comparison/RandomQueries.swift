import Firestore
import Fixtures

/// Random documents and queries over few fields and few values, so that much is equal or missing.
struct RandomQueries {
  private var random: SeededGenerator
  private let root: String

  init(seed: UInt64, root: String) {
    random = SeededGenerator(seed: seed)
    self.root = root
  }

  static let fields = ["a", "b", "m.x", "tags"].map { text in
    FieldPath(segments: text.split(separator: ".").map(String.init))
  }

  /// Documents of the collection `c`, some of them below other documents.
  mutating func documents(_ count: Int) -> [Document] {
    (0..<count).map { index in
      var fields: [String: Value] = [:]
      if random.integer(0...5) > 0 { fields["a"] = scalar() }
      if random.integer(0...3) > 0 { fields["b"] = .integer(Int64(random.integer(0...3))) }
      if random.flip() { fields["m"] = .map(["x": scalar()]) }
      if random.flip() {
        fields["tags"] = .array((0..<random.integer(0...3)).map { _ in scalar() })
      }
      let parent = random.integer(0...4) == 0 ? "p/\(random.integer(1...2))/" : ""
      return Document(name: "\(root)/\(parent)c/\(id(index))", fields: fields)
    }
  }

  mutating func query() -> StructuredQuery {
    var query = StructuredQuery(
      from: [.init(collectionId: "c", allDescendants: random.integer(0...3) == 0)])
    if random.integer(0...3) > 0 { query.filter = filter(depth: 0) }
    query.orderBy = orders()
    if random.integer(0...2) == 0 { query.limit = random.integer(0...12) }
    if random.integer(0...5) == 0 { query.offset = random.integer(0...5) }
    if random.integer(0...3) == 0 { query.startAt = cursor(query.orderBy) }
    if random.integer(0...5) == 0 { query.endAt = cursor(query.orderBy) }
    return query
  }

  /// A projection; never one of no fields, which Google's emulator takes for that of the name.
  mutating func selection() -> [FieldPath]? {
    guard random.integer(0...2) > 0 else { return nil }
    return [
      random.pick(Self.fields, or: .documentName), random.pick(Self.fields, or: .documentName),
    ]
  }

  private mutating func orders() -> [StructuredQuery.Order] {
    var orders: [StructuredQuery.Order] = []
    for _ in 0..<random.integer(0...2) {
      let field = random.pick(Self.fields, or: .documentName)
      guard !orders.contains(where: { $0.field == field }) else { continue }
      orders.append(.init(field: field, direction: random.pick(.ascending, .descending)))
    }
    return orders
  }

  private mutating func filter(depth: Int) -> StructuredQuery.Filter {
    if depth < 2, random.integer(0...2) == 0 {
      let filters = (0..<random.integer(1...2)).map { _ in filter(depth: depth + 1) }
      return .composite(random.pick(.and, .and, .or), filters)
    }
    let field = random.pick(Self.fields, or: .documentName)
    if random.integer(0...7) == 0 {
      return .unary(field, random.pick(StructuredQuery.UnaryOperator.allCases, or: .isNull))
    }
    let comparison = random.pick(StructuredQuery.FieldOperator.allCases, or: .equal)
    switch comparison {
    case .in, .notIn, .arrayContainsAny:
      return .field(field, comparison, .array((0..<random.integer(1...2)).map { _ in scalar() }))
    default: return .field(field, comparison, scalar())
    }
  }

  private mutating func cursor(_ orders: [StructuredQuery.Order]) -> StructuredQuery.Cursor {
    let values = orders.map { _ in scalar() }
    return .init(
      values: Array(values.prefix(random.integer(0...max(0, orders.count)))), before: random.flip())
  }

  private mutating func scalar() -> Value {
    switch random.integer(0...15) {
    case 0: .null
    case 1: .boolean(random.flip())
    case 2...5: .integer(Int64(random.integer(-1...3)))
    case 6, 7: .double(random.pick(-0.5, 0, 1, 2.5, .infinity))
    case 8: .double(.nan)
    case 9: .timestamp(Timestamp(microseconds: Int64(random.integer(0...2)) * 1_500_000))
    case 10...12: .string(random.pick("", "a", "b", "é", "😀", "\u{FFFD}"))
    case 13: .bytes(random.pick([], [0], [200]))
    case 14: .reference("\(root)/c/\(id(random.integer(0...3)))")
    default: .geoPoint(latitude: random.pick(-1, 0, 1), longitude: 2)
    }
  }

  private func id(_ index: Int) -> String {
    ["plain", "with space", "ümlaut", "z+q"][index % 4] + "\(index)"
  }
}
