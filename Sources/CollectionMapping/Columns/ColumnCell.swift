import Firestore
import Model
import Sync

/// The conversion of a value into a column's cell, without the names that only messages need.
struct ColumnCell: Sendable {
  let kind: MappedColumn.Kind
  let form: MappedColumn.Form?

  init(_ column: MappedColumn) {
    kind = column.kind
    form = column.form
  }

  /// Appends the cell of a value; NULL for a value that does not fit.
  ///
  /// `field` is the scanned value. `json` is its JSON if the column needs that, and empty for a
  /// missing value. Returns a description of a value that does not fit, for a warning; nil when it
  /// fits.
  func append(
    _ field: ScannedField, json: @autoclosure () -> ArraySlice<UInt8>,
    in page: UnsafeRawBufferPointer, to rows: inout TableRows
  ) -> String? {
    if case .unreachable = field { return refuse(field, &rows) }
    switch kind {
    case .json: append(json: json(), to: &rows)
    case .plainJSON: return append(plain: json(), to: &rows)
    case .text, .integer, .real, .blob:
      if form == .latitude || form == .longitude { return append(coordinate: json(), to: &rows) }
      return append(field, in: page, to: &rows)
    }
    return nil
  }

  private func append(json: ArraySlice<UInt8>, to rows: inout TableRows) {
    guard !json.isEmpty else { return rows.append(nil) }
    json.withUnsafeBytes { rows.append(text: $0) }
  }

  private func append(plain json: ArraySlice<UInt8>, to rows: inout TableRows) -> String? {
    guard !json.isEmpty else {
      rows.append(nil)
      return nil
    }
    guard let value = Self.value(of: json) else { return refuse(.malformed, &rows) }
    if value == .null {
      rows.append(nil)
    } else {
      value.plainJSON.serialized().withUnsafeBytes { rows.append(text: $0) }
    }
    return nil
  }

  private func append(coordinate json: ArraySlice<UInt8>, to rows: inout TableRows) -> String? {
    guard !json.isEmpty else {
      rows.append(nil)
      return nil
    }
    switch Self.value(of: json) {
    case .geoPoint(let latitude, let longitude)?:
      let number = form == .latitude ? latitude : longitude
      rows.append(real: number)
      return number.isNaN ? "NaN" : nil
    case .null?: rows.append(nil)
    case let value?:
      rows.append(nil)
      return value.kind.rawValue
    case nil: return refuse(.malformed, &rows)
    }
    return nil
  }

  private static func value(of json: ArraySlice<UInt8>) -> Value? {
    json.withUnsafeBytes { bytes in
      do {
        return try Value(json: JSON(parsing: bytes))
      } catch {
        // A value with an unknown type is counted as malformed.
        return nil
      }
    }
  }

  /// Stores NULL for a value that does not fit, and returns the name of its kind.
  private func refuse(_ field: ScannedField, _ rows: inout TableRows) -> String {
    rows.append(nil)
    return field.kindName
  }
}

/// The conversions to SQLite's types.
extension ColumnCell {
  @inline(__always)
  private func append(
    _ field: ScannedField, in page: UnsafeRawBufferPointer, to rows: inout TableRows
  ) -> String? {
    switch (field, kind) {
    case (.missing, _), (.null, _): rows.append(nil)
    case (.string(let range), .text): rows.append(.text(range), from: page)
    case (.reference(let range), .text): rows.append(.text(part(of: range, in: page)), from: page)
    case (.timestamp(let microseconds), .text):
      rows.append(text: Timestamp(microseconds: microseconds).sortableText)
    case (.bytes(let range), .blob):
      guard let bytes = Base64.decode(String(decoding: page[range], as: UTF8.self)) else {
        return refuse(.malformed, &rows)
      }
      rows.append(blob: bytes)
    default:
      guard let cell = number(field) else { return refuse(field, &rows) }
      rows.append(cell, from: page)
    }
    return nil
  }

  private func part(of name: Range<Int>, in page: UnsafeRawBufferPointer) -> Range<Int> {
    switch form {
    case .id: KeyMapping.id(of: name, in: page)
    case .path: KeyMapping.path(of: name, in: page)
    default: name
    }
  }

  /// Returns the cell of a value that converts to the number type without loss; nil for others.
  private func number(_ field: ScannedField) -> TableRows.Cell? {
    switch (field, kind) {
    case (.timestamp(let time), .integer): .integer(Self.time(time, form))
    case (.integer(let number), .integer): .integer(number)
    case (.boolean(let flag), .integer): .integer(flag ? 1 : 0)
    case (.double(let number), .integer): Int64(exactly: number).map { .integer($0) }
    // SQLite has no NaN and would store NULL.
    case (.double(let number), .real): number.isNaN ? nil : .real(number)
    case (.integer(let number), .real): Double(exactly: number).map { .real($0) }
    default: nil
    }
  }

  /// Converts microseconds to the form of an `INTEGER` column; seconds are rounded down.
  static func time(_ microseconds: Int64, _ form: MappedColumn.Form?) -> Int64 {
    form == .seconds ? microseconds.floored(by: 1_000_000).quotient : microseconds
  }
}

extension ScannedField {
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
    case .other(let kind): kind.rawValue
    case .unreachable(let kind, let wanted): kind.rawValue(insteadOf: wanted)
    case .malformed: "malformed"
    }
  }
}

extension FieldKind {
  /// Describes a misfit: `string where a map was expected`.
  func rawValue(insteadOf wanted: FieldKind) -> String {
    "\(rawValue) where \(wanted == .array ? "an array" : "a map") was expected"
  }
}
