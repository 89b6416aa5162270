import GRDB
package import Model

extension Readable {
  /// Every proposal, newest first; those of keys that this program does not know are left out.
  package func settingProposals() throws -> [SettingProposal] {
    let rows = try Row.fetchAll(
      reader.database,
      sql: """
        SELECT key, reason, old_value, value, expected_points, proposed_at FROM setting_proposals
        ORDER BY proposed_at DESC, id DESC
        """)
    return rows.compactMap { row in
      guard let key = SettingKey(rawValue: row.wholeText(0)) else { return nil }
      return SettingProposal(
        key: key, oldValue: row.optionalWholeText(2), value: row["value"], reason: row.wholeText(1),
        expectedPoints: row["expected_points"], proposedAt: row.requiredInstant("proposed_at"))
    }
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
    try run(
      """
      INSERT INTO setting_proposals
        (key, old_value, value, reason, expected_points, proposed_at) VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        proposal.key.rawValue, proposal.oldValue, proposal.value, proposal.reason,
        proposal.expectedPoints, proposal.proposedAt.microseconds,
      ])
  }
}
