import GRDB
import Model

/// A person as the conditions of the selections name them.
struct PersonInSQL {
  /// The row of the CTE `person`: the id, the id as a part of a path; the profiles and the outbox
  /// items of the person as JSON arrays.
  static let cte = "WITH person(id, segment, profiles, items) AS (VALUES (?1, ?2, ?3, ?4))"

  /// Whether an event is of a profile of the person, from the time without a user id.
  static let isUnnamedProfile = """
    user_id IN (SELECT '\(Profile.unnamedPrefix)' || value
      FROM json_each((SELECT profiles FROM person)))
    """

  let arguments: StatementArguments

  /// Adds the function `names_person` to the connection, too.
  init(_ id: String, in database: Database) throws {
    database.add(function: Self.namesPerson(id))
    let profileList =
      try String.fetchOne(
        database, sql: "SELECT json_group_array(name) FROM profiles WHERE user_id = ?",
        arguments: [id]) ?? "[]"
    let items = try Int64.fetchAll(
      database,
      sql: """
        SELECT id FROM outbox WHERE \(Self.names("payload", "?1"))
          OR profile IN (SELECT value FROM json_each(?2))
          OR id IN (SELECT outbox_id FROM ratings WHERE user_id = ?1)
        """, arguments: [id, profileList])
    arguments = [
      id, "/\(id)/", profileList, "[\(items.map(String.init).joined(separator: ","))]",
    ]
  }

  /// Whether a column names the person by the rule of `PersonMentions`.
  ///
  /// The search for the plain id comes first because it is fast. JSON may hold the id with escapes.
  static func names(_ column: String, _ id: String = "(SELECT id FROM person)") -> String {
    "((instr(\(column), \(id)) > 0 OR instr(\(column), char(92)) > 0) AND names_person(\(column)))"
  }

  private static func namesPerson(_ id: String) -> DatabaseFunction {
    DatabaseFunction("names_person", argumentCount: 1, pure: true) { values in
      guard var text = String.fromDatabaseValue(values[0]) else { return false }
      return text.withUTF8 { utf8 in
        PersonMentions.isAny(inValue: UnsafeRawBufferPointer(utf8)) {
          $0.id.elementsEqual(id.utf8)
        }
      }
    }
  }
}

/// Whether an id is somebody's at all, so that a typing error erases nothing.
extension Readable {
  /// Whether the id is that of a user row, of an event, a rating, feedback, a profile or of a
  /// mirrored document, or is called a user's id by the field or the path that holds it.
  ///
  /// `userCollections` are the ids of the collections whose documents are users.
  package func isSomebody(id: String, userCollections: Set<String>) throws -> Bool {
    reader.database.add(function: Self.namesUser(id, userCollections))
    let byUser =
      [
        "OnlineUsers", "OnlineUsers_staging", "events", "ratings", "app_rating_feedback",
        "profiles",
      ].map { ($0, "user_id = ?1") } + ["auth_users", "tier_changes"].map { ($0, "uid = ?1") }
      + [("purchases", "person = ?1 OR previous_person = ?1")]
    let byKey = ["tombstones", "skipped_documents", "swept_documents"].map { table in
      (table, "table_name = 'OnlineUsers' AND key = ?1 OR \(Self.namesUser("key"))")
    }
    let byJSON = [("events", Self.namesUser("parameters")), ("outbox", Self.namesUser("payload"))]
    let byDocument = try mirroredTables().map { table in
      let columns = try textColumns(of: table)
      // Child tables have no ids of their own.
      let byId = columns.contains("document_id") ? ["document_id = ?1"] : []
      return (table.quoted, (byId + columns.map { Self.namesUser($0) }).joined(separator: " OR "))
    }
    return try (byUser + byKey + byJSON + byDocument).contains { table, condition in
      try reader.hasRow(in: table, where: condition, [id])
    }
  }

  /// The tables of jobs of kind sync-collection.
  func mirroredTables() throws -> [String] {
    try reader.values(
      """
      SELECT entry.name FROM sqlite_schema AS entry JOIN sync_tables AS made
      ON made.name = entry.name WHERE entry.type = 'table' ORDER BY 1
      """)
  }

  func textColumns(of table: String) throws -> [String] {
    try reader.values("SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'", [table])
  }

  private static func namesUser(_ column: String) -> String {
    let label = column.replacingScalars("'", with: "''")
    return """
      ((instr(\(column.quoted), ?1) > 0 OR instr(\(column.quoted), char(92)) > 0)
      AND names_user(\(column.quoted), '\(label)'))
      """
  }

  private static func namesUser(_ id: String, _ collections: Set<String>) -> DatabaseFunction {
    DatabaseFunction("names_user", argumentCount: 2, pure: true) { values in
      guard var text = String.fromDatabaseValue(values[0]),
        var label = String.fromDatabaseValue(values[1])
      else { return false }
      return text.withUTF8 { text in
        label.withUTF8 { label in
          PersonMentions.isAny(
            inValue: UnsafeRawBufferPointer(text), label: UnsafeRawBufferPointer(label)
          ) { $0.id.elementsEqual(id.utf8) && $0.isOfUser(collections: collections) }
        }
      }
    }
  }
}
