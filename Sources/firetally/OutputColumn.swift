import Model

/// A column of a list: a cell of the table for people, and a member of the object for programs.
struct OutputColumn<Row> {
  /// Nil for what only programs get.
  let heading: String?
  let isRightAligned: Bool
  /// Nil without a value.
  let cell: (Row) -> String?
  /// Empty for what only people get.
  let members: (Row) -> JSONObject

  /// Creates a column whose cell is not the value itself.
  init(
    _ heading: String, _ member: String, isNumber: Bool = false,
    value: @escaping (Row) -> (any Encodable & Sendable)?, cell: @escaping (Row) -> String?
  ) {
    (self.heading, isRightAligned, self.cell) = (heading, isNumber, cell)
    members = { JSONObject([member: value($0)]) }
  }

  /// Creates a column of texts or numbers; `none` is the cell without one.
  init<Value: Encodable & Sendable & LosslessStringConvertible>(
    _ heading: String, _ member: String, isNumber: Bool = false, none: String? = nil,
    _ value: @escaping (Row) -> Value?
  ) {
    self.init(heading, member, isNumber: isNumber, value: value) {
      value($0).map { "\($0)" } ?? none
    }
  }

  /// Returns a column of times; `words` are those of the cell.
  static func time(
    _ heading: String, _ member: String, words: @escaping (Instant) -> String,
    _ value: @escaping (Row) -> Instant?
  ) -> OutputColumn {
    OutputColumn(heading, member, value: value) { value($0).map(words) }
  }

  /// Creates a column for people alone.
  init(_ heading: String, isNumber: Bool = false, cell: @escaping (Row) -> String?) {
    (self.heading, isRightAligned, self.cell) = (heading, isNumber, cell)
    members = { _ in [:] }
  }

  /// Returns what only programs get.
  static func members(_ members: @escaping (Row) -> JSONObject) -> OutputColumn {
    OutputColumn(members: members)
  }

  private init(members: @escaping (Row) -> JSONObject) {
    (heading, isRightAligned, cell) = (nil, false, { _ in nil })
    self.members = members
  }
}

extension Array {
  /// Returns the object of a row, of a message type unless it is a part of a message.
  func object<Row>(
    of row: Row, as type: String? = nil
  ) -> JSONObject where Element == OutputColumn<Row> {
    let start: JSONObject = type.map { ["message_type": $0] } ?? [:]
    return reduce(start) { $0.merging($1.members(row)) }
  }

  /// Returns a table with a line for each row, in which cells of a column may be coloured.
  func table<Row>(
    of rows: some Sequence<Row>, colouring heading: String? = nil,
    _ colour: @escaping (String, Row) -> String = { cell, _ in cell }
  ) -> TextTable where Element == OutputColumn<Row> {
    let shown = filter { $0.heading != nil }
    var table = TextTable(
      shown.compactMap(\.heading),
      rightAligned: Set(shown.indices.filter { shown[$0].isRightAligned }))
    let coloured = shown.firstIndex { $0.heading == heading }
    for row in rows {
      table.add(shown.map { $0.cell(row) ?? "-" }, colouring: coloured) { colour($0, row) }
    }
    return table
  }

  /// Returns a table with a line for each column of one row, for `show` commands.
  func fields<Row>(
    of row: Row, head: String = "FIELD", none: String = "-"
  ) -> TextTable where Element == OutputColumn<Row> {
    var table = TextTable([head, "VALUE"])
    for column in self {
      if let heading = column.heading { table.add([heading, column.cell(row) ?? none]) }
    }
    return table
  }
}
