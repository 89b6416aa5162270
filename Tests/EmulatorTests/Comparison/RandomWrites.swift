import Firestore
import Fixtures

/// Random commits over few documents and fields, so that many of them meet.
struct RandomWrites {
  private var random: SeededGenerator
  private let root: String

  init(seed: UInt64, root: String) {
    random = SeededGenerator(seed: seed)
    self.root = root
  }

  /// The body of a commit or a batch of one to three writes, each to a document of its own.
  mutating func body() -> String {
    var ids = ["a", "b", "c", "odd id"].shuffled(using: &random)
    let writes = (0..<random.integer(1...3)).compactMap { _ in ids.popLast().map { write(to: $0) } }
    return String(
      decoding: JSON.object(["writes": .array(writes)]).serialized(), as: UTF8.self)
  }

  private mutating func write(to id: String) -> JSON {
    let name = "\(root)/c/\(id)"
    var members: [String: JSON] = [:]
    if random.integer(0...5) == 0 {
      members["delete"] = .string(name)
    } else {
      members["update"] = Document(name: name, fields: fields(depth: 0)).json
      if random.flip() { members["updateMask"] = FieldPath.maskJSON(mask()) }
      if random.flip() {
        members["updateTransforms"] = .array((0..<random.integer(1...2)).map { _ in transform() })
      }
    }
    if random.integer(0...4) == 0 {
      members["currentDocument"] = .object(["exists": .boolean(random.flip())])
    }
    return .object(members)
  }

  private mutating func fields(depth: Int) -> [String: Value] {
    var fields: [String: Value] = [:]
    for name in ["n", "m", "l", "odd.key"] where random.flip() {
      fields[name] =
        name == "m" && depth < 2 ? .map(self.fields(depth: depth + 1)) : value()
    }
    return fields
  }

  private static let paths = [
    ["n"], ["m"], ["m", "n"], ["m", "m", "l"], ["l"], ["odd.key"], ["new"],
  ]

  /// Paths of which none is inside another.
  private mutating func mask() -> [FieldPath] {
    let path = Self.paths.randomElement(using: &random) ?? ["n"]
    return random.flip()
      ? [FieldPath(segments: path)]
      : [["n"], ["m", random.pick("n", "l")]].map(FieldPath.init(segments:))
  }

  private mutating func transform() -> JSON {
    let path = random.pick(["n"], ["l"], ["t", "n"], ["m", "n"])
    var members = ["fieldPath": JSON.string(FieldPath(segments: path).description)]
    switch random.integer(0...4) {
    case 0: members["increment"] = number().json
    case 1: members["maximum"] = number().json
    case 2: members["minimum"] = number().json
    case 3: members["appendMissingElements"] = list()
    default: members["removeAllFromArray"] = list()
    }
    return .object(members)
  }

  private mutating func list() -> JSON {
    .object(["values": .array((0..<random.integer(0...3)).map { _ in value().json })])
  }

  private mutating func number() -> Value {
    random.pick(
      .integer(Int64(random.integer(-3...3))), .double(Double(random.integer(-3...3)) / 2),
      .integer(.max), .integer(.min), .double(.infinity))
  }

  private mutating func value() -> Value {
    switch random.integer(0...7) {
    case 0: .null
    case 1: .boolean(random.flip())
    case 2...4: number()
    case 5: .string(random.pick("", "x", "é"))
    case 6: .bytes([1, 2])
    default: .timestamp(Timestamp(microseconds: 1_500_000))
    }
  }
}
