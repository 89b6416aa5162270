import ArgumentParser
import Feeds
import Foundation
import Model
import Reports

enum QueryFormat: String, ExpressibleByArgument, CaseIterable {
  case table, csv, json, ndjson
}

/// The rows of a query in one of the formats of `docs/sql.md#formats`.
struct QueryPrinter {
  let result: SQLResult

  /// Returns the output, including line ends.
  func bytes(as format: QueryFormat) throws -> [UInt8] {
    switch format {
    case .table: Array((table.text + "\n").utf8)
    case .csv: try written { try CSVTable(result.tableColumns, to: $0) }
    case .ndjson: try objects()
    case .json: try array()
    }
  }

  /// Returns a line for each row, in the form of `--json`: `{"message_type":"row","row":{…}}`.
  func messages() throws -> [UInt8] {
    try lines().flatMap { Array(#"{"message_type":"row","row":"#.utf8) + $0 + Array("}\n".utf8) }
  }

  /// The table; numbers are right-aligned, and `-` is NULL.
  private var table: TextTable {
    let numbers = result.columns.indices.filter { column in
      result.rows.allSatisfy { $0[column].isNumberOrNull }
        && result.rows.contains { $0[column] != .null }
    }
    var table = TextTable(result.columns.map(VisibleText.line), rightAligned: Set(numbers))
    for row in result.rows { table.add(row.map(\.cellText)) }
    return table
  }

  private func array() throws -> [UInt8] {
    Array("[".utf8) + (try lines().joined(separator: Array(",\n".utf8))) + Array("]\n".utf8)
  }

  /// Returns an object for each row, without a line end.
  private func lines() throws -> [ArraySlice<UInt8>] {
    try objects().split(separator: UInt8(ascii: "\n"))
  }

  private func objects() throws -> [UInt8] {
    try written { NDJSONTable(result.tableColumns, to: $0) }
  }

  private func written(_ writer: (OutputBytes) throws -> some TableWriter) throws -> [UInt8] {
    let output = OutputBytes()
    var writer = try writer(output)
    try result.forEachRow { try writer.write($0) }
    try writer.finish()
    return output.collected
  }
}

extension SQLValue {
  fileprivate var isNumberOrNull: Bool {
    switch self {
    case .null, .integer, .real: true
    case .text, .blob: false
    }
  }

  /// The text in a table for people; numbers and bytes as in CSV.
  fileprivate var cellText: String {
    switch self {
    case .null: "-"
    case .integer(let number): "\(number)"
    case .real(let number) where number.isInfinite: number < 0 ? "-Infinity" : "Infinity"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): Data(bytes).base64EncodedString()
    }
  }
}
