import GRDB
package import Model

extension Readable {
  /// What the sources sent last, weakest source first, then by name; of one source when it is given.
  package func fetchedSettings(from source: SettingSource? = nil) throws -> [FetchedSetting] {
    let rows = try Row.fetchAll(
      reader.database,
      sql: """
        SELECT source, wire_name, raw_value, fetched_at FROM settings
        WHERE ?1 IS NULL OR source = ?1 ORDER BY wire_name
        """,
      arguments: [source?.rawValue])
    let settings = try rows.map { row in
      FetchedSetting(
        wireName: row["wire_name"], rawValue: row["raw_value"],
        source: try row.choice("source", of: "settings"),
        fetchedAt: row.requiredInstant("fetched_at"))
    }
    return settings.sorted { ($0.source, $0.wireName) < ($1.source, $1.wireName) }
  }

  /// How settings changed, newest first, the changes of one fetch by name.
  package func settingChanges(limit: Int) throws -> [SettingChange] {
    try Row.fetchAll(
      reader.database,
      sql: """
        SELECT source, wire_name, old_value, new_value, changed_at FROM settings_history
        ORDER BY changed_at DESC, source, wire_name, id LIMIT ?
        """,
      arguments: [limit]
    ).map { row in
      SettingChange(
        wireName: row["wire_name"], source: try row.choice("source", of: "settings_history"),
        oldValue: row["old_value"], newValue: row["new_value"],
        changedAt: row.requiredInstant("changed_at"))
    }
  }
}
