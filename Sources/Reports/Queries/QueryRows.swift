import Model

/// The rows of a result, read by the columns of its query.
struct QueryRows {
  /// A row that was read.
  struct Row {
    /// One a column of the query.
    var cells: [Cell]
    var isTotal: Bool
    var isGap: Bool
    /// Which checks are true of it, in their order.
    var fails: [Bool]
  }

  let query: SectionQuery
  let result: SQLResult
  let context: QueryContext
  /// The places of the result's columns by their names.
  private let places: [String: Int]
  /// The places of each column's parts.
  private let parts: [[Int]]

  /// - Throws: `QueryFault` when the result lacks a column, or has it twice.
  init(_ query: SectionQuery, _ result: SQLResult, _ context: QueryContext) throws(QueryFault) {
    self.query = query
    self.result = result
    self.context = context
    if let fault = query.fault(inColumns: result.columns) { throw fault }
    let places = Dictionary(
      result.columns.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { $1 })
    self.places = places
    parts = query.columns.map { $0.parts.compactMap { places[$0] } }
  }

  /// - Throws: `QueryFault` for the first value of another kind, and what a cover throws.
  func rows() throws -> [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(result.rows.count)
    for index in result.rows.indices { rows.append(try row(index)) }
    return rows
  }

  private func row(_ index: Int) throws -> Row {
    let isTotal = try reading(index) { try isSet(SectionQuery.isTotalColumn, in: index) }
    var cells: [Cell] = []
    for (column, places) in zip(query.columns, parts) {
      let values = places.map {
        QueryValue(column: result.columns[$0], value: value($0, in: index))
      }
      cells.append(
        try reading(index) {
          try column.unit.cell(of: values, basis: query.basis, in: context, isTotal: isTotal)
        })
    }
    return Row(
      cells: cells, isTotal: isTotal,
      isGap: try reading(index) { try isSet(SectionQuery.isGapColumn, in: index) },
      fails: query.checks.indices.map { check in
        places[SectionQuery.checkColumn(check)].map { value($0, in: index).isTrue } ?? false
      })
  }

  private func value(_ place: Int, in row: Int) -> SQLValue {
    result.rows[row].indices.contains(place) ? result.rows[row][place] : .null
  }

  /// The value of a column that may be missing, under its name.
  func value(of column: String, in row: Int) -> QueryValue? {
    places[column].map { QueryValue(column: column, value: value($0, in: row)) }
  }

  private func isSet(_ column: String, in row: Int) throws -> Bool {
    guard let value = value(of: column, in: row), !value.isNull else { return false }
    return try value.count(from: 0, to: 1) == 1
  }

  /// Turns a wrong value into a fault that names its row.
  ///
  /// The value itself may name a person, so an anonymous report does not repeat it.
  func reading<Value>(_ row: Int, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let wrong as WrongValue {
      let found = context.report.isAnonymous ? "what it is" : wrong.value.described
      throw query.fault(
        "must be \(wrong.wanted), not \(found)", row: row + 1, column: wrong.column)
    }
  }

  /// The number of rows in the workspace when the result says that it holds fewer.
  func totalCount() throws -> Int? {
    guard !result.rows.isEmpty, let value = value(of: SectionQuery.totalCountColumn, in: 0),
      !value.isNull
    else { return nil }
    return try reading(0) { max(try value.count(from: 0), result.rows.count) }
  }
}

extension SectionQuery {
  /// Why a result with these columns cannot be read; nil when it can.
  package func fault(inColumns names: [String]) -> QueryFault? {
    for name in columns.flatMap(\.parts) {
      switch names.count(where: { $0 == name }) {
      case 1: continue
      case 0:
        let hint = ClosestName.hint(for: name, among: names)
        return fault("the query gives no such column; the header needs it.\(hint)", column: name)
      default: return fault("the query gives this column twice; name it once", column: name)
      }
    }
    return nil
  }
}

extension SQLValue {
  /// Whether SQLite takes it for true; a text is not.
  fileprivate var isTrue: Bool {
    switch self {
    case .integer(let integer): integer != 0
    case .real(let real): real != 0
    case .null, .text, .blob: false
    }
  }
}
