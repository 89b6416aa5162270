import Firestore

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

  /// The first key, roughly, beyond all that begin with the first `count` scalars; nil for none.
  func end(ofPrefix count: Int) -> PathKey? {
    var prefix = scalars.prefix(count)
    while prefix.last == "/" { prefix.removeLast() }
    guard let last = prefix.popLast() else { return nil }
    // Neither a slash nor a surrogate can be part of an id.
    let next = last == "." ? 0x30 : last.value == 0xD7FF ? 0xE000 : last.value + 1
    return Unicode.Scalar(next).map { PathKey(scalars: prefix + [$0]) }
  }

  /// A path that a document could have, at the key or just before it; nil where there is none.
  ///
  /// A made up key may end with a collection: that is left out, or completed.
  func path(isBelowCollection: Bool) -> String? {
    var ids = scalars.split(separator: "/").compactMap(Self.id(of:))
    if isBelowCollection {
      ids = Array(ids.prefix(1))
    } else if ids.count % 2 == 1 {
      ids = ids.count == 1 ? ids + ["0"] : Array(ids.dropLast())
    }
    let isValid = ids.allSatisfy { ResourceName.isValid(id: $0) || $0.hasPrefix("__id") }
    return ids.isEmpty || !isValid ? nil : ids.joined(separator: "/")
  }

  private static func id(of scalars: ArraySlice<Unicode.Scalar>) -> String? {
    guard scalars.first == "\0" else {
      return String(String.UnicodeScalarView(scalars))
    }
    let digits = scalars.dropFirst().prefix { ("0"..."9").contains($0) }
    guard digits.count + 1 == scalars.count || !digits.isEmpty else {
      return String(String.UnicodeScalarView(scalars))
    }
    // What follows the digits comes after all of them.
    let filler: Character = digits.count + 1 == scalars.count ? "0" : "9"
    let text =
      String(String.UnicodeScalarView(digits))
      + String(repeating: filler, count: max(0, digitCount - digits.count))
    let number = Int64(bitPattern: (UInt64(text) ?? .max) ^ signBit)
    return "__id\(number)__"
  }

  private static let signBit: UInt64 = 1 << 63
  /// The digits of 2^64 - 1.
  private static let digitCount = 20
}

/// Keys as numbers from 0 to 1 in their order, so that there is a middle between two.
///
/// All keys begin with `shared`. What follows is a number in a system whose digits are the scalars
/// that were seen in keys: the more keys, the truer.
struct KeySpace {
  private let shared: [Unicode.Scalar]
  /// Sorted; the first stands for 1, since 0 is the end of a key.
  private let digits: [Unicode.Scalar]
  /// Digits that a `Double` can tell apart.
  private let depth: Int

  /// - Precondition: there are keys.
  init(keys: [PathKey], shared: Int) {
    self.shared = Array(keys[0].scalars.prefix(shared))
    digits = Set(keys.flatMap { $0.scalars.dropFirst(shared) })
      .sorted { PathKey(scalars: [$0]) < PathKey(scalars: [$1]) }
    var (depth, reach) = (1, 1.0)
    while reach * Double(digits.count + 1) < 1e15 {
      depth += 1
      reach *= Double(digits.count + 1)
      if digits.isEmpty { break }
    }
    self.depth = depth
  }

  private var base: Double { Double(digits.count + 1) }

  func position(of key: PathKey) -> Double {
    guard key.scalars.starts(with: shared) else {
      return key < PathKey(scalars: shared) ? 0 : 1
    }
    var (value, weight) = (0.0, 1.0)
    for scalar in key.scalars.dropFirst(shared.count).prefix(depth) {
      weight /= base
      value += weight * Double(rank(of: scalar))
    }
    return value
  }

  func key(at position: Double) -> PathKey {
    var scalars = shared
    var rest = position
    for _ in 0..<depth {
      rest *= base
      let rank = min(Int(rest), digits.count)
      guard rank > 0 else { break }
      rest -= Double(rank)
      scalars.append(digits[rank - 1])
    }
    return PathKey(scalars: scalars)
  }

  /// How many digits are not greater; a digit that is in none of the keys counts as the one before.
  private func rank(of scalar: Unicode.Scalar) -> Int {
    let key = PathKey(scalars: [scalar])
    return digits.count { !(key < PathKey(scalars: [$0])) }
  }
}
