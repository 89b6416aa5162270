import Firestore
import Glibc

/// The scalars that keys are assumed to consist of, learned from known keys.
///
/// One digit stands for all digits, and one letter for all letters of its case, since the range of
/// the first letters of keys is not known in advance.
struct KeyAlphabet {
  private static let classes: [ClosedRange<Unicode.Scalar>] = ["0"..."9", "A"..."Z", "a"..."z"]

  /// The scalars in the order of keys.
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

  /// Returns a key in the middle of two; nil when there is no room.
  ///
  /// The part after the common prefix is treated as a number whose digits are the scalars. Digit 0
  /// is the end of a key, and the highest digit is a scalar beyond all known ones.
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
        // No key lies between a key and the same key with the first digit appended.
        if middle == low.scalars { middle.append(contentsOf: scalars.prefix(1)) }
        break
      }
      rest -= Double(rank)
      middle.append(scalars[rank - 1])
    }
    let key = PathKey(scalars: middle).withWholeNumbers
    return low < key && key < high ? key : nil
  }

  /// Returns a key to probe between two: the middle, or a key after all that share a prefix with
  /// the first one.
  ///
  /// `high` is beyond all keys of the range. `unlike` is a number of leading scalars of the first
  /// key that not all keys share; nil while that does not matter. Middles would measure a shared
  /// prefix only one scalar at a time.
  ///
  /// - Returns: the key, and how many scalars all keys before it share with the first one, nil for
  ///   a middle; nil as a whole when there is no room.
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

  /// Returns the rank from 1; an unknown scalar has the rank of the next known one, or one beyond
  /// all.
  private func rank(of scalar: Unicode.Scalar) -> Int {
    let key = PathKey(scalars: [scalar])
    return 1 + scalars.count { PathKey(scalars: [$0]) < key }
  }
}
