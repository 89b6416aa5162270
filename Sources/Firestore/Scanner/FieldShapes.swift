/// Predicts the bytes and the order of a document's wanted fields.
///
/// The documents of a collection mostly have the same fields of the same kinds in the same order.
/// Then one comparison replaces reading and looking up a field's name and the key of its kind.
struct FieldShapes {
  /// The prediction for one wanted field.
  private struct Shape {
    /// Length of `"name":{"stringValue":` in bytes; 0 while the kind is unknown.
    var count = 0
    var kind = FieldKind.unknown
    /// The wanted field that followed it last; -1 for none.
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

  /// - Parameter heads: `"name":{"` of each wanted field; empty for one that is not predicted.
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
