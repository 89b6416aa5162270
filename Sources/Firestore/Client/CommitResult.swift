/// What became of a commit.
package struct CommitResult: Hashable, Sendable {
  /// One a write, in their order.
  package var results: [Write.Result]
  package var commitTime: Timestamp?

  package init(results: [Write.Result], commitTime: Timestamp?) {
    self.results = results
    self.commitTime = commitTime
  }

  init(json: JSON, writeCount: Int) throws(WireError) {
    let members = try json.members()
    results = try members.list("writeResults", Write.Result.init(json:))
    commitTime = try members.optional("commitTime", Timestamp.init(json:))
    guard results.count == writeCount else {
      throw WireError("\(results.count) results came for \(writeCount) writes")
    }
  }
}

extension Write {
  /// What became of one write that was carried out.
  package struct Result: Hashable, Sendable {
    /// The document's; that of before when nothing changed, nil for a delete.
    package var updateTime: Timestamp?
    /// What each transform made of its field, in their order; null for one of an array.
    package var transformed: [Value]

    package init(updateTime: Timestamp? = nil, transformed: [Value] = []) {
      self.updateTime = updateTime
      self.transformed = transformed
    }

    init(json: JSON) throws(WireError) {
      let members = try json.members()
      updateTime = try members.optional("updateTime", Timestamp.init(json:))
      transformed = try members.list("transformResults", Value.init(json:))
    }
  }
}

/// What became of each write of a batch, which are carried out one by one.
struct BatchResult {
  /// One a write, in their order: its result, or what the server said instead.
  let outcomes: [Swift.Result<Write.Result, ErrorEnvelope>]

  init(json: JSON, writeCount: Int) throws(WireError) {
    let members = try json.members()
    let results = try members.list("writeResults", Write.Result.init(json:))
    let refusals = try members.list("status") { json throws(WireError) in
      try ErrorEnvelope.refusal(rpcStatus: json)
    }
    guard results.count == writeCount, refusals.count == writeCount else {
      throw WireError(
        "\(results.count) results and \(refusals.count) statuses came for \(writeCount) writes")
    }
    outcomes = zip(results, refusals).map { result, refusal in
      refusal.map { .failure($0) } ?? .success(result)
    }
  }
}
