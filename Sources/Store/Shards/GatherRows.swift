import Foundation
import GRDB
package import Model

/// What became of a shard's rows.
package struct GatheredRows: Codable, Hashable, Sendable {
  package var inserted = 0
  /// Rows that were known with another `update_time`.
  package var updated = 0
  /// Rows that name an erased person, which are left out.
  package var erased = 0

  package init() {}
}

/// Merging the rows of an attached shard; see `docs/shards.md#gather`.
///
/// What comes out is what `upsert` would have stored of the same documents in the same order: new
/// rows in the order of the shard, known ones in place and only with another `update_time`.
extension Writer {
  /// Takes rows from a table that has the same columns in the shard.
  ///
  /// `cells` are those of a row that may name people; in a child row all may. `remembersSkipped`
  /// stores the keys of rows of erased people as skipped, unless they name people themselves.
  package func gather(
    _ rows: ClosedRange<Int64>, into table: SyncTable, without erased: ErasedPeople = .none,
    in cells: PersonCells = .all, remembersSkipped: Bool = false, counts: inout GatheredRows
  ) throws {
    let new = "shard.\(table.quoted) AS new"
    let isInRange = "new.rowid BETWEEN \(rows.lowerBound) AND \(rows.upperBound)"
    // The rows that are not new, each with the one that it replaces; NULL for one that is left out.
    try run("CREATE TEMP TABLE IF NOT EXISTS known (row INTEGER PRIMARY KEY, old INTEGER)")
    try run("DELETE FROM temp.known")
    // None is the same whose document was gone.
    let isSame = "old.update_time = new.update_time\(table.isLive("old."))"
    try run(
      """
      INSERT INTO temp.known SELECT new.rowid, iif(\(isSame), NULL, old.rowid) FROM \(new)
      CROSS JOIN main.\(table.quoted) AS old ON old.\(table.key) = new.\(table.key)
      WHERE \(isInRange)
      """)
    if !erased.isEmpty {
      counts.erased += try leaveOut(
        erased, of: "\(new) WHERE \(isInRange)", table, cells, remembersSkipped: remembersSkipped)
    }
    for child in table.children {
      try gatherRows(of: child, below: new, where: isInRange)
    }
    let columns = table.columns.map(\.name.quoted) + ["synced_at"]
    let assignments =
      columns.dropFirst().map { "\($0) = new.\($0)" }
      + (table.keepsDeleted ? ["\(SyncTable.deletedColumn) = NULL"] : [])
    counts.updated += try run(
      """
      UPDATE main.\(table.quoted) AS old SET \(assignments.joined(separator: ", "))
      FROM temp.known CROSS JOIN \(new) ON new.rowid = known.row WHERE old.rowid = known.old
      """)
    counts.inserted += try run(
      """
      INSERT INTO main.\(table.quoted) (\(columns.joined(separator: ", ")))
      SELECT \(columns.map { "new.\($0)" }.joined(separator: ", ")) FROM \(new)
      WHERE \(isInRange) AND new.rowid NOT IN (SELECT row FROM temp.known) ORDER BY new.rowid
      """)
  }

  /// Stores the child rows of the rows to write, in the place of those of known ones.
  private func gatherRows(
    of child: ChildTable, below new: String, where isInRange: String
  ) throws {
    let path = ChildTable.pathColumn
    try run(
      """
      DELETE FROM main.\(child.quoted) WHERE \(path) IN (
        SELECT new.\(path) FROM temp.known CROSS JOIN \(new) ON new.rowid = known.row
        WHERE known.old IS NOT NULL)
      """)
    let columns = child.allColumns.map(\.name.quoted)
    try run(
      """
      INSERT INTO main.\(child.quoted) (\(columns.joined(separator: ", ")))
      SELECT \(columns.map { "child.\($0)" }.joined(separator: ", "))
      FROM \(new) CROSS JOIN shard.\(child.quoted) AS child ON child.\(path) = new.\(path)
      WHERE \(isInRange) AND new.rowid NOT IN (SELECT row FROM temp.known WHERE old IS NULL)
      ORDER BY new.rowid
      """)
  }

  /// Lists the rows that are about erased people as left out, and returns their number.
  private func leaveOut(
    _ erased: ErasedPeople, of rows: String, _ table: SyncTable, _ cells: PersonCells,
    remembersSkipped: Bool
  ) throws -> Int {
    // As bytes: GRDB's texts end at the first NUL character.
    func add(_ name: String, _ test: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
      database.add(
        function: DatabaseFunction(name, argumentCount: 1, pure: true) { values in
          Data.fromDatabaseValue(values[0])?.withUnsafeBytes(test) ?? false
        })
    }
    add("is_erased") { erased.contains($0) }
    add("names_erased") { erased.areNamed(inValue: $0) }
    func areNamed(_ columns: [SyncTable.Column], _ prefix: String) -> String {
      columns.filter { $0.type == .text }
        .map { "names_erased(CAST(\(prefix)\($0.name.quoted) AS BLOB))" }
        .joined(separator: " OR ")
    }
    var isErased =
      switch cells {
      case .id(let index): "is_erased(CAST(new.\(table.columns[index].name.quoted) AS BLOB))"
      case .all: areNamed(table.columns, "new.")
      }
    for child in table.children {
      isErased += """
         OR EXISTS (SELECT 1 FROM shard.\(child.quoted) AS child
        WHERE child.\(ChildTable.pathColumn) = new.\(ChildTable.pathColumn)
        AND (\(areNamed(child.allColumns, "child."))))
        """
    }
    if remembersSkipped {
      try run(
        """
        INSERT OR IGNORE INTO main.skipped_documents SELECT ?, new.\(table.key) FROM \(rows)
        AND (\(isErased)) AND NOT names_erased(CAST(new.\(table.key) AS BLOB))
        """, [table.name])
    }
    return try run(
      "INSERT OR REPLACE INTO temp.known SELECT new.rowid, NULL FROM \(rows) AND (\(isErased))")
  }

  /// Adds the skipped documents of an attached shard.
  package func gatherSkipped(of table: SyncTable) throws {
    try run(
      """
      INSERT OR IGNORE INTO main.skipped_documents
      SELECT table_name, key FROM shard.skipped_documents WHERE table_name = ?
      """, [table.name])
  }

  /// Adds the keys of all documents of an attached shard to the sweep of the table.
  package func sweepShard(of table: SyncTable) throws {
    try run(
      """
      INSERT OR IGNORE INTO main.swept_documents
      SELECT ?1, \(table.key) FROM shard.\(table.quoted)
      UNION ALL
      SELECT ?1, key FROM shard.skipped_documents WHERE table_name = ?1
      """, [table.name])
  }
}
