import GRDB

extension Writer {
  /// Remembers a value under a name, in place of the one before; nil forgets it.
  package func setMark(_ value: String?, named name: String) throws {
    guard let value else {
      try run("DELETE FROM marks WHERE name = ?", [name])
      return
    }
    try run("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)", [name, value])
  }
}
