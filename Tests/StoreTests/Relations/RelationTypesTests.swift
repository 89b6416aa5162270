import Foundation
import Model
import StoreTesting
import Testing

@testable import Store

/// Every column of a relation has a type: docs/relations.md.
@Suite struct RelationTypesTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws { (folder, store) = try TemporaryStore.opened() }

  /// The columns of each relation and of the views beside them.
  private func columns() throws -> [String: [TableColumn]] {
    try store.read { reader in
      try reader.withRelations {
        try (RelationTables.names + RelationTables.views).reduce(into: [:]) { columns, name in
          columns[name] = try reader.exportQuery("SELECT * FROM \"\(name)\"").columns
        }
      }
    }
  }

  @Test func `a type is declared by a table, or is one of those of computed columns`() throws {
    for (relation, columns) in try columns() {
      let computed = RelationTables.computedTypes(of: relation)
      for column in columns {
        let types = [column.declaredType, computed[column.name]].compactMap(\.self)
        #expect(types.count >= 1, "\(relation).\(column.name)")
        #expect(Set(types).count == 1, "\(relation).\(column.name) is \(types)")
      }
      #expect(Set(computed.keys).isSubset(of: columns.map(\.name)), "\(relation)")
    }
  }

  @Test func `the types are those of the manual`() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/relations.md"), encoding: .utf8)
    let relations = try columns()
    var checked = 0
    for section in page.components(separatedBy: "\n## ").dropFirst() {
      let name = String(section.prefix { $0 != "\n" })
      guard let columns = relations[name] else { continue }
      let computed = RelationTables.computedTypes(of: name)
      let rows = section.matches(
        of: /\n\| ((?:`\w+`(?:, )?)+) \| (INTEGER|TEXT|REAL)(?:, key|, not null)? \|/)
      for row in rows {
        for column in row.output.1.matches(of: /`(\w+)`/).map({ String($0.output.1) }) {
          let found = columns.first { $0.name == column }
          let type = computed[column] ?? found?.declaredType
          #expect(type == String(row.output.2), "\(name).\(column)")
          checked += 1
        }
      }
    }
    #expect(checked > 150, "only \(checked) columns were found on the page")
  }

  @Test func `the file of the relations has a type for each column`() throws {
    let file = folder.path + ".copy"
    defer { unlink(file) }
    _ = try store.read { reader in
      try reader.withRelations { try reader.copyRelations(toDatabase: file, named: file) }
    }
    let untyped = try SQLiteFile.text(
      file,
      """
      SELECT made.name || '.' || info.name FROM sqlite_schema AS made,
        pragma_table_info(made.name) AS info WHERE made.type = 'table' AND info.type = ''
      """)
    #expect(untyped.isEmpty, "\(untyped)")
  }
}
