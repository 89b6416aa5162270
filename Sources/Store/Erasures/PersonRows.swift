import GRDB
import Model

/// What the database holds about one person; see `docs/privacy.md#what-is-held`.
package struct PersonRows: Hashable, Sendable {
  package struct Place: Hashable, Codable, Sendable {
    /// Stable: `users`, `accounts`, `events`, or `table` and the name of a collection's table.
    package var place: String
    package var count: Int

    package init(_ place: String, _ count: Int) {
      self.place = place
      self.count = count
    }
  }

  /// In a fixed order, without those that hold nothing.
  package var places: [Place] = []
  /// Paths of documents that rows came from or went to; the server still has them.
  package var documents: [String] = []

  package init() {}

  package var total: Int { places.reduce(0) { $0 + $1.count } }
}

/// The rows of a table, an SQL identifier, that meet a condition over the CTE `person`.
///
/// `pathColumn` has the path of the row's document; nil for none.
typealias PersonSelection = (place: String, table: String, condition: String, pathColumn: String?)

extension Readable {
  /// Counts what is held about the person with this id, and changes nothing.
  ///
  /// O(rows of all tables): few of them have an index by person.
  package func personRows(id: String) throws -> PersonRows {
    let person = try PersonInSQL(id, in: reader.database)
    var rows = PersonRows()
    for selection in try personSelections() {
      let count = try reader.count(
        "\(PersonInSQL.cte) SELECT count(*) FROM \(selection.table) WHERE \(selection.condition)",
        person.arguments)
      rows.add(count, to: selection.place)
      if count > 0, let column = selection.pathColumn {
        rows.documents += try reader.values(
          """
          \(PersonInSQL.cte) SELECT \(column) FROM \(selection.table)
          WHERE (\(selection.condition)) AND \(column) IS NOT NULL ORDER BY 1
          """, person.arguments)
      }
    }
    rows.add(try textsNaming(id).count, to: "messages")
    rows.documents = Array(Set(rows.documents)).sorted()
    return rows
  }

  /// In the order in which they may be deleted.
  func personSelections() throws -> [PersonSelection] {
    let ofUser = "user_id = (SELECT id FROM person)"
    let ofAccount = "uid = (SELECT id FROM person)"
    let ofPurchases =
      "person = (SELECT id FROM person) OR previous_person = (SELECT id FROM person)"
    let ofProfile = "profile IN (SELECT value FROM json_each((SELECT profiles FROM person)))"
    let isItem = "IN (SELECT value FROM json_each((SELECT items FROM person)))"
    let ofRatings = "\(ofUser) OR \(ofProfile) OR outbox_id \(isItem)"
    let ofMarks = """
      key IN (SELECT 'own/' || id FROM ratings WHERE \(ofRatings)
        UNION ALL SELECT document_path FROM app_rating_feedback WHERE \(ofUser))
      OR \(PersonInSQL.names("key"))
      """
    let ofKey = """
      key = (SELECT id FROM person)
      OR table_name <> 'OnlineUsers' AND \(PersonInSQL.names("key"))
      """
    let ofEvents =
      "\(ofUser) OR \(PersonInSQL.isUnnamedProfile) OR \(PersonInSQL.names("parameters"))"
    var selections: [PersonSelection] = [
      ("users", "OnlineUsers", ofUser, nil), ("users", "OnlineUsers_staging", ofUser, nil),
    ]
    selections += try collectionSelections()
    selections += [
      // Before the rows that say whose the notes are.
      ("marks", "feedback_marks", ofMarks, nil),
      ("accounts", "auth_users", "\(ofAccount) OR \(PersonInSQL.names("claims"))", nil),
      ("accounts", "tier_changes", ofAccount, nil), ("events", "events", ofEvents, nil),
      ("purchases", "purchases", ofPurchases, nil),
      ("ratings", "ratings", ofRatings, nil),
      ("feedback", "app_rating_feedback", ofUser, "document_path"),
      ("outbox", "outbox", "id \(isItem)", "remote_name"),
    ]
    for table in [
      "limit_states", "pending_uses", "moment_marks", "app_sessions", "app_session_counts",
      "open_popups",
    ] {
      selections.append(("profiles", table, ofProfile, nil))
    }
    selections.append(("profiles", "profiles", ofUser, nil))
    for table in ["tombstones", "skipped_documents", "swept_documents"] {
      selections.append(("keys", table, ofKey, nil))
    }
    return selections
  }

  private func collectionSelections() throws -> [PersonSelection] {
    let tables = try mirroredTables()
    let children: Set<String> = Set(try reader.values("SELECT name FROM sync_child_tables"))
    return try tables.filter { !children.contains($0) }.map { table in
      let ofChildren = try childTables(of: table).filter(tables.contains).map { child in
        """
        document_path IN (SELECT document_path FROM \(child.quoted)
        WHERE \(try namesPerson(inRowsOf: child)))
        """
      }
      let own = try namesPerson(inRowsOf: table)
      let condition = ([own] + ofChildren).joined(separator: " OR ")
      return ("table \(table)", table.quoted, condition, "document_path")
    }
  }

  /// Whether a row of a collection's table names the person; child rows go with their document.
  private func namesPerson(inRowsOf table: String) throws -> String {
    try textColumns(of: table).filter { $0 != "document_id" }
      .map { PersonInSQL.names($0.quoted) }.joined(separator: " OR ")
  }
}

extension PersonRows {
  mutating func add(_ count: Int, to place: String) {
    guard count > 0 else { return }
    if let index = places.firstIndex(where: { $0.place == place }) {
      places[index].count += count
    } else {
      places.append(Place(place, count))
    }
  }
}

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
      ("tier_changes", "uid"), ("purchases", "person"), ("purchases", "previous_person"),
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
    try reader.forEachRow(
      """
      SELECT \(column.quoted) FROM \(table.quoted) WHERE typeof(\(column.quoted)) = 'text'
      """
    ) { row in
      var text = row.wholeText(0)
      text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
  }
}
