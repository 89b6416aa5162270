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
    var search = Search.none
  }

  /// Where most keys of a part begin alike, made up middles miss them: so that is found out first.
  enum Search {
    /// Halvings were even enough.
    case none
    /// Not most keys begin with so many scalars of the first one.
    case below(Int)
    /// Found out, when all keys were known to begin with so many scalars.
    case ended(Int)
  }

  /// A part that is to be halved.
  struct Bisection: Sendable {
    let index: Int
    /// The document that begins it.
    let name: String?
    let count: Int
    /// The key that it is halved at, made up.
    let middle: PathKey
    /// The scalars of its first key that all keys before the middle begin with; nil for any.
    let alike: Int?
    /// What begins the part after it; nil for the last part.
    let next: (key: PathKey, name: String)?
  }

  /// What was found in the middle of a part.
  struct Half: Sendable {
    let halving: Bisection
    /// The first document from there on; nil when the part has none.
    let found: (key: PathKey, name: String)?
    /// The documents before it.
    let before: Int?

    init(_ halving: Bisection) {
      self.halving = halving
      found = nil
      before = nil
    }

    init(_ halving: Bisection, key: PathKey, name: String, before: Int) {
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

  /// SplitPoints the last part before a document, which has so many of its documents before it.
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
  mutating func halvings(largerThan count: Int, atMost most: Int) -> [Bisection] {
    let open = ranges.indices.filter { ranges[$0].count > max(1, count) && !ranges[$0].isWhole }
      .sorted { ranges[$0].count > ranges[$1].count }.prefix(most)
    return open.compactMap { index in
      let range = ranges[index]
      let after = ranges.indices.contains(index + 1) ? ranges[index + 1] : nil
      let next = after.flatMap { after in after.name.map { (key: after.key, name: $0) } }
      guard let end = range.end ?? next?.key, let (middle, alike) = middle(of: range, end) else {
        ranges[index].isWhole = true
        return nil
      }
      return Bisection(
        index: index, name: range.name, count: range.count, middle: middle, alike: alike,
        next: next)
    }
  }

  /// Where to halve a part: behind those that begin like its first key, or in the middle.
  private func middle(of range: KeyRange, _ end: PathKey) -> (key: PathKey, alike: Int?)? {
    if case .below(let unlike) = range.search {
      let first = (range.key.shared(upTo: end) + unlike) / 2
      for alike in first..<max(first, unlike) {
        guard let behind = range.key.end(ofPrefix: alike), range.key < behind, behind < end
        else { continue }
        return (behind, alike)
      }
    }
    return alphabet.middle(of: range.key, end).map { ($0, nil) }
  }

  /// Adds what was found; the parts must be those of the halvings, which are all added together.
  mutating func add(_ halves: [Half]) {
    // From behind, so that the places before stay what they are.
    for half in halves.sorted(by: { $0.halving.index > $1.halving.index }) {
      let index = half.halving.index
      let part = ranges[index]
      ranges[index].end = half.halving.middle
      guard let found = half.found, let before = half.before else {
        ranges[index].search = half.search(after: part.search, in: part.key, half.halving.middle)
        continue
      }
      alphabet.learn(found.key)
      guard before > 0, before < part.count else {
        // It is the first document of the part, behind which nothing was found out.
        ranges[index].end = part.end
        ranges[index].isWhole = true
        continue
      }
      let cut = min(half.halving.middle, found.key)
      ranges[index].end = cut
      ranges[index].count = before
      ranges[index].search = half.search(after: part.search, in: part.key, cut)
      ranges.insert(
        KeyRange(
          key: found.key, name: found.name, count: part.count - before, end: part.end,
          search: half.search(after: part.search, in: found.key, part.end ?? .end)),
        at: index + 1)
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

extension KeyRanges.Half {
  /// A halving is uneven when one half has less than one in so many documents.
  static let leastShare = 8

  /// How a part is to be halved next that is left of the one that was.
  func search(
    after search: KeyRanges.Search, in first: PathKey, _ end: PathKey
  ) -> KeyRanges.Search {
    let before = before ?? halving.count
    guard min(before, halving.count - before) * Self.leastShare < halving.count else {
      return .none
    }
    let shared = first.shared(upTo: end)
    let all = first.scalars.count + 1
    switch search {
    case .none: return .below(all)
    case .ended(let known): return shared > known ? .below(all) : search
    case .below(var unlike):
      guard let alike = halving.alike else { return .ended(shared) }
      if before * 2 < halving.count { unlike = alike }
      return unlike - shared > 1 ? .below(unlike) : .ended(shared)
    }
  }
}
