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

  /// The same with no more digits than ids have that are numbers.
  var withWholeNumbers: PathKey {
    let ids = scalars.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.first == "\0" ? $0.prefix(Self.digitCount + 1) : $0 }
    return PathKey(scalars: Array(ids.joined(separator: ["/"])))
  }

  /// How many scalars all keys from this one up to `end` begin with alike, as far as is known.
  func shared(upTo end: PathKey) -> Int {
    let shared = zip(scalars, end.scalars).prefix { $0 == $1 }.count
    return self.end(ofPrefix: shared + 1) == end ? shared + 1 : shared
  }

  /// Beyond all keys.
  static let end = PathKey(scalars: ["\u{10FFFF}"])

  /// The first key, roughly, beyond all that begin with the first `count` scalars; nil for none.
  func end(ofPrefix count: Int) -> PathKey? {
    var prefix = scalars.prefix(count)
    while prefix.last == "/" { prefix.removeLast() }
    guard let last = prefix.popLast() else { return nil }
    // Neither a slash nor a surrogate can be part of an id.
    let next = last == "." ? 0x30 : last.value == 0xD7FF ? 0xE000 : last.value + 1
    return Unicode.Scalar(next).map { PathKey(scalars: prefix + [$0]) }
  }

  /// A path that a document could have, at the key or next to it; nil where there is none.
  ///
  /// A made up key may end with a collection: that is completed.
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
    // What follows the digits comes after all of them: it is the next number that is meant.
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

/// The scalars that keys are thought to consist of, learned from keys that were seen.
///
/// One digit stands for all digits, and one letter for all of its case: the range of a key's first
/// letters is not known before.
struct KeyAlphabet {
  private static let classes: [ClosedRange<Unicode.Scalar>] = ["0"..."9", "A"..."Z", "a"..."z"]

  /// In their order.
  private var scalars: [Unicode.Scalar] = []

  mutating func learn(_ key: PathKey) {
    var all = Set(scalars)
    for scalar in key.scalars where scalar != "\0" && !all.contains(scalar) {
      let range = Self.classes.first { $0.contains(scalar) } ?? scalar...scalar
      all.formUnion(
        (range.lowerBound.value...range.upperBound.value).compactMap(Unicode.Scalar.init))
    }
    scalars = all.sorted { PathKey(scalars: [$0]) < PathKey(scalars: [$1]) }
  }

  /// A key in the middle of two; nil where there is no room.
  ///
  /// What follows the beginning that both share is a number in a system whose digits are the
  /// scalars; 0 is the end of a key, and one more than them is beyond all that were seen.
  func middle(of low: PathKey, _ high: PathKey) -> PathKey? {
    let shared = zip(low.scalars, high.scalars).prefix { $0 == $1 }.count
    let base = Double(scalars.count + 2)
    // A `Double` distinguishes this number of digits.
    let depth = max(1, Int(15 / log10(base)))
    func position(_ key: PathKey) -> Double {
      key.scalars.dropFirst(shared).prefix(depth).reversed()
        .reduce(0) { ($0 + Double(rank(of: $1))) / base }
    }
    var rest = (position(low) + position(high)) / 2
    var middle = Array(low.scalars.prefix(shared))
    for _ in 0..<depth {
      rest *= base
      let rank = min(Int(rest), scalars.count)
      guard rank > 0 else {
        // Nothing lies between a key and the same with the first digit after it.
        if middle == low.scalars { middle.append(contentsOf: scalars.prefix(1)) }
        break
      }
      rest -= Double(rank)
      middle.append(scalars[rank - 1])
    }
    let key = PathKey(scalars: middle).withWholeNumbers
    return low < key && key < high ? key : nil
  }

  /// A key to probe between two: in the middle, or behind those that begin like the first one.
  ///
  /// `high` is beyond all others. Not all keys begin with `unlike` scalars of the first one; nil
  /// while that does not matter. Middles would miss what many keys share, one scalar at a time.
  ///
  /// - Returns: the key, and how many scalars all keys before it share with the first one, nil for
  ///   a middle; nil where there is no room.
  func probe(
    between low: PathKey, _ high: PathKey, unlike: Int?
  ) -> (key: PathKey, alike: Int?)? {
    if let unlike {
      let shared = low.shared(upTo: high)
      let half = (shared + unlike) / 2
      for alike in half..<max(half, unlike) where alike > shared {
        guard let behind = low.end(ofPrefix: alike), low < behind, behind < high else { continue }
        return (behind, alike)
      }
    }
    return middle(of: low, high).map { ($0, nil) }
  }

  /// From 1; what was not seen comes with the next one that was, or behind all.
  private func rank(of scalar: Unicode.Scalar) -> Int {
    let key = PathKey(scalars: [scalar])
    return 1 + scalars.count { PathKey(scalars: [$0]) < key }
  }
}
