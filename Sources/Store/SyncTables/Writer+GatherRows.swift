import Foundation
import GRDB
package import Model

/// Merging the attached shard; see `docs/shards.md#gather`.
///
/// What comes out is what `upsert` would have stored of the same documents in the same order: new
/// rows in the order of the shard, known ones in place and only with another `update_time`.
extension Writer {
  /// Takes the rows of a table that has the same columns in the shard, but those that name erased
  /// people, and the keys of its skipped documents.
  ///
  /// `cells` are those of a row that may name people; in a child row all may. `remembersSkipped`
  /// stores the keys of rows of erased people as skipped, unless they name people themselves. Adds
  /// to the counts what was inserted, updated and left out.
  package func gather(
    _ table: SyncTable, _ cells: PersonColumns, remembersSkipped: Bool, counts: inout RunCounts
  ) throws {
    let new = "shard.\(table.quoted) AS new"
    // The rows that are not new, each with the one that it replaces; NULL for one that is left out.
    try run("CREATE TEMP TABLE IF NOT EXISTS known (row INTEGER PRIMARY KEY, old INTEGER)")
    try run("DELETE FROM temp.known")
    // None is the same whose document was gone.
    let isSame = "old.update_time = new.update_time\(table.isLive("old."))"
    try run(
      """
      INSERT INTO temp.known SELECT new.rowid, iif(\(isSame), NULL, old.rowid) FROM \(new)
      CROSS JOIN main.\(table.quoted) AS old ON old.\(table.key) = new.\(table.key)
      """)
    let erased = try erasedPeople()
    if !erased.isEmpty {
      let count = try leaveOut(erased, of: table, cells, remembersSkipped: remembersSkipped)
      if count > 0 { counts.skipped[ErasedPeople.countedAs, default: 0] += count }
    }
    for child in table.children { try gatherRows(of: child, below: new) }
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
      WHERE new.rowid NOT IN (SELECT row FROM temp.known) ORDER BY new.rowid
      """)
    try run(
      """
      INSERT OR IGNORE INTO main.skipped_documents
      SELECT table_name, key FROM shard.skipped_documents WHERE table_name = ?
      """, [table.name])
    try clearTombstonesOfRows(in: table)
  }

  /// Stores the child rows of the rows to write, in the place of those of known ones.
  private func gatherRows(of child: ChildTable, below new: String) throws {
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
      WHERE new.rowid NOT IN (SELECT row FROM temp.known WHERE old IS NULL)
      ORDER BY new.rowid
      """)
  }

  /// Lists the rows that are about erased people as left out, and returns their number.
  private func leaveOut(
    _ erased: ErasedPeople, of table: SyncTable, _ cells: PersonColumns, remembersSkipped: Bool
  ) throws -> Int {
    let columns: [SyncTable.Column]
    let names: @Sendable (UnsafeRawBufferPointer) -> Bool
    switch cells {
    case .id(let index): (columns, names) = ([table.columns[index]], erased.contains)
    case .all: (columns, names) = (table.columns, erased.areNamed(inValue:))
    }
    // As bytes: GRDB's texts end at the first NUL character.
    database.add(
      function: DatabaseFunction("is_erased", argumentCount: 1, pure: true) { values in
        Data.fromDatabaseValue(values[0])?.withUnsafeBytes(names) ?? false
      })
    func areNamed(in columns: [SyncTable.Column], of row: String) -> String {
      columns.filter { $0.type == .text }
        .map { "is_erased(CAST(\(row).\($0.name.quoted) AS BLOB))" }.joined(separator: " OR ")
    }
    let path = ChildTable.pathColumn
    let ofChildren = table.children.map { child in
      """
       OR EXISTS (SELECT 1 FROM shard.\(child.quoted) AS child
      WHERE child.\(path) = new.\(path) AND (\(areNamed(in: child.allColumns, of: "child"))))
      """
    }
    let rows = """
      FROM shard.\(table.quoted) AS new
      WHERE (\(areNamed(in: columns, of: "new"))\(ofChildren.joined()))
      """
    if remembersSkipped {
      try run(
        """
        INSERT OR IGNORE INTO main.skipped_documents SELECT ?, new.\(table.key) \(rows)
        AND NOT is_erased(CAST(new.\(table.key) AS BLOB))
        """, [table.name])
    }
    return try run("INSERT OR REPLACE INTO temp.known SELECT new.rowid, NULL \(rows)")
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

extension Store {
  /// Runs one transaction while a shard's file is attached as `shard`, read-only.
  ///
  /// - Throws: what `body` throws, or `StoreError`.
  package func write(beside shard: String, _ body: (Writer) throws -> Void) throws {
    let address = DatabaseFile.immutableAddress(of: shard)
    try outsideTransaction(naming: shard) {
      try $0.execute(sql: "ATTACH DATABASE ? AS shard", arguments: [address])
    }
    let outcome = Result { try write(body) }
    try outsideTransaction { try $0.execute(sql: "DETACH DATABASE shard") }
    try outcome.get()
  }
}

extension Readable {
  /// The number of rows of a table and of each of its child tables, by name.
  package func rowCounts(of table: SyncTable) throws -> [String: Int] {
    try ([table.name] + table.children.map(\.name)).reduce(into: [:]) { counts, name in
      counts[name] = try reader.count("SELECT count(*) FROM \(name.quoted)")
    }
  }
}
