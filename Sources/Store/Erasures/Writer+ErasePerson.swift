import Foundation
import GRDB
import Model

/// A text of the program's own that names a person.
struct TextNamingPerson {
  let table: String
  let column: String
  /// The columns that identify the row: its row number, or those of its key.
  let keyColumns: [String]
  let key: [DatabaseValue]
  let text: String
}

extension Readable {
  /// The program's own texts that may name people, with the columns that identify their rows.
  static var messageColumns: [(table: String, column: String, key: [String])] {
    [
      ("sync_runs", "warnings", ["id"]), ("sync_runs", "error", ["id"]),
      ("incidents", "sentence", ["id"]), ("incidents", "causes", ["id"]),
      ("outbox", "last_error", ["id"]), ("marks", "value", ["name"]),
      ("sync_cursors", "value", ["job", "key"]), ("sync_cursors", "key", ["job", "key"]),
      ("run_logs", "message", ["run_id", "number"]), ("setting_proposals", "reason", ["id"]),
    ]
  }

  /// The texts of runs, notes and positions that have the id as a word.
  func textsNaming(_ id: String) throws -> [TextNamingPerson] {
    try Self.messageColumns.flatMap { table, column, key in
      guard try reader.database.tableExists(table) else { return [TextNamingPerson]() }
      return try Row.fetchAll(
        reader.database,
        sql: """
          SELECT \(column), \(key.joined(separator: ", ")) FROM \(table)
          WHERE instr(\(column), ?) > 0
          """, arguments: [id]
      ).compactMap { row in
        let text = row.wholeText(0)
        guard WholeWord.isFound(id, in: text) else { return nil }
        return TextNamingPerson(
          table: table, column: column, keyColumns: key,
          key: key.indices.map { row[$0 + 1] }, text: text)
      }
    }
  }
}

extension Writer {
  /// Deletes what is held about the person with this id; messages lose the id and stay.
  ///
  /// Unfinished loads whose position names the person begin again. Call it inside
  /// `Store.erasing`.
  ///
  /// - Returns: what was held before.
  package func erasePerson(id: String) throws -> PersonRows {
    let held = try personRows(id: id)
    let person = try PersonInSQL(id, in: database)
    try noteErasedFeedback(person)
    for selection in try personSelections() {
      try run(
        "\(PersonInSQL.cte) DELETE FROM \(selection.table) WHERE \(selection.condition)",
        person.arguments)
    }
    try removeClaimsOfMissingEvents()
    // A count may know an id whose events are gone.
    if try held.places.contains(where: { $0.place == "events" })
      || reader.hasRow(in: "fact_person", where: "user_id = ?", [id])
    {
      try removeCounts()
    }
    for text in try textsNaming(id) { try remove(id, from: text) }
    try forgetSamples(of: id)
    if held.places.contains(where: { $0.place == "users" }), try usersCount(upTo: 1) == 0 {
      try recordWhetherEmpty()
    }
    return held
  }

  /// Explains the documents of deleted feedback to later counts; their paths name nobody.
  private func noteErasedFeedback(_ person: PersonInSQL) throws {
    try run(
      """
      \(PersonInSQL.cte) INSERT OR IGNORE INTO skipped_documents (table_name, key)
      SELECT 'app_rating_feedback', document_path FROM app_rating_feedback
      WHERE user_id = (SELECT id FROM person)
        AND instr('/' || document_path || '/', (SELECT segment FROM person)) = 0
      """, person.arguments)
  }

  private func remove(_ id: String, from text: TextNamingPerson) throws {
    let condition = text.keyColumns.map { "\($0) = ?" }.joined(separator: " AND ")
    let key = StatementArguments(text.key)
    guard text.table != "sync_cursors" else {
      try run("DELETE FROM sync_cursors WHERE \(condition)", key)
      return
    }
    let redacted = WholeWord.replacing(id, with: "[erased]", in: text.text)
    try run("UPDATE \(text.table) SET \(text.column) = ? WHERE \(condition)", [redacted] + key)
  }

  /// SQLite's statistics may keep the id as a sample of an index.
  private func forgetSamples(of id: String) throws {
    guard try database.tableExists("sqlite_stat4") else { return }
    try run("DELETE FROM sqlite_stat4 WHERE instr(sample, CAST(? AS BLOB)) > 0", [id])
  }
}
