package import Firestore

/// A plan of where the documents of a sample are read, so that they are spread over all names.
///
/// The type makes no requests: `next` returns the next request, and `add` or `count` takes its
/// answer. A probe reads a few documents from an invented key in the largest gap that has room; a
/// count measures both halves. See `docs/inspect.md#sampling`.
package struct SampleSpread {
  package enum Request: Hashable, Sendable {
    /// Answered with `add`.
    case documents(StructuredQuery, upTo: Int)
    /// Answered with `count`; at most 2 billed reads.
    case count(StructuredQuery, upTo: Int)
  }

  /// Documents of one request: this many of the largest size fit the 64 MiB of an answer.
  private static let pageSize = 50
  /// Probes used for one sample.
  private static let probeCount = 25
  /// The limit of a count: a gap with more documents is large enough in any case.
  private static let mostCounted = 2_000

  private enum Step {
    case start
    case probe(gap: Int, KeyGap.Probe)
    /// A count of the documents before the ones that a probe found; `hasBehind` if a gap follows
    /// them.
    case count(gap: Int, of: Int, hasBehind: Bool)
    case fill(gap: Int)
  }

  private let size: Int
  private let documents: Int
  private var source: SplitPointSource
  /// The gaps between known documents; nil before the first documents.
  private var gaps: [KeyGap]?
  private var step = Step.start
  private var found = 0
  private var misses = 0

  private var isCut: Bool { documents > size }

  /// Returns the most billed reads that a sample can cost.
  package static func mostReads(size: Int, documents: Int) -> Int {
    guard documents > size else { return max(1, documents) }
    let counts = mostCounted / 1_000 * min(size, probeCount)
    return size + mostMisses(size) + counts + 1
  }

  private static func mostMisses(_ size: Int) -> Int { 5 + size / 5 }

  /// Plans a sample of `size` out of `documents` documents in a collection or a group.
  package init?(of source: CollectionSource, in root: ResourceName, size: Int, documents: Int) {
    guard var space = SplitPointSource(source.query(selecting: nil), under: source.parent) else {
      return nil
    }
    space.learnRoot(from: "\(root)/")
    self.source = space
    self.size = size
    self.documents = documents
  }

  /// Returns the next request; nil when the sample is full or everything was read.
  package mutating func next() -> Request? {
    let left = size - found
    guard left > 0 else { return nil }
    let share = isCut ? max(1, min(Self.pageSize, size / Self.probeCount)) : Self.pageSize
    guard let gaps else { return ask(.start, from: nil, to: nil, limit: min(left, share)) }
    if case .count(let index, _, _) = step {
      var query = source.range(from: gaps[index].name, to: gaps[index].next?.name)
      query.startAt?.before = false
      return .count(query, upTo: Self.mostCounted)
    }
    if isCut, misses < Self.mostMisses(size), let (index, probe) = nextProbe() {
      let name = source.name(at: probe.key)
      return ask(
        .probe(gap: index, probe), from: name, to: gaps[index].next?.name, limit: min(left, share))
    }
    guard let index = gaps.indices.max(by: { gaps[$0].size < gaps[$1].size }) else { return nil }
    return ask(
      .fill(gap: index), from: gaps[index].name, to: gaps[index].next?.name,
      limit: min(left, isCut ? 2 * share : share))
  }

  /// Records the names of the documents that were found, in order.
  package mutating func add(_ names: [String], limit: Int) {
    found += names.count
    let isWhole = names.count < limit
    switch step {
    case .start:
      gaps = []
      guard let last = names.last, !isWhole else { return }
      let key = source.key(of: last)
      gaps = [
        KeyGap(
          name: last, key: key, end: .end, size: documents - names.count,
          unlike: key.scalars.count + 1)
      ]
    case .probe(let index, let probe): add(names, at: probe, index, isWhole: isWhole)
    case .count: break
    case .fill(let index):
      guard let last = names.last, !isWhole else {
        gaps?.remove(at: index)
        return
      }
      gaps?[index].name = last
      gaps?[index].key = source.key(of: last)
      gaps?[index].size -= names.count
    }
  }

  private mutating func add(
    _ names: [String], at probe: KeyGap.Probe, _ index: Int, isWhole: Bool
  ) {
    guard let gap = gaps?[index] else { return }
    guard let first = names.first, let last = names.last else {
      misses += 1
      gaps?[index].miss(at: probe)
      return
    }
    let behind = isWhole ? [] : [gap.behind(last, source.key(of: last), at: probe)]
    let parts = [gap.before(first, source.key(of: first), at: probe)] + behind
    gaps?.replaceSubrange(index...index, with: parts)
    step = .count(gap: index, of: gap.size - names.count, hasBehind: !isWhole)
  }

  /// Records how many documents lie before the ones that the last probe found.
  package mutating func count(_ count: Int) {
    guard case .count(let index, let total, let hasBehind) = step else { return }
    step = .start
    let before = count < Self.mostCounted ? count : max(count, total / 2)
    gaps?[index].size = before
    if hasBehind {
      gaps?[index + 1].size = total - before
      if total <= before { gaps?.remove(at: index + 1) }
    }
    if before == 0 { gaps?.remove(at: index) }
  }

  /// Returns the largest gap that has room, with a key in it.
  private func nextProbe() -> (gap: Int, KeyGap.Probe)? {
    guard let gaps else { return nil }
    for index in gaps.indices.sorted(by: { (gaps[$1].size, $0) < (gaps[$0].size, $1) }) {
      guard let probe = gaps[index].probe, source.name(at: probe.key) != nil else { continue }
      return (index, probe)
    }
    return nil
  }

  private mutating func ask(_ step: Step, from: String?, to: String?, limit: Int) -> Request {
    self.step = step
    var query = source.range(from: from, to: to)
    if case .fill = step { query.startAt?.before = false }
    return .documents(query, upTo: limit)
  }
}
