package import Firestore

/// The writes of one commit, worked out on top of what is stored without touching it.
///
/// All or nothing: the first write that is refused throws, and `changes` is thrown away.
struct Commit {
  /// What each touched document becomes; nil deletes it.
  private(set) var changes: [NameKey: (name: ResourceName, document: Document?)] = [:]
  private let time: Timestamp

  init(at time: Timestamp) {
    self.time = time
  }

  /// Works out one write; `stored` is the document as it was before the commit.
  mutating func apply(
    _ write: StoredWrite, to name: ResourceName, over stored: Document?
  ) throws(RefusedRequest) -> WriteResult {
    let key = NameKey(name)
    let old = if let change = changes[key] { change.document } else { stored }
    try check(write.write.precondition, old, name)
    guard !write.onlyVerifies else { return WriteResult() }
    switch write.write.operation {
    case .delete:
      if old != nil || changes[key] != nil { changes[key] = (name, nil) }
      return WriteResult()
    case .update(let document, let mask):
      var fields = Commit.merged(document.fields, into: old?.fields, mask: mask)
      let results = transform(&fields, by: write.write.transforms)
      guard let new = try updated(old, name: name, fields: fields) else {
        return WriteResult(document: old, transformResults: results)
      }
      changes[key] = (name, new)
      return WriteResult(document: new, transformResults: results)
    }
  }

  /// Nil when nothing changes, which leaves the times as they are.
  private func updated(
    _ old: Document?, name: ResourceName, fields: [String: Value]
  ) throws(RefusedRequest) -> Document? {
    if let old, old.fields == fields { return nil }
    let new = Document(
      name: name.description, fields: fields, createTime: old?.createTime ?? time,
      updateTime: time)
    try FieldCheck.checkSize(of: new)
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

  private func check(
    _ precondition: Write.Precondition?, _ old: Document?, _ name: ResourceName
  ) throws(RefusedRequest) {
    switch (precondition, old) {
    case (.exists(false), .some):
      throw RefusedRequest(.alreadyExists, "Document already exists: \(name)")
    case (.exists(true), nil), (.updateTime, nil):
      throw RefusedRequest(.notFound, "No document to update: \(name)")
    case (.updateTime(let base), let old?) where old.updateTime != base:
      throw RefusedRequest(
        .failedPrecondition,
        "the stored version (\(old.updateTime?.microseconds ?? 0)) does not match the required "
          + "base version (\(base.microseconds))")
    default: break
    }
  }
}

/// What became of one write.
package struct WriteResult: Hashable, Sendable {
  /// As it is stored now; nil after a delete.
  package var document: Document?
  /// One per transform, in their order.
  package var transformResults: [Value] = []
}
