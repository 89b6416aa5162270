import GRDB
package import Model

/// How many events were new to the ledger.
package struct AppendCounts: Hashable, Sendable {
  package var added: Int
  package var duplicates: Int

  package init(added: Int = 0, duplicates: Int = 0) {
    self.added = added
    self.duplicates = duplicates
  }

  package static func += (left: inout AppendCounts, right: AppendCounts) {
    left.added += right.added
    left.duplicates += right.duplicates
  }
}

extension Writer {
  /// Adds the events that the ledger does not hold; the same ones again add nothing.
  ///
  /// Two events are the same when name, instant, user and parameters are, wherever they come from.
  /// `source` says where they came from: a file, or the command that made them.
  @discardableResult
  package func append(
    _ events: some Sequence<Event>, source: String
  ) throws -> AppendCounts {
    var draft = EventDraft()
    var rows = EventRows()
    for event in events { draft.append(event, to: &rows) }
    rows.seal()
    return try append(rows, source: source)
  }

  /// Adds those of the rows that the ledger does not hold, in their order.
  ///
  /// - Precondition: the rows are sealed.
  @discardableResult
  package func append(_ rows: EventRows, source: String) throws -> AppendCounts {
    let whole = rows.count - rows.count % EventInsertion.rowsAtOnce
    var added = 0
    if whole > 0 {
      let many = try EventInsertion(database, rowCount: EventInsertion.rowsAtOnce)
      added += try many.insert(rows, 0..<whole, source: source)
    }
    if whole < rows.count {
      let one = try EventInsertion(database, rowCount: 1)
      added += try one.insert(rows, whole..<rows.count, source: source)
    }
    return AppendCounts(added: added, duplicates: rows.count - added)
  }
}
