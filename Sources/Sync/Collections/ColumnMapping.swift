package import Firestore
package import Model
import Store

/// Turns documents of any collection into rows of declared columns; see
/// `docs/jobs/sync-collection.md#columns`.
package struct ColumnMapping: Sendable {
  package let scanner: DocumentScanner
  package let width: Int
  package let orderPosition: Int?
  private let columns: [MappedColumn]
  private let hasDocument: Bool

  /// Maps documents to `SyncTable.collection` with these columns.
  ///
  /// - Parameters:
  ///   - columns: the declared ones.
  ///   - hasDocument: whether the whole document is kept as well.
  ///   - orderField: the field that orders the pages or is the watermark's; nil for the name.
  package init(columns: [MappedColumn], hasDocument: Bool, orderField: FieldPath?) {
    self.columns = columns
    self.hasDocument = hasDocument
    orderPosition = orderField == nil ? nil : columns.count
    width = columns.count + (hasDocument ? 4 : 3)
    scanner = DocumentScanner(
      fields: columns.map(\.wanted) + (orderField.map { [WantedField($0)] } ?? []),
      extent: .init(hasDocument: hasDocument, hasCensus: true))
  }
}

extension ColumnMapping: DocumentMapping {
  package var personCells: PersonCells { .all }

  package func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    let path = KeyMapping.path(of: document.name, in: page)
    let id = page[path].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.lowerBound
    collected.rows.append(.text(path), from: page)
    collected.rows.append(.text(id..<path.upperBound), from: page)
    for (position, column) in columns.enumerated() {
      if column.kind == .json {
        append(json: document.json(of: position), to: &collected.rows)
      } else {
        append(document.fields[position], of: column, in: page, to: &collected)
      }
    }
    if hasDocument { append(json: document.json[...], to: &collected.rows) }
    collected.rows.append(document.updateTime ?? 0)
  }

  private func append(json: ArraySlice<UInt8>, to rows: inout TableRows) {
    guard !json.isEmpty else { return rows.append(nil) }
    json.withUnsafeBytes { rows.append(text: $0) }
  }

  private func append(
    _ field: ScannedField, of column: MappedColumn, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    switch (field, column.kind) {
    case (.missing, _), (.null, _): collected.rows.append(nil)
    case (.string(let range), .text), (.reference(let range), .text):
      collected.rows.append(.text(range), from: page)
    case (.timestamp(let microseconds), .text):
      collected.rows.append(text: Timestamp(microseconds: microseconds).rfc3339)
    case (.bytes(let range), .blob):
      guard let bytes = Base64.decode(String(decoding: page[range], as: UTF8.self)) else {
        return refuse(.malformed, of: column, in: &collected)
      }
      collected.rows.append(blob: bytes)
    default:
      guard let cell = Self.number(field, column.kind) else {
        return refuse(field, of: column, in: &collected)
      }
      collected.rows.append(cell, from: page)
    }
  }

  /// The cell of a value that converts to the number type without loss; nil for any other value.
  private static func number(
    _ field: ScannedField, _ kind: MappedColumn.Kind
  ) -> TableRows.Cell? {
    switch (field, kind) {
    case (.integer(let number), .integer), (.timestamp(let number), .integer): .integer(number)
    case (.boolean(let flag), .integer): .integer(flag ? 1 : 0)
    case (.double(let number), .integer): Int64(exactly: number).map { .integer($0) }
    // SQLite has no NaN: it would store NULL.
    case (.double(let number), .real): number.isNaN ? nil : .real(number)
    case (.integer(let number), .real): Double(exactly: number).map { .real($0) }
    default: nil
    }
  }

  /// Stores NULL for a value that does not fit, and counts it.
  private func refuse(
    _ field: ScannedField, of column: MappedColumn, in collected: inout MappedRows
  ) {
    collected.rows.append(nil)
    collected.note("\(column.name) (\(field.kindName))")
  }
}

extension ScannedField {
  /// The name of the kind in warnings.
  fileprivate var kindName: String {
    switch self {
    case .missing: "missing"
    case .null: FieldKind.null.rawValue
    case .boolean: FieldKind.boolean.rawValue
    case .integer: FieldKind.integer.rawValue
    case .double(let number): number.isNaN ? "NaN" : FieldKind.double.rawValue
    case .timestamp: FieldKind.timestamp.rawValue
    case .string: FieldKind.string.rawValue
    case .reference: FieldKind.reference.rawValue
    case .bytes: FieldKind.bytes.rawValue
    case .other(.geoPoint): FieldKind.geoPoint.rawValue
    case .other(.array): FieldKind.array.rawValue
    case .other(.map): FieldKind.map.rawValue
    case .other(.unknown): FieldKind.unknown.rawValue
    case .malformed: "malformed"
    }
  }
}
