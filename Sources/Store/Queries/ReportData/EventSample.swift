import GRDB
import Glibc
import Model

/// Events whose parameters are read: of everybody, or of one person in so many.
///
/// People are chosen by the hash of their ids: of a chosen one all events are read, so that shares
/// of people stay unbiased. docs/people.md#samples.
struct EventSample {
  struct Row {
    let id: Int64
    let person: Int
  }

  /// Rows that are read at most.
  let most: Int
  private(set) var rows: [Row] = []
  /// People whose hash has any of these bits are left out.
  private var mask: UInt32 = 0

  /// So many that reading them takes less than a tenth of a second.
  static let most = 24_000

  init(most: Int = EventSample.most) {
    self.most = most
  }

  var oneIn: Int { Int(mask) + 1 }

  mutating func add(_ row: Row, _ ids: UserNumbers) {
    guard holds(row.person, ids) else { return }
    rows.append(row)
    // The last person that is left may have more rows than that.
    while rows.count > most, mask < 1 << 20 {
      mask = mask << 1 | 1
      rows = rows.filter { holds($0.person, ids) }
    }
  }

  /// The low bits of the hash place the id in a table; these are others.
  func holds(_ person: Int, _ ids: UserNumbers) -> Bool { ids.hash(of: person) >> 11 & mask == 0 }
}

/// One parameter of an event, found in its text without reading the others.
///
/// The text is that of `EventRowEncoder`: quotes inside a value are escaped, so that what stands
/// before a quote and a colon is a key. SQLite ends it with a NUL byte.
struct ParameterScan {
  let text: UnsafeRawBufferPointer

  /// The whole number of a parameter under any platform; nil for none, and for other values.
  func integer(_ name: StaticString) -> Int? {
    guard var place = value(name) else { return nil }
    if place < text.count, text[place] == UInt8(ascii: "\"") { place += 1 }
    let digits = text[place...].prefix { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// The text of a parameter, escapes as they are; empty for none, and for numbers.
  func string(_ name: StaticString) -> String {
    guard let place = value(name), place < text.count, text[place] == UInt8(ascii: "\"") else {
      return ""
    }
    var end = place + 1
    while end < text.count, text[end] != UInt8(ascii: "\"") {
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return String(decoding: text[place + 1..<min(end, text.count)], as: UTF8.self)
  }

  /// Where the value begins, behind `_name":`.
  private func value(_ name: StaticString) -> Int? {
    guard let base = text.baseAddress?.assumingMemoryBound(to: CChar.self),
      let found = UnsafeRawPointer(name.utf8Start).withMemoryRebound(
        to: CChar.self, capacity: name.utf8CodeUnitCount + 1, { strstr(base, $0) })
    else { return nil }
    return UnsafePointer(found) - base + name.utf8CodeUnitCount
  }
}
