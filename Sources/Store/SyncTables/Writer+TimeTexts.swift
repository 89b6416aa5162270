import GRDB

/// Times as texts in the tables of jobs of kind sync-collection; see
/// `docs/jobs/sync-collection.md#another-form`.
extension Writer {
  /// Gives the times that earlier versions wrote without six fractional digits these digits, once a
  /// table: documents that do not change are not written again.
  ///
  /// Changes columns with the document's own times, and those of fields that have had nothing but
  /// timestamps in every document: elsewhere a text may be the app's own.
  package func unifyTimeTexts(of table: SyncTable) throws {
    let mark: MarkName = "times of \(table.name) sort as texts"
    guard try self.mark(named: mark) == nil else { return }
    for column in try columnsOfTimeTexts(in: table.name) {
      let name = column.quoted
      try run(
        """
        UPDATE \(table.quoted) SET \(name) = substr(\(name), 1, 19) || '.'
          || substr(substr(\(name), 21, max(0, length(\(name)) - 21)) || '000000', 1, 6) || 'Z'
        WHERE length(\(name)) <> 27 AND \(name) GLOB
          '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]*Z'
        """)
    }
    try setMark("yes", named: mark)
  }

  private func columnsOfTimeTexts(in table: String) throws -> [String] {
    try reader.values(
      """
      SELECT declared.name FROM sync_columns AS declared WHERE table_name = ?1 AND (
        mapping IN ('@updateTime TEXT', '@updateTime TEXT as iso', '@createTime TEXT',
          '@createTime TEXT as iso')
        OR EXISTS (
          SELECT 1 FROM sync_fields AS met WHERE met.table_name = ?1
            AND met.kinds IN ('timestamp', 'null,timestamp', 'timestamp,null')
            AND declared.mapping IN (met.field || ' TEXT', met.field || ' TEXT as iso')))
      """, [table])
  }
}
