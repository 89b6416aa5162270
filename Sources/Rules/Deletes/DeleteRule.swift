/// When the documents of a table are listed anew, and whether rows without one go;
/// docs/rules.md#deletes.
package enum DeleteRule {
  /// What is known about a table and its documents at one snapshot.
  package struct Tally: Hashable, Sendable {
    /// Documents that Firestore counts.
    package var documents: Int
    package var rows: Int
    /// Documents that were read and became no row.
    package var skipped: Int
    /// Documents that neither explains, as the last sweep left it; 0 before the first.
    package var unexplained: Int

    package init(documents: Int, rows: Int, skipped: Int, unexplained: Int) {
      self.documents = documents
      self.rows = rows
      self.skipped = skipped
      self.unexplained = unexplained
    }

    package var hasDrifted: Bool { documents - rows - skipped != unexplained }
  }

  /// What a sweep found.
  package struct Finding: Hashable, Sendable {
    /// Documents that Firestore counts in the sweep's snapshot.
    package var counted: Int
    /// Documents that the sweep listed.
    package var listed: Int
    package var rows: Int
    /// Rows that no listed document stands for.
    package var missing: Int

    package init(counted: Int, listed: Int, rows: Int, missing: Int) {
      self.counted = counted
      self.listed = listed
      self.rows = rows
      self.missing = missing
    }
  }

  package enum Verdict: Hashable, Sendable {
    /// Every missing row goes, all at once.
    case delete
    /// The list is not the whole collection, so it proves nothing.
    case incomplete
    case tooMany(allowed: Int)
  }

  package static func verdict(on finding: Finding, limit: DeleteLimit) -> Verdict {
    guard finding.listed == finding.counted else { return .incomplete }
    let allowed = limit.rows(of: finding.rows)
    return finding.missing > allowed ? .tooMany(allowed: allowed) : .delete
  }
}
