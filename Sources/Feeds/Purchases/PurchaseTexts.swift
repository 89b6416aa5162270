import Model

/// Why a record says nothing that can be stored: the end of a sentence, which quotes no value.
package struct PurchaseFault: Error, Hashable, Sendable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// Times as the sources write them.
enum PurchaseTime {
  /// The last millisecond of the year 9999.
  private static let latest: Int64 = 253_402_300_799_999

  /// Milliseconds since 1970; nil for no text.
  static func milliseconds(_ text: String?, _ name: String) throws(PurchaseFault) -> Instant? {
    guard let text, !text.isEmpty else { return nil }
    guard let value = Int64(text) ?? CurrencyAmount.scaled(text.utf8, digits: 0),
      (0...latest).contains(value)
    else { throw PurchaseFault("\(name) is no time in milliseconds since 1970") }
    return Instant(microseconds: value * 1_000)
  }

  /// `2026-01-31 08:00:00` in UTC, with a fraction or a zone where it has one; nil for no text.
  static func text(_ text: String?, _ name: String) throws(PurchaseFault) -> Instant? {
    guard let text, !text.isEmpty else { return nil }
    var form = Array(text.utf8)
    if form.count > 10, form[10] == UInt8(ascii: " ") { form[10] = UInt8(ascii: "T") }
    let clock = form.dropFirst(11)
    let hasZone = clock.contains {
      $0 == UInt8(ascii: "Z") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
    }
    let instant = Instant(iso8601: String(decoding: form, as: UTF8.self) + (hasZone ? "" : "Z"))
    guard let instant else {
      throw PurchaseFault("\(name) is no time such as 2026-01-31 08:00:00")
    }
    return instant
  }

  /// The first instant in UTC of `2026-01-31` or `01/31/2026`.
  static func day(_ text: String, _ name: String) throws(PurchaseFault) -> Instant {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let day = parts.count == 3 ? "\(parts[2])-\(parts[0])-\(parts[1])" : text
    guard let instant = Instant(iso8601: "\(day)T00:00:00Z") else {
      throw PurchaseFault("\(name) is no day such as 2026-01-31")
    }
    return instant
  }
}

enum PurchaseFlag {
  /// Whether a text says yes, as versions of RevenueCat's exports, JSON and SQLite write it.
  static func isOn(_ text: String?) -> Bool {
    guard let text else { return false }
    return text == "true" || text == "t" || text == "1" || text == "TRUE" || text == "True"
  }
}

enum StoreName {
  /// In lower case; the App Store of Macs has the same transactions as the other.
  static func canonical(_ name: String) -> String {
    switch name {
    case "APP_STORE", "app_store", "MAC_APP_STORE", "mac_app_store": "app_store"
    case "PLAY_STORE", "play_store": "play_store"
    default: name.lowercased()
    }
  }
}

/// The texts of a JSON list.
enum JSONList {
  static func texts(_ json: String?, _ name: String) throws(PurchaseFault) -> [String] {
    guard let json, !json.isEmpty, json != "null" else { return [] }
    var bytes = Array(json.utf8)
    guard !bytes.contains(UInt8(ascii: "\n")) else {
      throw PurchaseFault("\(name) is no JSON list of texts")
    }
    bytes.append(UInt8(ascii: "\n"))
    do throws(JSONScanner.Fault) {
      return try bytes.withUnsafeBufferPointer { bytes throws(JSONScanner.Fault) in
        var scanner = try JSONScanner(
          validating: UnsafeBufferPointer(rebasing: bytes.dropLast()))
        var texts: [String] = []
        try scanner.elements { scanner throws(JSONScanner.Fault) in
          if let text = try scanner.textOrSkip() { texts.append(text) }
        }
        try scanner.finish()
        return texts
      }
    } catch {
      throw PurchaseFault("\(name) is no JSON list of texts")
    }
  }
}

extension JSONScanner {
  /// `true`, `false`, or a number or text as it is written; nil for any other value.
  mutating func flagText() throws(Fault) -> String? {
    switch peek() {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): try boolean() ? "true" : "false"
    default: try textOrSkip()
    }
  }

  /// The JSON of the next value, as it is written.
  mutating func valueText() throws(Fault) -> String {
    String(decoding: try valueBytes(), as: UTF8.self)
  }
}
