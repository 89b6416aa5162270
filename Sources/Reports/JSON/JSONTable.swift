/// A table as JSON: its columns, and each row as an object keyed by the ids of the columns.
struct JSONTable: Encodable {
  struct Column: Encodable {
    var id: String
    var title: String
  }

  struct Row: Encodable {
    let columns: [Table.ColumnHead]
    let cells: [Cell]
    let isTotal: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: JSONKey.self)
      for (column, cell) in zip(columns, cells) {
        try container.encode(JSONCell(cell.parts), forKey: JSONKey(column.id))
      }
      if isTotal { try container.encode(true, forKey: JSONKey("is_total")) }
    }
  }

  var id: String
  var title: String
  var columns: [Column]
  var rows: [Row]
  /// The number of rows that HTML and text show.
  var shown: Int
  /// The number of rows in the workspace.
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

/// A cell as JSON: a plain value, or an object when it has named parts.
struct JSONCell: Encodable {
  private let parts: [CellField]

  init(_ parts: [CellField]) {
    self.parts = parts
  }

  func encode(to encoder: any Encoder) throws {
    if parts.count == 1, parts[0].name == nil { return try parts[0].datum.encode(to: encoder) }
    var container = encoder.container(keyedBy: JSONKey.self)
    for part in parts {
      try container.encode(part.datum, forKey: JSONKey(part.name ?? "value"))
    }
  }
}

/// A key that is known at run time: the id of a column or the name of a part.
struct JSONKey: CodingKey {
  let stringValue: String

  init(_ name: String) {
    stringValue = name
  }

  init?(stringValue: String) {
    self.init(stringValue)
  }

  var intValue: Int? { nil }

  init?(intValue: Int) {
    nil
  }
}

extension JSONScalar: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .decimal(let number): try container.encode(number)
    case .integers(let numbers): try container.encode(numbers)
    case .boolean(let flag): try container.encode(flag)
    case .null: try container.encodeNil()
    }
  }
}
