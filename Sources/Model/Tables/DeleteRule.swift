/// When to sweep a table's documents, and whether to delete rows without one;
/// docs/loads.md#deletes.
package enum DeleteRule {
  /// Whether a table has drifted from its collection, by their numbers at one snapshot.
  ///
  /// `documents` are those that Firestore counts, `skipped` were read and left out, and
  /// `unexplained` are those that neither explained after the last sweep; 0 before it.
  package static func hasDrifted(
    documents: Int, rows: Int, skipped: Int, unexplained: Int
  ) -> Bool {
    documents - rows - skipped != unexplained
  }

  package struct Finding: Hashable, Sendable {
    /// Documents in the sweep's snapshot, as Firestore counts them.
    package var counted: Int
    package var listed: Int
    package var rows: Int
    package var missing: Int

    package init(counted: Int, listed: Int, rows: Int, missing: Int) {
      self.counted = counted
      self.listed = listed
      self.rows = rows
      self.missing = missing
    }
  }

  package static func decide(_ finding: Finding, limit: DeleteLimit) -> DeleteDecision {
    guard finding.listed == finding.counted else { return .incomplete }
    let allowed = limit.rows(of: finding.rows)
    return finding.missing > allowed ? .tooMany(allowed: allowed) : .delete
  }
}

/// What to do with the missing rows of a sweep.
package enum DeleteDecision: Hashable, Sendable {
  case delete
  /// The list is not the whole collection, so it proves nothing.
  case incomplete
  case tooMany(allowed: Int)
}

/// The most rows that one run may delete because their documents are gone; docs/loads.md#deletes.
package enum DeleteLimit: Hashable, Sendable {
  case rows(Int)
  /// 0 to 100 percent of the rows before the delete.
  case percent(Int)

  package static let `default` = DeleteLimit.percent(10)

  /// Reads `500` or `10%`; nil for anything else.
  package init?(text: String) {
    let isShare = text.hasSuffix("%")
    let digits = isShare ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits) else {
      return nil
    }
    guard isShare else {
      self = .rows(number)
      return
    }
    guard number <= 100 else { return nil }
    self = .percent(number)
  }

  package var text: String {
    switch self {
    case .rows(let count): "\(count)"
    case .percent(let percent): "\(percent)%"
    }
  }

  /// The most rows of `rowCount` that may go; a percentage rounds up.
  package func rows(of rowCount: Int) -> Int {
    switch self {
    case .rows(let count): count
    case .percent(let percent):
      rowCount / 100 * percent + (rowCount % 100 * percent + 99) / 100
    }
  }
}
