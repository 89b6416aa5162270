import GRDB
import Model

/// Which people a database names at all; see `docs/privacy.md#what-names-a-person`.
extension Readable {
  /// The ids in rows, messages and keys that `isWanted` says yes to.
  ///
  /// O(bytes of all texts): every value that can name a person is read.
  package func namedPeople(
    where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) throws -> Set<String> {
    var people: Set<String> = []
    /// False always, so that the search goes on.
    func collect(_ id: UnsafeRawBufferPointer) -> Bool {
      if isWanted(id) { people.insert(String(decoding: id, as: UTF8.self)) }
      return false
    }
    for (table, column) in try namingColumns() {
      try forEachText(of: column, in: table) { text in
        _ = PersonMentions.isAny(inValue: text) { collect($0.id) }
      }
    }
    for (table, column, _) in Self.messageColumns {
      try forEachText(of: column, in: table) { _ = WholeWord.isAny(in: $0, where: collect) }
    }
    return people
  }

  /// The columns whose values `erasePerson` compares with an id.
  private func namingColumns() throws -> [(table: String, column: String)] {
    let own = [
      ("OnlineUsers", "user_id"), ("OnlineUsers_staging", "user_id"), ("events", "user_id"),
      ("events", "parameters"), ("ratings", "user_id"), ("app_rating_feedback", "user_id"),
      ("profiles", "user_id"), ("auth_users", "uid"), ("auth_users", "claims"),
      ("tier_changes", "uid"),
      ("outbox", "payload"), ("tombstones", "key"), ("skipped_documents", "key"),
      ("swept_documents", "key"), ("feedback_marks", "key"),
    ]
    return own
      + (try mirroredTables().flatMap { table in
        try textColumns(of: table).map { (table, $0) }
      })
  }

  private func forEachText(
    of column: String, in table: String, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT \(column.quoted) FROM \(table.quoted) WHERE typeof(\(column.quoted)) = 'text'
        """)
    while let row = try rows.next() {
      var text = row.wholeText(0)
      text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
  }
}
