package import Firestore

/// The names between two documents that were seen, and where to probe between them.
struct KeyGap {
  /// A made up key to probe, and how many scalars of the first key all keys before it begin with;
  /// nil for any.
  typealias Probe = (key: PathKey, alike: Int?)

  /// The document before it.
  var name: String
  var key: PathKey
  /// No key from here on lies before `next`; roughly, where keys are made up.
  var end: PathKey
  /// The document that comes after it; nil for none that is known.
  var next: (name: String, key: PathKey)?
  /// Documents in it, roughly.
  var size = 0
  /// Not all keys share this many leading scalars with the first one; nil while it does not matter.
  var unlike: Int?

  /// A key between both ends; nil where there is no room.
  var probe: Probe? {
    // Keys differ only by the scalars behind their common beginning.
    var alphabet = KeyAlphabet()
    let common = zip(key.scalars, end.scalars).prefix { $0 == $1 }.count
    let tails = [key, next?.key].compactMap { $0?.scalars.dropFirst(common) }
    for tail in tails { alphabet.learn(PathKey(scalars: Array(tail))) }
    if tails.allSatisfy(\.isEmpty) { alphabet.learn(key) }
    return alphabet.probe(between: key, end, unlike: unlike)
  }

  /// Notes that a probe found nothing.
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

/// Narrows the documents below a collection to the one that is searched; see
/// `docs/inspect.md#subcollections`.
///
/// A value without requests: it says which name to ask for, and takes what was found and on which
/// side to go on.
package struct NameSearch {
  private let source: SplitPointSource
  private var gap: KeyGap
  private var probe: KeyGap.Probe?

  /// `first` is the name of the first document, and `end` one behind all documents.
  package init(below root: ResourceName, from first: String, to end: String) {
    source = SplitPointSource(below: root)
    let key = source.key(of: first)
    let behind = source.key(of: end)
    gap = KeyGap(
      name: first, key: key, end: behind, next: (end, behind), unlike: key.scalars.count + 1)
  }

  /// Where the documents begin that are left, and what they lie before.
  package var range: (from: String, to: String?) { (gap.name, gap.next?.name) }

  /// The query for the first name from the middle on; nil where there is no room.
  package mutating func next() -> StructuredQuery? {
    guard let probe = gap.probe, let start = source.name(at: probe.key) else { return nil }
    self.probe = probe
    var query = source.range(from: start, to: gap.next?.name)
    query.select = [.documentName]
    query.limit = 1
    return query
  }

  /// Goes on before what the probe found, or where it found nothing.
  package mutating func goBefore(_ found: String?) {
    guard let probe else { return }
    guard let found else { return gap.miss(at: probe) }
    gap = gap.before(found, source.key(of: found), at: probe)
  }

  /// Goes on from what the probe found.
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
