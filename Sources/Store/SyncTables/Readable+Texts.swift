import GRDB
package import Model

/// Rows of job tables as texts, for what reads them as it reads files.
extension Readable {
  /// Whether a job's table is there.
  package func hasColumns(of table: String) throws -> Bool {
    try reader.hasRow(in: "pragma_table_info(?)", where: "true", [table])
  }

  /// Calls `body` with each row of a job's table that was written since `position`, as texts by the
  /// names of the columns among `names` that the table has; NULL is left out.
  ///
  /// Rows are dated by this machine's clock. One that is set back by less than what is tolerated
  /// loses no row, since those of that time before `position` are read once more; nor does one
  /// that was further ahead, since all are read where `position` does not count. `position` is
  /// the result of the last call, nil for all rows.
  ///
  /// - Returns: when the newest row was written that counts at `now`; nil without one.
  package func forEachText(
    of names: Set<String>, in table: String, writtenSince position: Instant?, at now: Instant,
    _ body: ([String: String]) throws -> Void
  ) throws -> Instant? {
    let start = position.flatMap { $0.counts(at: now) ? $0 - Instant.toleratedLead : nil }
    let columns: [String] = try reader.values("SELECT name FROM pragma_table_info(?)", [table])
    let wanted = columns.filter(names.contains)
    let selection = wanted.map { "CAST(\($0.quoted) AS TEXT)" } + ["synced_at"]
    var newest: Instant?
    try reader.forEachRow(
      """
      SELECT \(selection.joined(separator: ", ")) FROM main.\(table.quoted)
      WHERE synced_at >= ? ORDER BY rowid
      """, [start?.microseconds ?? .min]
    ) { row in
      let written = Instant(microseconds: row[wanted.count])
      if written.counts(at: now) { newest = max(newest ?? written, written) }
      var texts: [String: String] = [:]
      for (index, name) in wanted.enumerated() { texts[name] = row.optionalWholeText(index) }
      try body(texts)
    }
    return newest
  }
}
