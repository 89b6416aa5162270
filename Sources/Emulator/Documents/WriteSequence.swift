import Firestore

/// The writes of one commit to one document; see `docs/firestore.md#writes`.
///
/// Firestore merges them into one change, and refuses contradicting preconditions before it reads
/// the document.
struct WriteSequence {
  /// The merged change in Google's words: `upsert`, `update`, `insert` or `delete`.
  private var change: String
  /// The precondition of the first write, which holds for the merged change.
  private let condition: Write.Precondition?
  private let isVerified: Bool

  static func check(
    _ writes: [StoredWrite], to names: [ResourceName]
  ) throws(RefusedRequest) {
    // Large loads have no preconditions, and writes without preconditions never contradict.
    guard writes.contains(where: { $0.onlyVerifies || $0.write.precondition != nil }) else {
      return
    }
    var sequences: [NameKey: WriteSequence] = [:]
    for (write, name) in zip(writes, names) {
      let key = NameKey(name)
      guard var sequence = sequences[key] else {
        sequences[key] = WriteSequence(write)
        continue
      }
      try sequence.add(write)
      sequences[key] = sequence
    }
  }

  private init(_ first: StoredWrite) {
    condition = first.write.precondition
    isVerified = first.onlyVerifies
    change = first.write.isDelete ? "delete" : WriteSequence.change(of: first.write)
  }

  private mutating func add(_ next: StoredWrite) throws(RefusedRequest) {
    try checkVerification(of: next)
    let write = next.write
    let isDeleted = change == "delete"
    switch write.precondition {
    case .exists(!isDeleted):
      break
    case .exists: throw contradiction(to: write)
    case .updateTime where isDeleted && !write.isDelete: throw contradiction(to: write)
    case .updateTime where write.precondition != condition:
      throw .invalid("Cannot collapse mutations with different version preconditions.")
    default: break
    }
    if write.isDelete {
      change = "delete"
    } else if isDeleted {
      change = "upsert"
    }
  }

  private func checkVerification(of next: StoredWrite) throws(RefusedRequest) {
    let steps: String
    switch (isVerified, next.onlyVerifies) {
    case (false, false): return
    case (true, true): steps = "verified more than once"
    case (true, false): steps = "verified and then written"
    case (false, true): steps = "written and then verified"
    }
    throw .invalid("the same document cannot be \(steps) in a single request")
  }

  private func contradiction(to write: Write) -> RefusedRequest {
    let next = write.isDelete ? "delete" : WriteSequence.change(of: write)
    return .invalid("Cannot \(change) then \(next) an entity in the same request.")
  }

  private static func change(of write: Write) -> String {
    switch write.precondition {
    case nil: "upsert"
    case .exists(false): "insert"
    case .exists(true), .updateTime: "update"
    }
  }
}

extension Write {
  fileprivate var isDelete: Bool {
    if case .delete = operation { true } else { false }
  }
}
