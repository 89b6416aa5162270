package import Firestore

/// Counts what sampled documents hold, path by path, in bounded memory.
package final class SampleTally {
  /// Paths that are told apart at most; documents that use ids as keys have any number.
  static let mostPaths = 1_000
  /// Keys of a map inside a document that are told apart at most; beyond them they count as data.
  static let mostKeys = 200
  /// Maps with more keys than this may have keys that are data.
  static let fewKeys = 20
  /// A key is rare when fewer maps than one in this number have it.
  static let rarity = 4

  package private(set) var documentCount = 0
  private let root = SampleNode()
  private var pathCount = 0
  private var isTruncated = false

  package init() {}

  package func add(_ document: Document) {
    documentCount += 1
    root.kinds[.map, default: 0] += 1
    add(document.fields, to: root, document)
  }

  private func add(
    _ fields: [String: Value], to node: SampleNode, _ document: Document
  ) {
    for (key, value) in fields {
      guard let child = child(key, of: node) else {
        isTruncated = true
        continue
      }
      add(value, to: child, document)
    }
  }

  private func add(_ value: Value, to node: SampleNode, _ document: Document) {
    let kind = SampledKind(of: value)
    node.kinds[kind, default: 0] += 1
    switch value {
    case .double(let number): if !number.isFinite { node.hasUnusualNumber = true }
    case .integer(let integer):
      if integer.magnitude > 1 << 53 { node.hasUnusualNumber = true }
    case .timestamp(let time):
      if let written = document.updateTime, Self.areClose(time, written) {
        node.followsWriteCount += 1
      }
    case .array(let elements):
      node.noteLength(elements.count)
      guard !elements.isEmpty else { return }
      guard let element = element(of: node) else {
        isTruncated = true
        return
      }
      for value in elements { add(value, to: element, document) }
    case .map(let fields) where kind == .map: add(fields, to: node, document)
    default: break
    }
  }

  /// The node of a key, or that of any key once there are too many; nil beyond `mostPaths`.
  private func child(_ key: String, of node: SampleNode) -> SampleNode? {
    if let any = node.anyKey { return any }
    if let child = node.children[key] { return child }
    if node.children.count >= Self.mostKeys, node !== root || node.hasDataAsKeys {
      pathCount -= node.mergeKeys()
      return node.anyKey
    }
    guard pathCount < Self.mostPaths else { return nil }
    pathCount += 1
    let child = SampleNode()
    node.children[key] = child
    return child
  }

  private func element(of node: SampleNode) -> SampleNode? {
    if let element = node.element { return element }
    guard pathCount < Self.mostPaths else { return nil }
    pathCount += 1
    let element = SampleNode()
    node.element = element
    return element
  }

  /// At most a minute apart.
  private static func areClose(_ one: Timestamp, _ other: Timestamp) -> Bool {
    let (difference, overflow) = one.microseconds.subtractingReportingOverflow(other.microseconds)
    return !overflow && difference.magnitude <= 60_000_000
  }

  package var profile: CollectionProfile {
    var fields: [SampledField] = []
    root.list(at: SampledPath([]), of: documentCount, into: &fields)
    return CollectionProfile(documentCount: documentCount, fields: fields, isTruncated: isTruncated)
  }
}

/// The values at one path, and what lies below it.
final class SampleNode {
  var kinds: [SampledKind: Int] = [:]
  var children: [String: SampleNode] = [:]
  /// Instead of `children`, once the keys are data.
  var anyKey: SampleNode?
  var element: SampleNode?
  var lengths: ClosedRange<Int>?
  var hasUnusualNumber = false
  var followsWriteCount = 0

  func noteLength(_ count: Int) {
    lengths = lengths.map { min($0.lowerBound, count)...max($0.upperBound, count) } ?? count...count
  }

  /// Joins the nodes of all keys into one; returns how many nodes that removed.
  @discardableResult
  func mergeKeys() -> Int {
    let merged = SampleNode()
    let before = children.values.map(\.nodeCount).reduce(0, +)
    for child in children.values { merged.merge(child) }
    children = [:]
    anyKey = merged
    return before - merged.nodeCount
  }

  private var nodeCount: Int {
    let below = children.values.map(\.nodeCount).reduce(0, +)
    return 1 + below + (anyKey?.nodeCount ?? 0) + (element?.nodeCount ?? 0)
  }

  private func merge(_ other: SampleNode) {
    kinds.merge(other.kinds, uniquingKeysWith: +)
    hasUnusualNumber = hasUnusualNumber || other.hasUnusualNumber
    followsWriteCount += other.followsWriteCount
    for length in [other.lengths?.lowerBound, other.lengths?.upperBound].compactMap(\.self) {
      noteLength(length)
    }
    if let theirs = other.element {
      let own = element ?? SampleNode()
      own.merge(theirs)
      element = own
    }
    if other.anyKey != nil, anyKey == nil { mergeKeys() }
    for (key, child) in other.children {
      let own = anyKey ?? children[key] ?? SampleNode()
      own.merge(child)
      if anyKey == nil { children[key] = own }
    }
    if let theirs = other.anyKey { anyKey?.merge(theirs) }
  }

  /// Whether there are many keys, and each is in so few of the maps that it must be data.
  ///
  /// One that is in more of them is a name, and so are the rare ones beside it.
  var hasDataAsKeys: Bool {
    let maps = kinds[.map] ?? 0
    return children.count > SampleTally.fewKeys
      && children.values.allSatisfy { child in
        child.kinds.values.reduce(0, +) * SampleTally.rarity < maps
      }
  }

  /// Appends the fields below this node, each before what lies below it.
  func list(at path: SampledPath, of count: Int, into fields: inout [SampledField]) {
    if hasDataAsKeys { mergeKeys() }
    let sorted = children.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (key, child) in sorted {
      child.append(at: path.appending(.key(key)), of: count, into: &fields)
    }
    if let anyKey {
      anyKey.append(
        at: path.appending(.anyKey), of: anyKey.kinds.values.reduce(0, +), into: &fields)
    }
    if let element {
      element.append(
        at: path.appending(.element), of: element.kinds.values.reduce(0, +), into: &fields)
    }
  }

  private func append(at path: SampledPath, of count: Int, into fields: inout [SampledField]) {
    let order = SampledKind.allCases
    let counts = order.compactMap { kind in
      kinds[kind].map { SampledField.KindCount(kind: kind, count: $0) }
    }
    let sorted = counts.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }
    fields.append(
      SampledField(
        path: path, kinds: sorted.map(\.element), of: count, lengths: lengths,
        hasUnusualNumber: hasUnusualNumber, followsWriteCount: followsWriteCount))
    list(at: path, of: count, into: &fields)
  }
}

/// The fields of a collection's sampled documents.
package struct CollectionProfile: Hashable, Sendable {
  package var documentCount: Int
  /// By path; a map before its fields, an array before its elements.
  package var fields: [SampledField]
  /// Whether there were more paths than are told apart.
  package var isTruncated: Bool

  package init(documentCount: Int, fields: [SampledField], isTruncated: Bool = false) {
    self.documentCount = documentCount
    self.fields = fields
    self.isTruncated = isTruncated
  }

  /// Fields that are a timestamp in every sampled document, the likeliest time of change first.
  ///
  /// See `docs/inspect.md#incremental-fields`.
  package var incrementalCandidates: [IncrementalCandidate] {
    fields.compactMap { field -> IncrementalCandidate? in
      guard documentCount > 0, field.of == documentCount, let path = field.path.fieldPath,
        field.kinds == [.init(kind: .timestamp, count: documentCount)]
      else { return nil }
      return IncrementalCandidate(field: path, followsWriteCount: field.followsWriteCount)
    }.enumerated().sorted { left, right in
      (left.element.rank, -left.element.followsWriteCount, left.offset)
        < (right.element.rank, -right.element.followsWriteCount, right.offset)
    }.map(\.element)
  }

  /// The candidate that a drafted job may go by: its name speaks of changes, and nearly every write
  /// has set it; nil for none.
  package var changeField: IncrementalCandidate? {
    incrementalCandidates.first { candidate in
      candidate.isNamedForChanges
        && candidate.followsWriteCount * 100 >= documentCount * Self.leastFollowed
    }
  }

  /// Percent of the sampled documents whose write the field must have followed; see
  /// `docs/inspect.md#incremental-fields`.
  private static let leastFollowed = 95
}

/// A field that may hold the time of a document's last change.
package struct IncrementalCandidate: Hashable, Sendable {
  package var field: FieldPath
  /// Sampled documents in which it is at most a minute away from Firestore's own `updateTime`.
  package var followsWriteCount: Int

  /// Whether its name speaks of changes, so that a drafted job may go by it.
  package var isNamedForChanges: Bool { rank == 0 }

  /// 0 for a name that speaks of changes, 2 for one of the creation, 1 for others.
  fileprivate var rank: Int {
    let name = (field.segments.last ?? "").lowercased()
    if Self.changeWords.contains(where: name.contains) { return 0 }
    return Self.creationWords.contains(where: name.contains) ? 2 : 1
  }

  private static let changeWords = ["updat", "modif", "chang", "edited", "lastwrite", "last_write"]
  private static let creationWords = ["creat", "regist", "signup", "born", "birth", "start"]
}
