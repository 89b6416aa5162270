import Store
package import Workspace

/// The key `explode`; see `docs/jobs/sync-collection.md#child-tables`.
extension MappingReader {
  /// Reads the fields with child tables, for a job that fills `table`.
  package func exploded(below table: String) -> [ExplodedField] {
    let reader = mapping("explode")
    var names: [String: String] = [table.lowercased(): "the documents themselves"]
    return reader.entries.filter { $0.scalar != .null }.compactMap { entry in
      guard let field = reader.exploded(entry, below: table) else { return nil }
      let owner = names.updateValue("'\(entry.name)'", forKey: field.tableName.lowercased())
      guard let owner else { return field }
      reader.problem(
        entry, "the table '\(field.tableName)' is for \(owner); name another one under 'table'")
      return nil
    }
  }

  private func exploded(_ entry: Entry, below table: String) -> ExplodedField? {
    let keys = ExplodedField.keys
    let reader = mapping(of: entry)
    guard entry.scalar == .mapping else { return nil }
    if let inner = reader.entries.first(where: { $0.name == "explode" }) {
      reader.problem(
        inner,
        "cannot be used inside 'explode'; take an array inside an element as a PLAIN_JSON column")
      return nil
    }
    reader.refuseOthers(than: keys.names)
    let pathEntry = reader.entry("path")
    guard let text = pathEntry.map({ reader.text(of: $0) }) ?? entry.name,
      let path = reader.valuePath(text, in: pathEntry ?? entry)
    else { return nil }
    let keyColumn = reader.text("keys", wanted: Self.identifierWanted, where: Self.isIdentifier)
    let scope = ColumnScope(ofElementsBy: keyColumn)
    if let keyColumn, let entry = reader.entry("keys"), keyColumn.lowercased() == scope.reserved[0]
    {
      reader.problem(entry, "every table has a column of that name; choose another one")
    }
    let columns = reader.elementColumns(in: scope)
    guard let name = reader.childTable(of: entry.name, below: table), !columns.isEmpty else {
      return nil
    }
    return ExplodedField(tableName: name, path: path, keyColumn: keyColumn, columns: columns)
  }

  /// Reads `columns`, and `column`, which holds the element itself.
  private func elementColumns(in scope: ColumnScope) -> [MappedColumn] {
    if entry("columns") == nil, entry("column") == nil {
      missing("columns", "name what is kept of each element, as in 'columns: {sku: sku TEXT}'")
    }
    var columns = columns(in: scope)
    guard let entry = entry("column"), let text = text(of: entry) else { return columns }
    let words = text.split(separator: " ")
    guard words.count == 2 else {
      wrongType(entry, wanted: "a column's name and a type such as 'tag TEXT'")
      return columns
    }
    let name = String(words[0])
    guard isColumnName(name, entry, in: scope),
      let column = shortColumn(name, "@value \(words[1])", entry, in: scope)
    else { return columns }
    if columns.contains(where: { $0.name.lowercased() == name.lowercased() }) {
      problem(entry, "is declared twice; SQLite does not tell capitals apart")
    }
    columns.insert(column, at: 0)
    return columns
  }

  /// Returns the name of a child table, by default `Orders_items`; nil for an invalid name.
  private func childTable(of name: String, below table: String) -> String? {
    guard entry("table") == nil else { return namedTable() }
    let name = "\(table)_\(name)"
    if Self.isIdentifier(name), !SyncTable.isReserved(name) { return name }
    missing("table", "'\(name)' cannot be a table's name: it must be \(Self.identifierWanted)")
    return nil
  }
}

extension ExplodedField {
  /// Those of an entry of `explode`.
  package static let keys = [
    ConfigurationKey("path", .text), ConfigurationKey("table", .text),
    ConfigurationKey("keys", .text), ConfigurationKey("column", .text), MappedColumn.columnsKey,
  ]
}
