/// A hash table of wanted field names, looked up by their bytes.
struct FieldTable: Sendable {
  enum Target: Hashable, Sendable {
    /// The value, for this position of `ScannedDocument.fields`.
    case value(Int)
    /// The JSON, for this position of `ScannedDocument.json(of:)`.
    case json(Int)
    /// Values inside the map or the array, listed in this element of `children`.
    case inside(Int)
  }

  /// The values to read inside a value, which is a map or an array.
  struct Inside: Sendable {
    let fields: FieldTable
    /// The table of elements, whose names are indexes.
    let elements: FieldTable
  }

  private static let bucketCount = 64

  /// All names, concatenated.
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]
  /// The first name of each bucket, and for each name the next in its bucket; -1 for none.
  private let first: [Int]
  private let following: [Int]
  /// One for each name.
  let targets: [Target]
  let children: [Inside]
  /// The positions in the scanned document of all values here and further inside.
  let allTargets: [Int]
  /// Whether only values are read, each for the name's own position.
  let isPlain: Bool

  var count: Int { ranges.count }

  init(_ names: [String]) {
    self.init(names, targets: names.indices.map { .value($0) }, children: [], isPlain: true)
  }

  /// Includes values inside maps and arrays; targets are positions in `wanted`.
  init(_ wanted: [WantedField]) {
    self.init(
      wanted.enumerated().map { position, field in
        let target: Target = field.form == .json ? .json(position) : .value(position)
        return (path: field.path.steps[...], target: target)
      })
  }

  private typealias Path = (path: ArraySlice<ValuePath.Step>, target: Target)

  /// The first steps are either all names or all indexes.
  private init(_ paths: [Path]) {
    var names: [String] = []
    var targets: [Target] = []
    var children: [Inside] = []
    for (path, target) in paths where path.count == 1 {
      names += path.map(\.name)
      targets.append(target)
    }
    let inside = paths.filter { $0.path.count > 1 }
    for name in Set(inside.compactMap(\.path.first?.name)).sorted() {
      names.append(name)
      targets.append(.inside(children.count))
      let rest: [Path] = inside.filter { $0.path.first?.name == name }
        .map { ($0.path.dropFirst(), $0.target) }
      children.append(
        Inside(
          fields: FieldTable(rest.filter { $0.path.first?.isElement == false }),
          elements: FieldTable(rest.filter { $0.path.first?.isElement == true })))
    }
    let isPlain = targets == targets.indices.map { .value($0) }
    self.init(names, targets: targets, children: children, isPlain: isPlain)
  }

  private init(
    _ names: [String], targets: [Target], children: [Inside], isPlain: Bool
  ) {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    var first = [Int](repeating: -1, count: FieldTable.bucketCount)
    var following: [Int] = []
    for name in names {
      let start = bytes.count
      bytes.append(contentsOf: name.utf8)
      ranges.append(start..<bytes.count)
      let bucket = bytes.withUnsafeBytes { buffer in
        FieldTable.bucket(UnsafeRawBufferPointer(rebasing: buffer[start...]))
      }
      following.append(first[bucket])
      first[bucket] = ranges.count - 1
    }
    self.bytes = bytes
    self.ranges = ranges
    self.first = first
    self.following = following
    self.targets = targets
    self.children = children
    allTargets = targets.flatMap { target in
      switch target {
      case .value(let position), .json(let position): [position]
      case .inside(let index):
        children[index].fields.allTargets + children[index].elements.allTargets
      }
    }
    self.isPlain = isPlain
  }

  /// The first bytes of each field, `"name":{"`; empty for a repeated name and one that JSON
  /// escapes.
  var heads: [[UInt8]] {
    ranges.indices.map { position in
      let name = bytes[ranges[position]]
      let isPlain = name.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
      let isOnce = ranges.count { bytes[$0] == name } == 1
      return isPlain && isOnce ? Array("\"".utf8) + name + Array("\":{\"".utf8) : []
    }
  }

  /// The first position whose name is `key`, or the next after `previous`; -1 for none.
  @inline(__always)
  func position(of key: UnsafeRawBufferPointer, after previous: Int = -1) -> Int {
    var position = previous < 0 ? first[FieldTable.bucket(key)] : following[previous]
    while position >= 0, !matches(ranges[position], key) { position = following[position] }
    return position
  }

  @inline(__always)
  private func matches(_ range: Range<Int>, _ key: UnsafeRawBufferPointer) -> Bool {
    guard range.count == key.count else { return false }
    for offset in 0..<key.count where bytes[range.lowerBound + offset] != key[offset] {
      return false
    }
    return true
  }

  /// A hash of the length and of the first, middle and last byte, which mostly differ among names.
  @inline(__always)
  private static func bucket(_ key: UnsafeRawBufferPointer) -> Int {
    guard key.count > 0 else { return 0 }
    let middle = Int(key[key.count / 2])
    return (key.count &* 7 &+ Int(key[0]) &+ middle &* 3 &+ Int(key[key.count - 1]) &* 5)
      & (bucketCount - 1)
  }
}

extension ValuePath.Step {
  /// The name of the step in a table of fields.
  fileprivate var name: String {
    switch self {
    case .field(let name): name
    case .element(let index): String(index)
    }
  }

  fileprivate var isElement: Bool {
    if case .element = self { true } else { false }
  }
}

/// A prediction of the bytes and the order of a document's wanted fields.
///
/// The documents of a collection mostly have the same fields of the same kinds in the same order.
/// In that case, one comparison replaces reading and looking up a field's name and the key of its
/// kind.
struct FieldShapes {
  /// The prediction for one wanted field.
  private struct Shape {
    /// Length of `"name":{"stringValue":` in bytes; 0 while the kind is unknown.
    var count = 0
    var kind = FieldKind.unknown
    /// The wanted field that last followed it; -1 for none.
    var following = -1
  }

  /// The position that precedes a document's first field.
  let start: Int
  /// One for each wanted field, and one for `start`.
  private var shapes: [Shape]
  /// The first bytes of each field, `stride` bytes apart.
  private var bytes: [UInt8]
  private let stride: Int
  private let heads: [[UInt8]]

  /// A head is `"name":{"` of a wanted field; empty for one that is not predicted.
  init(heads: [[UInt8]]) {
    self.heads = heads
    start = heads.count
    shapes = Array(repeating: Shape(), count: heads.count + 1)
    stride = (heads.map(\.count).max() ?? 0) + FieldKind.longestWireName + 2
    bytes = Array(repeating: 0, count: heads.count * stride)
  }

  /// The position of the field predicted after `previous`; -1 for none.
  @inline(__always)
  func following(_ previous: Int) -> Int { shapes[previous].following }

  /// Predicts a field of this kind at `position` after `previous` from now on.
  mutating func expect(_ position: Int, of kind: FieldKind, after previous: Int) {
    shapes[previous].following = position
    guard kind != shapes[position].kind else { return }
    shapes[position].kind = kind
    shapes[position].count = 0
    guard !heads[position].isEmpty, let wireName = kind.wireName else { return }
    let shape = heads[position] + wireName.utf8 + [UInt8(ascii: "\""), UInt8(ascii: ":")]
    bytes.replaceSubrange(position * stride..<position * stride + shape.count, with: shape)
    // Only a field with an empty name is shorter than a block.
    if shape.count >= Self.blockLength { shapes[position].count = shape.count }
  }

  /// Consumes the first bytes of the field at `position` if they are next; nil otherwise.
  @inline(__always)
  func kind(ofFieldAt position: Int, in cursor: inout ByteCursor) -> FieldKind? {
    let shape = shapes[position]
    guard shape.count > 0, cursor.index + shape.count <= cursor.count else { return nil }
    let text = UnsafeRawPointer(cursor.base + cursor.index)
    let isSame = bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map {
        Self.areSame($0 + position * stride, text, count: shape.count)
      }
    }
    guard isSame == true else { return nil }
    cursor.index += shape.count
    return shape.kind
  }

  /// Whether `count` bytes are equal; faster than `memcmp` for the two or three blocks of a shape.
  ///
  /// The last block may overlap the one before it.
  @inline(__always)
  private static func areSame(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int
  ) -> Bool {
    let last = count - blockLength
    var difference = block(left + last) ^ block(right + last)
    var offset = 0
    while offset < last {
      difference |= block(left + offset) ^ block(right + offset)
      offset += blockLength
    }
    return difference == .zero
  }

  private static let blockLength = MemoryLayout<SIMD2<UInt64>>.size

  @inline(__always)
  private static func block(_ address: UnsafeRawPointer) -> SIMD2<UInt64> {
    address.loadUnaligned(as: SIMD2<UInt64>.self)
  }
}
