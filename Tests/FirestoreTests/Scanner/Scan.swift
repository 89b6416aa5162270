import Model

@testable import Firestore

/// The result of scanning a page, with texts in place of ranges.
struct Scan: Equatable {
  enum Field: Equatable, Sendable {
    case missing, null, malformed
    case boolean(Bool)
    case integer(Int64)
    /// The bit pattern; every NaN is one.
    case double(UInt64)
    case timestamp(Int64)
    case text(String)
    case reference(String)
    /// Nil for text that is no base64.
    case base64([UInt8]?)
    case other(FieldKind)
    case unreachable(FieldKind)
  }

  struct Document: Equatable {
    var name: String
    var updateTime: Int64?
    var fields: [Field]
  }

  var documents: [Document] = []
  var page = ScannedPage()

  init(_ text: String, fields: [String]) throws {
    try self.init(Array(text.utf8), fields: fields)
  }

  init(_ bytes: [UInt8], fields: [String]) throws {
    var scanner = DocumentScanner(fields: fields)
    var bytes = bytes
    var documents: [Document] = []
    page = try scanner.scan(&bytes) { document, buffer in
      documents.append(
        Document(
          name: String(decoding: buffer[document.name], as: UTF8.self),
          updateTime: document.updateTime,
          fields: document.fields.map { Field($0, buffer) }))
    }
    self.documents = documents
  }
}

extension Scan.Field {
  init(_ field: ScannedField, _ buffer: UnsafeRawBufferPointer) {
    self =
      switch field {
      case .missing: .missing
      case .null: .null
      case .boolean(let flag): .boolean(flag)
      case .integer(let integer): .integer(integer)
      case .double(let number): .double(number.isNaN ? Double.nan.bitPattern : number.bitPattern)
      case .timestamp(let microseconds): .timestamp(microseconds)
      case .string(let range): .text(String(decoding: buffer[range], as: UTF8.self))
      case .reference(let range): .reference(String(decoding: buffer[range], as: UTF8.self))
      case .bytes(let range):
        .base64(Base64.decode(String(decoding: buffer[range], as: UTF8.self)))
      case .other(let kind): .other(kind)
      case .unreachable(let kind, _): .unreachable(kind)
      case .malformed: .malformed
      }
  }

  /// What a scan should make of a decoded value.
  init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .boolean(let flag): .boolean(flag)
      case .integer(let integer): .integer(integer)
      case .double(let number): .double(number.isNaN ? Double.nan.bitPattern : number.bitPattern)
      case .timestamp(let timestamp): .timestamp(timestamp.microseconds)
      case .string(let text): .text(text)
      case .bytes(let bytes): .base64(bytes)
      case .reference(let name): .reference(name)
      case .geoPoint: .other(.geoPoint)
      case .array: .other(.array)
      case .map: .other(.map)
      // A point with more members than a point has is kept as it came.
      case .unknown(kind: "geoPointValue", _): .other(.geoPoint)
      case .unknown: .other(.unknown)
      }
  }
}
