import CollectionMapping
import Firestore
import Foundation
import Jobs
import Model
import Sync

/// Rows that were parsed beforehand, with the tables that take them.
struct BareWorkload {
  struct Table {
    /// With a parameter for each cell.
    var insert: String
    var width: Int
    var pages: [TableRows]
  }

  var schema: String
  var indexes: String
  var tables: [Table]
  var documentCount: Int { tables.first?.pages.reduce(0) { $0 + $1.count } ?? 0 }
}

/// The users of a first load, with the app's five secondary indexes.
extension BareWorkload {
  static func users(in pages: [[UInt8]]) throws -> BareWorkload {
    let width = UserColumn.allCases.count
    let parameters = Array(repeating: "?", count: width).joined(separator: ",")
    return BareWorkload(
      schema: """
        CREATE TABLE OnlineUsers (
            id INTEGER PRIMARY KEY, user_id TEXT UNIQUE NOT NULL, user_name TEXT, user_image TEXT,
            user_gender TEXT, user_country TEXT, user_language TEXT, user_age TEXT,
            user_device_id TEXT, user_device_token TEXT, user_area TEXT, user_city TEXT,
            user_state TEXT, user_decent_time INTEGER, user_last_time_seen INTEGER, isAd INTEGER,
            update_time INTEGER NOT NULL, synced_at INTEGER NOT NULL
        );
        """,
      indexes: """
        CREATE INDEX seen ON OnlineUsers(user_last_time_seen DESC);
        CREATE INDEX ad ON OnlineUsers(isAd, user_last_time_seen DESC);
        CREATE INDEX area ON OnlineUsers(user_area, user_last_time_seen DESC);
        CREATE INDEX city ON OnlineUsers(user_city, user_last_time_seen DESC);
        CREATE INDEX state ON OnlineUsers(user_state, user_last_time_seen DESC);
        """,
      tables: [
        Table(
          insert: "INSERT INTO OnlineUsers VALUES (NULL,\(parameters),0)", width: width,
          pages: try pages.map(userRows))
      ])
  }

  private static func userRows(of page: [UInt8]) throws -> TableRows {
    let fields = UserColumn.allCases.flatMap { column in
      column.descriptor.wireNames.map { (name: $0, column: column) }
    }
    var scanner = DocumentScanner(fields: fields.map(\.name))
    var bytes = page
    var rows = TableRows.users()
    _ = try scanner.scan(&bytes) { document, buffer in
      var row = UserColumn.Cells(repeating: .text(0..<0))
      for column in [UserColumn.decentTime, .lastSeenAtSeconds, .isAd] {
        row[column.rawValue] = .integer(0)
      }
      row[UserColumn.updateTime.rawValue] = .integer(document.updateTime ?? 0)
      // Of several names of a column the first that the document has wins.
      for (position, field) in fields.enumerated().reversed() {
        guard let cell = cell(of: document.fields[position]) else { continue }
        row[field.column.rawValue] = cell
      }
      rows.append(row.span, from: buffer)
    }
    return rows
  }

  private static func cell(of field: ScannedField) -> TableRows.Cell? {
    switch field {
    case .string(let range): .text(range)
    case .integer(let number): .integer(number)
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .timestamp(let microseconds): .integer(microseconds / 1_000_000)
    default: nil
    }
  }
}

/// Documents with an array whose elements are rows of a second table.
extension BareWorkload {
  static func elements(in pages: [[UInt8]]) throws -> BareWorkload {
    let rows = try pages.map(elementRows)
    return BareWorkload(
      schema: """
        CREATE TABLE Orders (
            document_path TEXT NOT NULL, document_id TEXT NOT NULL, total REAL, city TEXT,
            update_time INTEGER NOT NULL, synced_at INTEGER NOT NULL
        );
        CREATE TABLE Orders_items (
            document_path TEXT NOT NULL, idx INTEGER NOT NULL, sku TEXT, qty INTEGER
        );
        """,
      indexes: """
        CREATE UNIQUE INDEX path ON Orders(document_path);
        CREATE UNIQUE INDEX element ON Orders_items(document_path, idx);
        """,
      tables: [
        Table(
          insert: "INSERT INTO Orders VALUES (?,?,?,?,?,0)", width: 5, pages: rows.map(\.parents)),
        Table(
          insert: "INSERT INTO Orders_items VALUES (?,?,?,?)", width: 4,
          pages: rows.map(\.children)),
      ])
  }

  private static func elementRows(
    of page: [UInt8]
  ) throws -> (parents: TableRows, children: TableRows) {
    func column(_ name: String, _ kind: MappedColumn.Kind) -> MappedColumn {
      MappedColumn(
        name: name, source: .field(ValuePath(FieldPath(segments: [name]))), kind: kind)
    }
    let items = ExplodedField(
      tableName: "Orders_items", path: ValuePath(FieldPath(segments: ["items"])),
      columns: [column("sku", .text), column("qty", .integer)])
    let mapping = ColumnMapping(
      columns: [column("total", .real), column("city", .text)], exploded: [items],
      hasDocument: false, orderField: nil)
    var bytes = page
    var scanner = mapping.scanner
    var mapped = MappedRows(TableRows(width: mapping.width))
    _ = try scanner.scan(&bytes) { document, buffer in
      mapping.add(document, in: buffer, to: &mapped)
    }
    return (mapped.rows, mapped.children.first?.rows ?? TableRows(width: 4))
  }
}
