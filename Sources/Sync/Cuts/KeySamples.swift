import Firestore

/// Names that follow each other, found by one look into a query.
struct KeySample {
  let key: PathKey
  /// The full name of the first; a cut goes before it.
  let name: String
  /// The last of the names, and how many there are: they tell how dense the keys are here.
  let last: PathKey
  let count: Int
}

/// What is known of a query's keys: samples, and the gaps between them with the number of keys
/// that each may hold.
///
/// A value without requests: `CutSearch` looks where `probes` says.
struct KeySamples {
  private struct Gap {
    let low: Double
    var high: Double
    /// Estimated keys.
    var count: Double
  }

  /// In their order.
  private(set) var samples: [KeySample] = []
  /// By the key of the sample before the gap: where it is known to be empty from; nil elsewhere.
  private var emptyFrom: [PathKey: PathKey] = [:]
  /// Gaps too narrow to look into.
  private var exhausted: Set<PathKey> = []
  /// Scalars that all keys begin with.
  var shared = 0

  /// Adds what was found at `place`: the names from there on, of which `wanted` were asked for.
  ///
  /// Nil is the beginning.
  mutating func add(_ found: [(key: PathKey, name: String)], at place: PathKey?, wanted: Int) {
    let formerEnd = place.flatMap { closeGap(before: $0) }
    guard let first = found.first else { return }
    let next = samples.first { $0.key > first.key }
    let own = next.map { next in found.prefix { $0.key < next.key } } ?? found[...]
    let sample = KeySample(
      key: first.key, name: first.name, last: own.last?.key ?? first.key, count: own.count)
    if let index = samples.firstIndex(where: { $0.key == first.key }) {
      guard samples[index].count < sample.count else { return }
      samples[index] = sample
    } else {
      samples.insert(sample, at: samples.firstIndex { $0.key > first.key } ?? samples.endIndex)
      emptyFrom[sample.key] = formerEnd
    }
    if found.count < wanted || own.count < found.count { emptyFrom[sample.key] = sample.last }
  }

  /// Adds a name that the server cuts at.
  mutating func add(cut name: String, _ key: PathKey) {
    guard !samples.contains(where: { $0.key == key }) else { return }
    let index = samples.firstIndex { $0.key > key } ?? samples.endIndex
    samples.insert(KeySample(key: key, name: name, last: key, count: 1), at: index)
  }

  /// Notes that nothing lies between `place` and what was found there.
  ///
  /// - Returns: where the gap was known to be empty from before.
  @discardableResult
  private mutating func closeGap(before place: PathKey) -> PathKey? {
    guard let before = samples.last(where: { $0.key < place }) else { return nil }
    let former = emptyFrom[before.key]
    emptyFrom[before.key] = max(former.map { min($0, place) } ?? place, before.last)
    return former
  }

  /// Middles of the gaps that hold the most keys, at most `most`; none where a look would not pay.
  mutating func probes(atMost most: Int, least: Int) -> [PathKey] {
    guard !samples.isEmpty else { return [] }
    let space = KeySpace(keys: samples.flatMap { [$0.key, $0.last] }, shared: shared)
    let gaps = gaps(in: space)
    let open = gaps.indices.filter {
      gaps[$0].count >= Double(2 * least) && !exhausted.contains(samples[$0].key)
    }
    let fullest = open.sorted { gaps[$0].count > gaps[$1].count }.prefix(most)
    return fullest.compactMap { index in
      let gap = gaps[index]
      let middle = space.key(at: (gap.low + gap.high) / 2)
      let next = samples.indices.contains(index + 1) ? samples[index + 1].key : nil
      guard middle > samples[index].last, next.map({ middle < $0 }) ?? true else {
        exhausted.insert(samples[index].key)
        return nil
      }
      return middle
    }
  }

  /// The names, at most `count`, that cut the keys into parts of about equal size.
  func cuts(_ count: Int) -> [String] {
    guard samples.count > 1, count > 0 else { return [] }
    let space = KeySpace(keys: samples.flatMap { [$0.key, $0.last] }, shared: shared)
    let counts = zip(gaps(in: space), samples).map { $0.count + Double($1.count) }
    let total = counts.reduce(0, +)
    var (before, cuts) = (counts[0], [Int]())
    var starts: [(index: Int, before: Double)] = []
    for index in samples.indices.dropFirst() {
      starts.append((index, before))
      before += counts[index]
    }
    for number in 1...count {
      let target = total * Double(number) / Double(count + 1)
      let best = starts.min { abs($0.before - target) < abs($1.before - target) }
      if let best, best.index > cuts.last ?? 0 { cuts.append(best.index) }
    }
    return cuts.map { samples[$0].name }
  }

  /// One a sample: the gap after it.
  private func gaps(in space: KeySpace) -> [Gap] {
    let densities = samples.map { sample -> Double? in
      let width = space.position(of: sample.last) - space.position(of: sample.key)
      return sample.count > 1 && width > 0 ? Double(sample.count - 1) / width : nil
    }
    let known = densities.compactMap(\.self)
    let usual = known.isEmpty ? 0 : known.reduce(0, +) / Double(known.count)
    return samples.indices.map { index in
      let sample = samples[index]
      let next = samples.indices.contains(index + 1) ? samples[index + 1].key : nil
      let end = emptyFrom[sample.key].map { max($0, sample.last) } ?? next
      var gap = Gap(
        low: space.position(of: sample.last), high: end.map(space.position) ?? 1, count: 0)
      gap.high = max(gap.low, gap.high)
      let around = densities[index..<min(index + 2, densities.count)].compactMap(\.self)
      let density = around.isEmpty ? usual : around.reduce(0, +) / Double(around.count)
      gap.count = (gap.high - gap.low) * density
      return gap
    }
  }
}
