import Model

/// The fields of a record whose fields a comma or a tab separates, without their quotes.
///
/// Quotes are those of RFC 4180, also around line ends; Apple's reports with tabs have none.
struct DelimitedRecord {
  enum Separator: UInt8 {
    case comma = 0x2C
    case tab = 0x09
  }

  private(set) var bytes: [UInt8] = []
  private(set) var fields: [Range<Int>] = []
  /// Whether the record goes on behind a line end, inside quotes.
  private(set) var isOpen = false
  private let separator: Separator

  init(_ separator: Separator) { self.separator = separator }

  /// Reads a line, or the next line of a record that is open.
  ///
  /// A quote inside a plain field is text.
  ///
  /// - Throws: `PurchaseFault` for something behind a closing quote.
  mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) {
    var start = 0
    if isOpen {
      start = fields.popLast()?.lowerBound ?? 0
      bytes.append(UInt8(ascii: "\n"))
    } else {
      bytes.removeAll(keepingCapacity: true)
      fields.removeAll(keepingCapacity: true)
    }
    var position = 0
    repeat {
      if isOpen
        || separator == .comma && position < line.count
          && line[position] == UInt8(ascii: "\"")
      {
        if !isOpen { position += 1 }
        try readQuoted(line, &position)
        guard isOpen || position == line.count || line[position] == separator.rawValue else {
          throw PurchaseFault("something follows a closing quote")
        }
      } else {
        let end = line[position...].firstIndex(of: separator.rawValue) ?? line.count
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: line[position..<end]))
        position = end
      }
      fields.append(start..<bytes.count)
      start = bytes.count
      if position == line.count { return }
      position += 1
    } while true
  }

  private mutating func readQuoted(
    _ line: UnsafeBufferPointer<UInt8>, _ position: inout Int
  ) throws(PurchaseFault) {
    let quote = UInt8(ascii: "\"")
    isOpen = true
    while position < line.count {
      let byte = line[position]
      position += 1
      guard byte == quote else {
        bytes.append(byte)
        continue
      }
      guard position < line.count, line[position] == quote else {
        isOpen = false
        return
      }
      bytes.append(quote)
      position += 1
    }
  }

  /// The text of a field; nil for an empty or missing one.
  func text(_ field: Int?) -> String? {
    guard let field, field < fields.count, !fields[field].isEmpty else { return nil }
    return String(decoding: bytes[fields[field]], as: UTF8.self)
  }

  var texts: [String] { fields.map { String(decoding: bytes[$0], as: UTF8.self) } }
}
