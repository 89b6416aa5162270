import GRDB
package import Model

extension Readable {
  /// The last fields of a source, or of all for nil: the weakest source first, then by name.
  package func fetchedSettings(from source: SettingSource? = nil) throws -> [FetchedSetting] {
    let settings = try reader.rows(
      """
      SELECT wire_name, raw_value, source, fetched_at FROM settings
      WHERE ?1 IS NULL OR source = ?1 ORDER BY wire_name
      """, [source?.rawValue]
    ) { row in
      FetchedSetting(
        wireName: row.wholeText(0), rawValue: row.wholeText(1),
        source: try row.choice("source", of: "settings"),
        fetchedAt: row.requiredInstant("fetched_at"))
    }
    return settings.sorted { ($0.source, $0.wireName) < ($1.source, $1.wireName) }
  }

  /// The newest changes of settings, newest first; the changes of one fetch by name.
  package func settingChanges(limit: Int) throws -> [SettingChange] {
    try reader.rows(
      """
      SELECT wire_name, old_value, new_value, source, changed_at FROM settings_history
      ORDER BY changed_at DESC, source, wire_name, id LIMIT ?
      """, [limit]
    ) { row in
      SettingChange(
        wireName: row.wholeText(0), source: try row.choice("source", of: "settings_history"),
        oldValue: row.optionalWholeText(1), newValue: row.optionalWholeText(2),
        changedAt: row.requiredInstant("changed_at"))
    }
  }

  /// Remote Config's values that are not evaluated, by name, then by condition.
  package func conditionalSettings() throws -> [ConditionalSetting] {
    try reader.rows(
      """
      SELECT wire_name, condition, expression, raw_value, kind, percent FROM conditional_settings
      ORDER BY wire_name, condition
      """
    ) { row -> ConditionalSetting in
      ConditionalSetting(
        wireName: row.wholeText(0), condition: row.wholeText(1), expression: row.wholeText(2),
        rawValue: row.optionalWholeText(3),
        kind: row.optionalWholeText(4).flatMap { ConditionalSetting.Kind(rawValue: $0) },
        percent: row["percent"])
    }
  }
}

extension Writer {
  /// Replaces the values of `source` by `fetched`, adds the changes to the history and returns
  /// them.
  ///
  /// The changes are sorted by name; a new field has no old value, a removed one no new value.
  /// Unchanged values get `now` as their time, too.
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

  package func record(conditional settings: [ConditionalSetting]) throws {
    try run("DELETE FROM conditional_settings")
    for setting in settings {
      try run(
        """
        INSERT INTO conditional_settings (wire_name, condition, expression, raw_value, kind, percent)
        VALUES (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ?, ?)
        """,
        [
          setting.wireName.wholeBytes, setting.condition.wholeBytes, setting.expression.wholeBytes,
          setting.rawValue?.wholeBytes, setting.kind?.rawValue, setting.percent,
        ])
    }
  }
}

extension Readable {
  /// Every proposal, newest first; those of keys that this program does not know are left out.
  package func settingProposals() throws -> [SettingProposal] {
    try reader.rows(
      """
      SELECT key, reason, old_value, value, expected_points, proposed_at FROM setting_proposals
      ORDER BY proposed_at DESC, id DESC
      """
    ) { row -> SettingProposal? in
      guard let key = SettingKey(rawValue: row.wholeText(0)) else { return nil }
      return SettingProposal(
        key: key, oldValue: row.optionalWholeText(2), value: row["value"], reason: row.wholeText(1),
        expectedPoints: row["expected_points"], proposedAt: row.requiredInstant("proposed_at"))
    }.compactMap(\.self)
  }
}

extension Writer {
  /// Keeps a proposal, in place of those of its key that never came into force.
  package func record(_ proposal: SettingProposal) throws {
    let changes = try reader.settingChanges(limit: .max)
    for old in try reader.settingProposals() where old.key == proposal.key {
      guard old.beginning(in: changes) == nil else { continue }
      try run(
        "DELETE FROM setting_proposals WHERE key = ? AND proposed_at = ?",
        [old.key.rawValue, old.proposedAt.microseconds])
    }
    try insert(
      into: "setting_proposals",
      [
        ("key", proposal.key.rawValue), ("old_value", proposal.oldValue), ("value", proposal.value),
        ("reason", proposal.reason), ("expected_points", proposal.expectedPoints),
        ("proposed_at", proposal.proposedAt.microseconds),
      ])
  }
}
