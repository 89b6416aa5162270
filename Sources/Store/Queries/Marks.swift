import GRDB

extension Readable {
  /// What was last remembered under the name; nil when nothing was.
  package func mark(named name: String) throws -> String? {
    try String.fetchOne(
      reader.database, sql: "SELECT value FROM marks WHERE name = ?", arguments: [name])
  }
}
