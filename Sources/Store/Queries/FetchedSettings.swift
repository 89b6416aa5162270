import GRDB
package import Model

extension Readable {
  /// What the sources sent last, weakest source first, then by name; of one source when it is given.
  package func fetchedSettings(from source: SettingSource? = nil) throws -> [FetchedSetting] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT wire_name, raw_value, source, fetched_at FROM settings
        WHERE ?1 IS NULL OR source = ?1 ORDER BY wire_name
        """,
      arguments: [source?.rawValue])
    var settings: [FetchedSetting] = []
    while let row = try rows.next() {
      settings.append(
        FetchedSetting(
          wireName: row.wholeText(0), rawValue: row.wholeText(1),
          source: try row.choice("source", of: "settings"),
          fetchedAt: row.requiredInstant("fetched_at")))
    }
    return settings.sorted { ($0.source, $0.wireName) < ($1.source, $1.wireName) }
  }

  /// How settings changed, newest first, the changes of one fetch by name.
  package func settingChanges(limit: Int) throws -> [SettingChange] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT wire_name, old_value, new_value, source, changed_at FROM settings_history
        ORDER BY changed_at DESC, source, wire_name, id LIMIT ?
        """,
      arguments: [limit])
    var changes: [SettingChange] = []
    while let row = try rows.next() {
      changes.append(
        SettingChange(
          wireName: row.wholeText(0), source: try row.choice("source", of: "settings_history"),
          oldValue: row.optionalWholeText(1), newValue: row.optionalWholeText(2),
          changedAt: row.requiredInstant("changed_at")))
    }
    return changes
  }
}
