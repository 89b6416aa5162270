import GRDB

extension Reader {
  /// The columns of a collection's table that hold instants in microseconds since 1970, in its
  /// order: those of the program, and those filled from fields that have had nothing but timestamps
  /// in every document.
  func instantColumns(ofCollectionTable table: String) throws -> [String] {
    try values(
      """
      SELECT made.name FROM pragma_table_info(?1) AS made
      WHERE made.type = 'INTEGER' AND (made.name IN ('update_time', 'synced_at') OR made.name IN (
        SELECT name FROM sync_columns JOIN sync_fields USING (table_name)
        WHERE table_name = ?1 AND kinds IN ('timestamp', 'null,timestamp', 'timestamp,null')
          AND mapping = field || ' INTEGER'))
      """, [table])
  }

  /// The columns of a table that hold instants in microseconds since 1970, as its view shows them:
  /// docs/export.md#views.
  ///
  /// Empty for a table that somebody else made.
  func instantColumns(of table: String) throws -> Set<String> {
    if let own = TimeViews.all.first(where: { $0.table == table }) { return Set(own.micros) }
    let isOfCollection = try count(
      "SELECT count(*) FROM sync_tables WHERE name = ? COLLATE NOCASE", [table])
    return isOfCollection > 0 ? try Set(instantColumns(ofCollectionTable: table)) : []
  }
}
