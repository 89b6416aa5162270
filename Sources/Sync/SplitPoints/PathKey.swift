import Firestore
import Glibc

/// A document's path below its prefix, as Unicode scalars in Firestore's order.
///
/// The order of scalars is that of UTF-8 bytes. A slash comes before everything else, so that a
/// parent precedes its children; so does an id of the form `__id7__`, which is written as NUL and
/// its number in 20 digits.
struct PathKey: Hashable, Comparable {
  let scalars: [Unicode.Scalar]

  init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  init(path: some StringProtocol) {
    let ids = ResourceName.ids(in: path).map(Self.scalars(of:))
    scalars = Array(ids.joined(separator: ["/"]))
  }

  static func < (left: PathKey, right: PathKey) -> Bool {
    left.scalars.lexicographicallyPrecedes(right.scalars) { rank($0) < rank($1) }
  }

  private static func rank(_ scalar: Unicode.Scalar) -> UInt32 {
    scalar == "/" ? 0 : scalar.value + 1
  }

  private static func scalars(of id: String) -> [Unicode.Scalar] {
    guard id.hasPrefix("__id"), id.hasSuffix("__"), let number = Int64(id.dropFirst(4).dropLast(2))
    else { return Array(id.unicodeScalars) }
    let digits = "\(UInt64(bitPattern: number) ^ signBit)"
    let zeros = String(repeating: "0", count: digitCount - digits.count)
    return ["\0"] + Array((zeros + digits).unicodeScalars)
  }

  /// The key without scalars after the 20 digits of ids that are numbers.
  var withWholeNumbers: PathKey {
    let ids = scalars.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.first == "\0" ? $0.prefix(Self.digitCount + 1) : $0 }
    return PathKey(scalars: Array(ids.joined(separator: ["/"])))
  }

  /// Returns how many leading scalars all keys from this one up to `end` are known to share.
  func shared(upTo end: PathKey) -> Int {
    let shared = zip(scalars, end.scalars).prefix { $0 == $1 }.count
    return self.end(ofPrefix: shared + 1) == end ? shared + 1 : shared
  }

  /// A key beyond all others.
  static let end = PathKey(scalars: ["\u{10FFFF}"])

  /// Returns roughly the first key beyond all that begin with the first `count` scalars; nil for
  /// none.
  func end(ofPrefix count: Int) -> PathKey? {
    var prefix = scalars.prefix(count)
    while prefix.last == "/" { prefix.removeLast() }
    guard let last = prefix.popLast() else { return nil }
    // Neither a slash nor a surrogate can be part of an id.
    let next = last == "." ? 0x30 : last.value == 0xD7FF ? 0xE000 : last.value + 1
    return Unicode.Scalar(next).map { PathKey(scalars: prefix + [$0]) }
  }

  /// Returns a path that a document could have, at the key or next to it; nil when there is none.
  ///
  /// A synthetic key that ends with a collection is completed.
  func path(isBelowCollection: Bool) -> String? {
    var ids = scalars.split(separator: "/").compactMap(Self.id(of:))
    if isBelowCollection {
      ids = Array(ids.prefix(1))
    } else if ids.count % 2 == 1 {
      ids.append("0")
    }
    let isValid = ids.allSatisfy { ResourceName.isValid(id: $0) || $0.hasPrefix("__id") }
    return ids.isEmpty || !isValid ? nil : ids.joined(separator: "/")
  }

  private static func id(of scalars: ArraySlice<Unicode.Scalar>) -> String? {
    guard scalars.first == "\0" else {
      return String(String.UnicodeScalarView(scalars))
    }
    let digits = scalars.dropFirst().prefix { ("0"..."9").contains($0) }.prefix(digitCount)
    guard digits.count + 1 == scalars.count || !digits.isEmpty else {
      return String(String.UnicodeScalarView(scalars))
    }
    // A key with scalars after its digits sorts after all numbers with these digits: take the next
    // one.
    let isWhole = digits.count + 1 == scalars.count
    let text =
      String(String.UnicodeScalarView(digits))
      + String(repeating: isWhole ? "0" : "9", count: max(0, digitCount - digits.count))
    let last = UInt64(text) ?? .max
    let number = Int64(bitPattern: (isWhole || last == .max ? last : last + 1) ^ signBit)
    return "__id\(number)__"
  }

  private static let signBit: UInt64 = 1 << 63
  /// The digits of 2^64 - 1.
  private static let digitCount = 20
}
