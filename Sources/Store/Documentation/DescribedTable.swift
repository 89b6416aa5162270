import GRDB

/// A table or view as `firetally schema` describes it; see `docs/export.md#schema`.
package struct DescribedTable: Hashable, Sendable, Encodable {
  package enum Kind: String, Hashable, Sendable, Encodable {
    case table, view
    /// What a query of reports reads, and no database keeps: docs/relations.md.
    case relation
  }

  package let name: String
  package let kind: Kind
  /// One sentence; empty for a table that somebody else made.
  package let meaning: String
  /// The table that a view of the program shows with times added; nil for all others.
  @NullWhenNil package var base: String?
  package let columns: [DescribedColumn]
}

package struct DescribedColumn: Hashable, Sendable, Encodable {
  package let name: String
  /// As declared; empty for a view's expression.
  package let type: String
  package let isKey: Bool
  package let isOptional: Bool
  /// What it holds, with its unit; empty where nobody knows.
  package let meaning: String
  /// `table.column` that its values are found in; nil for none.
  @NullWhenNil package var reference: String?
}

/// A member that JSON has also when it is nil: as `null`.
@propertyWrapper
package struct NullWhenNil<Value: Hashable & Sendable & Encodable>: Hashable, Sendable, Encodable {
  package var wrappedValue: Value?

  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Readable {
  /// All tables and views but SQLite's own, by name.
  package func describedTables() throws -> [DescribedTable] {
    let sources = try reader.collectionSources()
    let names = try reader.exportableNames()
    return try names.map { name in
      let row = try Row.fetchOne(
        reader.database, sql: "SELECT type, sql FROM sqlite_schema WHERE name = ?",
        arguments: [name])
      let isView = row?["type"] == "view"
      let shown = isView ? Self.base(of: row?["sql"] ?? "") : name
      // A view that somebody else made shows anything.
      let base = names.contains(shown) ? shown : name
      return DescribedTable(
        name: name, kind: isView ? .view : .table,
        meaning: base != name
          ? "\(base), with its times also in ISO 8601."
          : SchemaNotes.tables[name] ?? sources[name.lowercased()] ?? "",
        base: base == name ? nil : base,
        columns: try reader.describedColumns(of: name, base: base))
    }
  }

  /// The table that a view of the program shows.
  private static func base(of sql: String) -> String {
    let name = sql.split(separator: "\nFROM ").last ?? ""
    return name.filter { $0 != "\"" && $0 != ";" }
  }
}

extension DescribedColumn {
  /// A row of `pragma_table_info`; `type` is that of a column that a view computes.
  fileprivate init(_ row: Row, type: String? = nil, meaning: String, reference: String?) {
    let (key, required): (Int, Int) = (row["pk"], row["notnull"])
    self.init(
      name: row["name"], type: type ?? row["type"], isKey: key > 0,
      isOptional: required == 0 && key == 0, meaning: meaning, reference: reference)
  }
}

extension Reader {
  /// The relations that queries of reports read, by name: docs/relations.md.
  package func describedRelations() throws -> [DescribedTable] {
    try withRelations {
      try RelationTables.names.sorted().map { name in
        let computed = RelationTables.computedTypes(of: name)
        let columns = try rows(
          "SELECT name, type, pk, \"notnull\" FROM pragma_table_info(?, 'temp')", [name]
        ) { DescribedColumn($0, type: computed[$0["name"]], meaning: "", reference: nil) }
        return DescribedTable(
          name: name, kind: .relation,
          meaning: "Made for each report and query; docs/relations.md says what its columns mean.",
          base: nil, columns: columns)
      }
    }
  }

  /// The meanings of tables of collections, by lowercased name.
  fileprivate func collectionSources() throws -> [String: String] {
    let sources = try rows("SELECT name, source FROM sync_tables") { row -> (String, String) in
      let (name, source): (String, String) = (row["name"], row["source"])
      return (name.lowercased(), CollectionNotes.table(of: source))
    }
    return Dictionary(sources) { first, _ in first }
  }

  fileprivate func describedColumns(of name: String, base: String) throws -> [DescribedColumn] {
    let parent = try parent(ofChildTable: name)
    var references = try references(of: name)
    if let parent { references[ChildTable.pathColumn] = "\(parent).\(ChildTable.pathColumn)" }
    let isChild = try parent != nil || self.parent(ofChildTable: base) != nil
    let mappings = try columnMappings(of: base)
    return try rows("SELECT name, type, pk, \"notnull\" FROM pragma_table_info(?)", [name]) { row in
      let (column, key): (String, Int) = (row["name"], row["pk"])
      return DescribedColumn(
        row,
        meaning: isChild && key > 1
          ? CollectionNotes.position(column) : Self.meaning(of: column, in: base, mappings),
        reference: references[column])
    }
  }

  private static func meaning(
    of column: String, in table: String, _ mappings: [String: String]
  ) -> String {
    if let note = SchemaNotes.columns[table]?[column] { return note }
    // A declared column may be called as one that a view adds.
    let own = mappings.isEmpty ? nil : CollectionNotes.ownColumn(column, in: table)
    if let note = own ?? mappings[column].map(CollectionNotes.column(filledBy:)) { return note }
    if let time = TimeViews.source(of: column, TimeViews.isoSuffix) {
      return "\(time) in ISO 8601, UTC."
    }
    return mappings.isEmpty ? "" : CollectionNotes.decoded(column) ?? ""
  }

  private func references(of table: String) throws -> [String: String] {
    let references = try rows(
      "SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?)", [table]
    ) { row -> (String, String) in
      let (from, to, column): (String, String, String?) = (row["from"], row["table"], row["to"])
      return (from, "\(to).\(column ?? "id")")
    }
    return Dictionary(references) { first, _ in first }
  }
}
