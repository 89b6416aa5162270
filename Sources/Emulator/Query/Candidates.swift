import Firestore

/// A document that may become a result, with its values of the query's orders.
struct Candidate {
  let document: Document
  let keys: [Value]
}

/// Selects the first `limit` candidates of a sequence without sorting all of it.
struct Candidates {
  private let limit: Int?
  private let precedes: (Candidate, Candidate) -> Bool
  private var kept: [Candidate] = []

  /// A limit of nil keeps all candidates.
  init(limit: Int?, by precedes: @escaping (Candidate, Candidate) -> Bool) {
    self.limit = limit
    self.precedes = precedes
  }

  /// Amortised O(log limit).
  mutating func insert(_ candidate: Candidate) {
    kept.append(candidate)
    if let limit, kept.count >= 2 * limit + 64 { prune(to: limit) }
  }

  consuming func sorted() -> ArraySlice<Candidate> {
    let sorted = kept.sorted(by: precedes)
    return limit.map { sorted.prefix($0) } ?? sorted[...]
  }

  private mutating func prune(to limit: Int) {
    kept.sort(by: precedes)
    kept.removeSubrange(limit...)
  }
}
