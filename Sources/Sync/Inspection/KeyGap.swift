package import Firestore

/// The range of names between two known documents, in which the next probe is placed.
struct KeyGap {
  /// A synthetic key to probe, and how many leading scalars all keys before it share with the first
  /// key; nil for an unknown number.
  typealias Probe = (key: PathKey, alike: Int?)

  /// The name of the document that begins the gap.
  var name: String
  var key: PathKey
  /// An exclusive upper bound of the keys before `next`; approximate where keys are synthetic.
  var end: PathKey
  /// The document that follows the gap; nil when none is known.
  var next: (name: String, key: PathKey)?
  /// The approximate number of documents in the gap.
  var size = 0
  /// A number of leading scalars that not all keys share with the first one; nil while not needed.
  var unlike: Int?

  /// A key between both ends; nil when there is no room.
  var probe: Probe? {
    // Keys differ only after their common prefix.
    var alphabet = KeyAlphabet()
    let common = zip(key.scalars, end.scalars).prefix { $0 == $1 }.count
    let tails = [key, next?.key].compactMap { $0?.scalars.dropFirst(common) }
    for tail in tails { alphabet.learn(PathKey(scalars: Array(tail))) }
    if tails.allSatisfy(\.isEmpty) { alphabet.learn(key) }
    return alphabet.probe(between: key, end, unlike: unlike)
  }

  /// Narrows the gap after a probe that found nothing.
  mutating func miss(at probe: Probe) {
    end = probe.key
    if probe.alike == nil { unlike = key.scalars.count + 1 }
  }

  func before(_ found: String, _ key: PathKey, at probe: Probe) -> KeyGap {
    KeyGap(name: name, key: self.key, end: probe.key, next: (found, key))
  }

  func behind(_ found: String, _ key: PathKey, at probe: Probe) -> KeyGap {
    KeyGap(name: found, key: key, end: end, next: next, unlike: probe.alike)
  }
}

/// A binary search by name for one document below a collection; see
/// `docs/inspect.md#subcollections`.
///
/// The type makes no requests: `next` returns the query for a name, and the caller reports in which
/// half the search continues.
package struct NameSearch {
  private let source: SplitPointSource
  private var gap: KeyGap
  private var probe: KeyGap.Probe?

  /// `first` is the name of the first document, and `end` a name after all documents.
  package init(below root: ResourceName, from first: String, to end: String) {
    source = SplitPointSource(below: root)
    let key = source.key(of: first)
    let behind = source.key(of: end)
    gap = KeyGap(
      name: first, key: key, end: behind, next: (end, behind), unlike: key.scalars.count + 1)
  }

  /// The remaining range: the name of its first document, and the name before which it ends.
  package var range: (from: String, to: String?) { (gap.name, gap.next?.name) }

  /// Returns the query for the first name from the middle of the range; nil when there is no room.
  package mutating func next() -> StructuredQuery? {
    guard let probe = gap.probe, let start = source.name(at: probe.key) else { return nil }
    self.probe = probe
    var query = source.range(from: start, to: gap.next?.name)
    query.select = [.documentName]
    query.limit = 1
    return query
  }

  /// Continues before the document that the probe found, or in the lower half when it found none.
  package mutating func goBefore(_ found: String?) {
    guard let probe else { return }
    guard let found else { return gap.miss(at: probe) }
    gap = gap.before(found, source.key(of: found), at: probe)
  }

  /// Continues from the document that the probe found.
  package mutating func goOn(from found: String) {
    guard let probe else { return }
    gap = gap.behind(found, source.key(of: found), at: probe)
  }
}

extension StructuredQuery {
  /// The documents of all collections below the database, by name.
  package static let everything = StructuredQuery(
    from: [.init(collectionId: nil, allDescendants: true)], orderBy: [.init(field: .documentName)])
}
