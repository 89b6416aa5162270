package import Firestore

/// Counts what sampled documents hold, path by path, in bounded memory.
package final class SampleTally {
  /// The most paths that are distinguished; documents that use ids as keys have any number of
  /// paths.
  static let mostPaths = 1_000
  /// The most keys of a nested map that are distinguished; with more, its keys count as data.
  static let mostKeys = 200
  /// Maps with more keys than this may use data as keys.
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

  /// Returns the node of a key, or the shared node of all keys if there are too many; nil beyond
  /// `mostPaths`.
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

  /// Returns whether two times are at most a minute apart.
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

/// The values at one path, and the nodes below it.
final class SampleNode {
  var kinds: [SampledKind: Int] = [:]
  var children: [String: SampleNode] = [:]
  /// The shared node of all keys; it replaces `children` once the keys are data.
  var anyKey: SampleNode?
  var element: SampleNode?
  var lengths: ClosedRange<Int>?
  var hasUnusualNumber = false
  var followsWriteCount = 0

  func noteLength(_ count: Int) {
    lengths = lengths.map { min($0.lowerBound, count)...max($0.upperBound, count) } ?? count...count
  }

  /// Merges the nodes of all keys into one and returns the number of removed nodes.
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

  /// Whether the map has many keys, and each occurs in so few maps that it must be data.
  ///
  /// If any key is more frequent, all keys count as field names, the rare ones included.
  var hasDataAsKeys: Bool {
    let maps = kinds[.map] ?? 0
    return children.count > SampleTally.fewKeys
      && children.values.allSatisfy { child in
        child.kinds.values.reduce(0, +) * SampleTally.rarity < maps
      }
  }

  /// Appends the fields below this node, each field before its own subfields.
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
  /// The fields by path; a map precedes its fields, an array its elements.
  package var fields: [SampledField]
  /// Whether there were more paths than can be distinguished.
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

  /// The candidate that a drafted job may use: named for changes, and set by nearly every write;
  /// nil for none.
  package var changeField: IncrementalCandidate? {
    incrementalCandidates.first { candidate in
      candidate.isNamedForChanges
        && candidate.followsWriteCount * 100 >= documentCount * Self.leastFollowed
    }
  }

  /// The percentage of sampled documents in which the field must have followed the last write; see
  /// `docs/inspect.md#incremental-fields`.
  private static let leastFollowed = 95
}

/// A field that may hold the time of a document's last change.
package struct IncrementalCandidate: Hashable, Sendable {
  package var field: FieldPath
  /// Sampled documents in which the field is at most a minute away from Firestore's `updateTime`.
  package var followsWriteCount: Int

  /// Whether the field's name suggests changes, so that a drafted job may use it.
  package var isNamedForChanges: Bool { rank == 0 }

  /// The rank of the name: 0 if it suggests changes, 2 if it suggests creation, 1 otherwise.
  fileprivate var rank: Int {
    let name = (field.segments.last ?? "").lowercased()
    if Self.changeWords.contains(where: name.contains) { return 0 }
    return Self.creationWords.contains(where: name.contains) ? 2 : 1
  }

  private static let changeWords = ["updat", "modif", "chang", "edited", "lastwrite", "last_write"]
  private static let creationWords = ["creat", "regist", "signup", "born", "birth", "start"]
}
