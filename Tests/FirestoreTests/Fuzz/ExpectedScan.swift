import Foundation
import Model

@testable import Firestore

/// What a scan of a page should find, told from Foundation's reading of it.
struct ExpectedScan {
  struct Document {
    var name: String
    var fields: [Any?]
  }

  let documents: [Document]

  /// Nil for what is no answer of Firestore's to a query.
  init?(_ page: Any) {
    guard let elements = page as? [Any], !elements.isEmpty else { return nil }
    var documents: [Document] = []
    for element in elements {
      guard let members = element as? [String: Any], ExpectedScan.isSound(members) else {
        return nil
      }
      guard let json = members["document"], !(json is NSNull) else { continue }
      guard let document = ExpectedScan.document(json) else { return nil }
      documents.append(document)
    }
    self.documents = documents
  }

  private static func isSound(_ element: [String: Any]) -> Bool {
    let skipped = element["skippedResults"]
    return !(element["error"] is [String: Any]) && isTime(element["readTime"])
      && (skipped == nil || skipped is NSNull || integer(skipped) != nil)
  }

  private static func isTime(_ value: Any?) -> Bool {
    guard let value, !(value is NSNull) else { return true }
    return (value as? String).flatMap(Timestamp.init(rfc3339:)) != nil
  }

  private static func document(_ json: Any) -> Document? {
    guard let members = json as? [String: Any], let name = members["name"] as? String,
      !name.isEmpty, isTime(members["updateTime"])
    else { return nil }
    let fields = members["fields"] ?? NSNull()
    guard fields is NSNull || fields is [String: Any] else { return nil }
    return Document(
      name: name, fields: FuzzText.wanted.map { (fields as? [String: Any])?[$0] })
  }

  /// Whether the scanned field is what the value should be read as.
  static func agrees(_ field: Scan.Field, _ value: Any?) -> Bool {
    guard let value else { return field == .missing }
    guard let members = value as? [String: Any], members.count == 1,
      let (kind, content) = members.first
    else { return field == .malformed }
    switch kind {
    case "doubleValue":
      guard case .double(let bits) = field else { return double(content) == nil }
      guard let number = double(content) else { return false }
      return number.doubleValue.isNaN
        ? bits == Double.nan.bitPattern
        : FoundationOracle.isNear(Double(bitPattern: bits), number)
    case "nullValue": return field == (isNull(content) ? .null : .malformed)
    case "booleanValue":
      return field == (flag(content).map { .boolean($0) } ?? .malformed)
    case "integerValue":
      return field == (integer(content).map { .integer($0) } ?? .malformed)
    case "stringValue":
      return field == ((content as? String).map { .text($0) } ?? .malformed)
    case "referenceValue":
      return field == ((content as? String).map { .reference($0) } ?? .malformed)
    case "bytesValue":
      return field == ((content as? String).map { .base64(Base64.decode($0)) } ?? .malformed)
    case "timestampValue":
      let time = (content as? String).flatMap(Timestamp.init(rfc3339:))
      return field == (time.map { .timestamp($0.microseconds) } ?? .malformed)
    default:
      return field == .other(others[kind] ?? .unknown)
    }
  }

  private static let others: [String: FieldKind] = [
    "geoPointValue": .geoPoint, "arrayValue": .array, "mapValue": .map,
  ]

  private static func isNull(_ content: Any) -> Bool {
    if let number = content as? NSNumber {
      return !FoundationOracle.isBoolean(number) && number.stringValue == "0"
    }
    return content is NSNull || content as? String == "NULL_VALUE"
  }

  private static func flag(_ content: Any) -> Bool? {
    FoundationOracle.isBoolean(content) ? content as? Bool : nil
  }

  private static func double(_ content: Any) -> NSNumber? {
    if let number = content as? NSNumber {
      return FoundationOracle.isBoolean(content) ? nil : number
    }
    switch content as? String {
    case "NaN": return NSNumber(value: Double.nan)
    case "Infinity": return NSNumber(value: Double.infinity)
    case "-Infinity": return NSNumber(value: -Double.infinity)
    case let text?:
      guard text.wholeMatch(of: numeric) != nil, let number = Double(text), number.isFinite else {
        return nil
      }
      return NSNumber(value: number)
    case nil: return nil
    }
  }

  /// A whole number of 64 bits, through Foundation's decimals.
  private static func integer(_ content: Any?) -> Int64? {
    guard let content, !FoundationOracle.isBoolean(content) else { return nil }
    let text = (content as? NSNumber)?.stringValue ?? content as? String
    guard let text, text.wholeMatch(of: numeric) != nil || text.wholeMatch(of: digits) != nil,
      let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    else { return nil }
    var (source, whole) = (decimal, Decimal())
    NSDecimalRound(&whole, &source, 0, .down)
    guard whole == decimal, whole <= Decimal(Int64.max), whole >= Decimal(Int64.min) else {
      return nil
    }
    return NSDecimalNumber(decimal: whole).int64Value
  }

  private nonisolated(unsafe) static let numeric =
    /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/
  private nonisolated(unsafe) static let digits = /-?[0-9]+/
}
