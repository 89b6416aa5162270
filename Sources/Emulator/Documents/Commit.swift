package import Firestore
import Model

/// Computes the changes of a commit without applying them to the store.
///
/// A commit is atomic: when a write is refused, `changes` must be discarded.
struct Commit {
  /// The new state of each written document; nil deletes it.
  private(set) var changes: [NameKey: (name: ResourceName, document: Document?)] = [:]
  let time: Timestamp
  let rules: EditionRules

  init(time: Timestamp, rules: EditionRules) {
    self.time = time
    self.rules = rules
  }

  /// Adds one write; `stored` is the document before the commit.
  mutating func apply(
    _ write: StoredWrite, to name: ResourceName, over stored: Document?
  ) throws(RefusedRequest) -> AppliedWrite {
    let key = NameKey(name)
    let old = if let change = changes[key] { change.document } else { stored }
    try check(write.write.precondition, old, stored, name)
    guard !write.onlyVerifies else { return AppliedWrite() }
    switch write.write.operation {
    case .delete:
      if old != nil || changes[key] != nil { changes[key] = (name, nil) }
      return AppliedWrite()
    case .update(let document, let mask):
      var fields = Commit.merged(document.fields, into: old?.fields, mask: mask)
      let results = transform(&fields, by: write.transforms)
      guard let new = try updated(old, name: name, fields: fields) else {
        return AppliedWrite(document: old, transformResults: results)
      }
      changes[key] = (name, new)
      return AppliedWrite(document: new, transformResults: results)
    }
  }

  /// The updated document; nil when nothing changes, which keeps its times.
  private func updated(
    _ old: Document?, name: ResourceName, fields: [String: Value]
  ) throws(RefusedRequest) -> Document? {
    if let old, old.fields == fields { return nil }
    let new = Document(
      name: name.description, fields: fields, createTime: old?.createTime ?? time,
      updateTime: time)
    try FieldCheck.checkSize(of: new, rules)
    return new
  }

  private static func merged(
    _ new: [String: Value], into old: [String: Value]?, mask: [FieldPath]?
  ) -> [String: Value] {
    guard let mask else { return new }
    var fields = old ?? [:]
    for path in mask {
      fields.set(new.value(at: path.segments[...]), at: path.segments[...])
    }
    return fields
  }

  private func transform(
    _ fields: inout [String: Value], by transforms: [FieldTransform]
  ) -> [Value] {
    var results: [Value] = []
    for transform in transforms {
      let path = transform.field.segments[...]
      let value = transform.apply(to: fields.value(at: path), at: time)
      fields.set(value, at: path)
      results.append(transform.result(value))
    }
    return results
  }

  /// Checks existence after the commit's earlier writes, but the update time before the commit.
  private func check(
    _ precondition: Write.Precondition?, _ old: Document?, _ stored: Document?,
    _ name: ResourceName
  ) throws(RefusedRequest) {
    switch (precondition, old) {
    case (.exists(false), .some):
      throw RefusedRequest(.alreadyExists, "Document already exists: \(name)")
    case (.exists(true), nil):
      throw RefusedRequest(.notFound, "No document to update: \(name)")
    case (.updateTime(let base), _) where stored?.updateTime != base:
      throw RefusedRequest(
        .failedPrecondition,
        "the stored version (\(stored?.updateTime?.microseconds ?? 0)) does not match the required "
          + "base version (\(base.microseconds))")
    default: break
    }
  }
}

package struct AppliedWrite: Hashable, Sendable {
  /// The document as it is stored; nil after a delete.
  package var document: Document?
  /// One per transform, in order.
  package var transformResults: [Value] = []
}

/// Changing fields at a path of map keys.
extension [String: Value] {
  /// Sets or, with nil, removes the value at `path`.
  ///
  /// Setting replaces a value on the path that is not a map by a map. A vector is not a map.
  mutating func set(_ value: Value?, at path: ArraySlice<String>) {
    guard let key = path.first else { return }
    guard path.count > 1 else {
      self[key] = value
      return
    }
    var inner: [String: Value] = [:]
    if case .map(let fields)? = self[key], fields.vector == nil {
      inner = fields
    } else if value == nil {
      return
    }
    inner.set(value, at: path.dropFirst())
    self[key] = .map(inner)
  }

  /// The fields at the paths; ignores paths without a value.
  func selecting(_ paths: [FieldPath]) -> [String: Value] {
    var selected: [String: Value] = [:]
    for path in paths where path != .documentName {
      guard let value = value(at: path.segments[...]) else { continue }
      selected.set(value, at: path.segments[...])
    }
    return selected
  }
}
