/// Parts of a query's documents: where each begins, and how many documents it has.
///
/// A value without requests: `CutSearch` looks where `halvings` says, and adds what it found.
struct KeyRanges {
  private struct KeyRange {
    let key: PathKey
    /// The document that begins it; nil for the beginning of all.
    let name: String?
    var count: Int
    /// No key of it is greater; nil where that is not known.
    var end: PathKey?
    /// Nothing lies between its keys.
    var isWhole = false
    /// Halvings in a row that found an empty half.
    var misses = 0
  }

  /// A part that is to be halved.
  struct Halving: Sendable {
    let index: Int
    /// The document that begins it.
    let name: String?
    let count: Int
    /// The key that it is halved at, made up.
    let middle: PathKey
    /// The key that begins the part after it; nil for the last part.
    let next: PathKey?
  }

  /// What was found in the middle of a part.
  struct Half: Sendable {
    let halving: Halving
    /// The first document from there on; nil when the part has none.
    let found: (key: PathKey, name: String)?
    /// The documents before it.
    let before: Int?

    init(_ halving: Halving) {
      self.halving = halving
      found = nil
      before = nil
    }

    init(_ halving: Halving, key: PathKey, name: String, before: Int) {
      self.halving = halving
      found = (key, name)
      self.before = before
    }
  }

  /// In their order.
  private var ranges: [KeyRange]
  private var alphabet = KeyAlphabet()

  init(first: PathKey, count: Int) {
    ranges = [KeyRange(key: first, name: nil, count: count)]
    alphabet.learn(first)
  }

  var firstKey: PathKey { ranges[0].key }

  /// Documents of the largest part.
  var largest: Int { ranges.map(\.count).max() ?? 0 }

  /// The name that begins the last part.
  var lastName: String? { ranges.last?.name }

  mutating func learn(_ key: PathKey) { alphabet.learn(key) }

  /// Cuts the last part before a document, which has so many of its documents before it.
  mutating func cutLast(at key: PathKey, _ name: String, before: Int) {
    let last = ranges.indices.last ?? 0
    alphabet.learn(key)
    guard before > 0, before < ranges[last].count else { return }
    ranges.append(KeyRange(key: key, name: name, count: ranges[last].count - before))
    ranges[last].count = before
    ranges[last].end = key
  }

  /// Notes that no key is greater.
  mutating func end(at key: PathKey) {
    ranges[ranges.count - 1].end = key
  }

  /// The largest parts, with their middles; at most `most`.
  mutating func halvings(largerThan count: Int, atMost most: Int) -> [Halving] {
    let open = ranges.indices.filter { ranges[$0].count > max(1, count) && !ranges[$0].isWhole }
      .sorted { ranges[$0].count > ranges[$1].count }.prefix(most)
    return open.compactMap { index in
      let range = ranges[index]
      let next = ranges.indices.contains(index + 1) ? ranges[index + 1].key : nil
      guard let end = range.end ?? next, let middle = middle(of: range, end) else {
        ranges[index].isWhole = true
        return nil
      }
      return Halving(
        index: index, name: range.name, count: range.count, middle: middle, next: next)
    }
  }

  /// Where to halve a part: where halves turn out to be empty, the keys may be in few collections.
  private func middle(of range: KeyRange, _ end: PathKey) -> PathKey? {
    if range.misses % 4 == 3, let beyond = range.key.endOfCollection, beyond < end { return beyond }
    return alphabet.middle(of: range.key, end)
  }

  /// Adds what was found; the parts must be those of the halvings, which are all added together.
  mutating func add(_ halves: [Half]) {
    // From behind, so that the places before stay what they are.
    for half in halves.sorted(by: { $0.halving.index > $1.halving.index }) {
      let index = half.halving.index
      let end = ranges[index].end
      ranges[index].end = half.halving.middle
      ranges[index].misses += 1
      guard let found = half.found, let before = half.before else { continue }
      alphabet.learn(found.key)
      guard before > 0, before < ranges[index].count else { continue }
      ranges[index].misses = 0
      ranges[index].end = min(half.halving.middle, found.key)
      let rest = ranges[index].count - before
      ranges[index].count = before
      ranges.insert(
        KeyRange(key: found.key, name: found.name, count: rest, end: end), at: index + 1)
    }
  }

  /// Names that cut the documents into so many parts of about equal size, or fewer.
  func cuts(_ parts: Int) -> [String] {
    let total = ranges.map(\.count).reduce(0, +)
    var before = 0
    var starts: [(before: Int, name: String)] = []
    for range in ranges {
      if let name = range.name { starts.append((before, name)) }
      before += range.count
    }
    var cuts: [Int] = []
    for number in 1..<max(parts, 2) {
      let target = total * number / parts
      let best = starts.indices.min {
        abs(starts[$0].before - target) < abs(starts[$1].before - target)
      }
      if let best, best > cuts.last ?? -1 { cuts.append(best) }
    }
    return cuts.map { starts[$0].name }
  }
}
