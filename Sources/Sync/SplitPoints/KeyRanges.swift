/// Ranges of a query's documents, each with its beginning and its number of documents.
///
/// The type makes no requests: `SplitPointSearch` probes the keys of `bisections`, and adds what it
/// found.
struct KeyRanges {
  private struct KeyRange {
    let key: PathKey
    /// The document that begins the range; nil for the beginning of all documents.
    let name: String?
    var count: Int
    /// An upper bound of the keys in the range; nil when unknown.
    var end: PathKey?
    /// Whether no key can be probed inside the range.
    var isWhole = false
    var prefix = PrefixSearch.none
  }

  /// The measurement of a prefix that many keys share, since synthetic middles would miss such
  /// keys.
  enum PrefixSearch {
    /// No measurement: bisections were even enough.
    case none
    /// Fewer than half of the keys share this number of leading scalars with the first one.
    case below(Int)
    /// The measurement has ended, with this number of leading scalars known to be the same in all
    /// keys.
    case ended(Int)
  }

  struct Bisection: Sendable {
    let index: Int
    let name: String?
    let count: Int
    /// The synthetic key at which the range is bisected.
    let middle: PathKey
    /// The number of scalars of its first key that all keys before the middle share; nil if
    /// unknown.
    let alike: Int?
    /// The beginning of the following range; nil for the last one.
    let next: (key: PathKey, name: String)?
  }

  /// The result of a probe in the middle of a range.
  struct Half: Sendable {
    let bisection: Bisection
    /// The first document from the middle on, and the documents before it; nil when the range has
    /// none.
    var found: (key: PathKey, name: String, before: Int)?
  }

  /// The ranges in the order of keys.
  private var ranges: [KeyRange]
  private var alphabet = KeyAlphabet()

  init(first: PathKey, count: Int) {
    ranges = [KeyRange(key: first, name: nil, count: count)]
    alphabet.learn(first)
  }

  var firstKey: PathKey { ranges[0].key }

  var largest: Int { ranges.map(\.count).max() ?? 0 }

  var lastName: String? { ranges.last?.name }

  mutating func learn(_ key: PathKey) { alphabet.learn(key) }

  /// Splits the last range before a document; `before` is the number of its documents before that
  /// one.
  mutating func splitLast(at key: PathKey, _ name: String, before: Int) {
    let last = ranges.count - 1
    alphabet.learn(key)
    guard before > 0, before < ranges[last].count else { return }
    ranges.append(KeyRange(key: key, name: name, count: ranges[last].count - before))
    (ranges[last].count, ranges[last].end) = (before, key)
  }

  /// Sets a key that no other key exceeds.
  mutating func end(at key: PathKey) { ranges[ranges.count - 1].end = key }

  /// Returns the largest ranges with their middles; at most `most`.
  mutating func bisections(largerThan count: Int, atMost most: Int) -> [Bisection] {
    let open = ranges.indices.filter { ranges[$0].count > max(1, count) && !ranges[$0].isWhole }
      .sorted { ranges[$0].count > ranges[$1].count }.prefix(most)
    return open.compactMap { index in
      let range = ranges[index]
      let after = ranges.indices.contains(index + 1) ? ranges[index + 1] : nil
      let next = after.flatMap { after in after.name.map { (key: after.key, name: $0) } }
      var unlike: Int?
      if case .below(let count) = range.prefix { unlike = count }
      guard let end = range.end ?? next?.key,
        let (middle, alike) = alphabet.probe(between: range.key, end, unlike: unlike)
      else {
        ranges[index].isWhole = true
        return nil
      }
      return Bisection(
        index: index, name: range.name, count: range.count, middle: middle, alike: alike,
        next: next)
    }
  }

  /// Adds the results of all bisections of the last call of `bisections`, in one call.
  mutating func add(_ halves: [Half]) {
    // The last range comes first, so that earlier indices stay valid.
    for half in halves.sorted(by: { $0.bisection.index > $1.bisection.index }) {
      let (index, middle) = (half.bisection.index, half.bisection.middle)
      let range = ranges[index]
      ranges[index].end = middle
      guard let (key, name, before) = half.found else {
        ranges[index].prefix = half.search(after: range.prefix, in: range.key, middle)
        continue
      }
      alphabet.learn(key)
      guard before > 0, before < range.count else {
        // It is the first document of the range, so the probe showed nothing about the rest.
        ranges[index].end = range.end
        ranges[index].isWhole = true
        continue
      }
      let end = min(middle, key)
      (ranges[index].end, ranges[index].count) = (end, before)
      ranges[index].prefix = half.search(after: range.prefix, in: range.key, end)
      ranges.insert(
        KeyRange(
          key: key, name: name, count: range.count - before, end: range.end,
          prefix: half.search(after: range.prefix, in: key, range.end ?? .end)),
        at: index + 1)
    }
  }

  /// Returns names that split the documents into `parts` parts of about equal size, or fewer.
  func splitPoints(_ parts: Int) -> [String] {
    let total = ranges.map(\.count).reduce(0, +)
    var before = 0
    var starts: [(before: Int, name: String)] = []
    for range in ranges {
      if let name = range.name { starts.append((before, name)) }
      before += range.count
    }
    var chosen: [Int] = []
    for number in 1..<max(parts, 2) {
      let target = total * number / parts
      let best = starts.indices.min {
        abs(starts[$0].before - target) < abs(starts[$1].before - target)
      }
      if let best, best > chosen.last ?? -1 { chosen.append(best) }
    }
    return chosen.map { starts[$0].name }
  }
}

extension KeyRanges.Half {
  /// A bisection is uneven when one half has less than one in this number of documents.
  static let leastShare = 8

  /// Returns the next state of the prefix measurement for a part of the bisected range.
  fileprivate func search(
    after search: KeyRanges.PrefixSearch, in first: PathKey, _ end: PathKey
  ) -> KeyRanges.PrefixSearch {
    let count = bisection.count
    let before = found?.before ?? count
    guard min(before, count - before) * Self.leastShare < count else { return .none }
    let shared = first.shared(upTo: end)
    let all = first.scalars.count + 1
    switch search {
    case .none: return .below(all)
    case .ended(let known): return shared > known ? .below(all) : search
    case .below(var unlike):
      guard let alike = bisection.alike else { return .ended(shared) }
      if before * 2 < count { unlike = alike }
      return unlike - shared > 1 ? .below(unlike) : .ended(shared)
    }
  }
}
