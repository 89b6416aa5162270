/// A table as JSON: its columns, and a row as an object with the columns' ids as keys.
struct JSONTable: Encodable {
  struct Column: Encodable {
    var id: String
    var title: String
  }

  struct Row: Encodable {
    let columns: [Table.Column]
    let cells: [Cell]
    let isTotal: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: JSONKey.self)
      for (column, cell) in zip(columns, cells) {
        try container.encode(JSONCell(cell.fields), forKey: JSONKey(column.id))
      }
      if isTotal { try container.encode(true, forKey: JSONKey("is_total")) }
    }
  }

  var id: String
  var title: String
  var columns: [Column]
  var rows: [Row]
  /// How many rows HTML and text show.
  var shown: Int
  /// How many there are in the workspace.
  var total: Int

  init(_ table: Table) {
    id = table.id
    title = table.title
    columns = table.columns.map { Column(id: $0.id, title: $0.title) }
    rows = table.rows.map { Row(columns: table.columns, cells: $0.cells, isTotal: $0.isTotal) }
    shown = table.shownRows.count
    total = table.totalCount ?? table.rows.count
  }
}
