import GRDB
package import Model

extension Writer {
  /// Makes `fetched` the only values of `source`, and adds to the history what that changes.
  ///
  /// Returns the changes by name: a new field has no old value, a vanished one no new value. Every
  /// value gets `now` as its time, also an unchanged one.
  @discardableResult
  package func record(
    fetched: [FetchedSetting], from source: SettingSource, at now: Instant
  ) throws -> [SettingChange] {
    let old = Dictionary(
      try reader.fetchedSettings(from: source).map { ($0.wireName, $0.rawValue) }
    ) { _, last in last }
    let new = Dictionary(fetched.map { ($0.wireName, $0.rawValue) }) { _, last in last }
    let changes = Set(old.keys).union(new.keys).sorted().compactMap { name in
      old[name] == new[name]
        ? nil
        : SettingChange(
          wireName: name, source: source, oldValue: old[name], newValue: new[name], changedAt: now)
    }
    try replace(new, of: source, at: now)
    for change in changes { try append(change) }
    return changes
  }

  private func replace(
    _ values: [String: String], of source: SettingSource, at now: Instant
  ) throws {
    try run("DELETE FROM settings WHERE source = ?", [source.rawValue])
    for (name, value) in values {
      try run(
        """
        INSERT INTO settings (source, wire_name, raw_value, fetched_at)
        VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), ?)
        """,
        [source.rawValue, name.wholeBytes, value.wholeBytes, now.microseconds])
    }
  }

  private func append(_ change: SettingChange) throws {
    try run(
      """
      INSERT INTO settings_history (source, wire_name, old_value, new_value, changed_at)
      VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ?)
      """,
      [
        change.source.rawValue, change.wireName.wholeBytes, change.oldValue?.wholeBytes,
        change.newValue?.wholeBytes, change.changedAt.microseconds,
      ])
  }
}
