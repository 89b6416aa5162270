import Glibc

/// Interns the users of a replay: numbers them from 0 in order of first occurrence.
///
/// Stores names escaped as in JSON, so that they can be printed unchanged.
package final class UserInterner {
  private var names = NameInterner()

  package init() {}

  package var count: Int { names.count }

  /// The user's number; a new name gets a new number.
  package func number(of name: String) -> Int {
    var encoded = JSONText.encode(name)
    return encoded.withUTF8 { names.number(of: $0) }
  }

  /// Calls `body` with the name, escaped as between quotes.
  package func withEncodedName(of user: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    names.withName(user, body)
  }

  /// The number of a name that has no escapes; a new name gets a new number.
  func number(ofPlain name: UnsafeBufferPointer<UInt8>) -> Int { names.number(of: name) }

  func number(of name: JSONScanner.RawString) throws(JSONScanner.Fault) -> Int {
    name.isEscaped ? number(of: try name.text()) : names.number(of: name.bytes)
  }
}

/// Interned names in a hash table with open addressing.
///
/// A struct inside of `UserInterner`, so that each name needs only one exclusivity check.
struct NameInterner {
  private var names: [UInt8] = []
  /// The start of each name, and the end of the last one.
  private var starts = [0]
  /// The upper half of the hash and the name's number plus one; 0 is a free slot.
  private var slots = [UInt64](repeating: 0, count: 1 << 12)

  var count: Int { starts.count - 1 }

  /// The name's number; a new name gets a new number.
  mutating func number(of name: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = Self.hash(name)
    let tag = Self.tag(of: hash)
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot] & Self.numberMask) - 1
      if slots[slot] & ~Self.numberMask == tag, holds(name, as: number) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    names.append(contentsOf: name)
    starts.append(names.count)
    slots[slot] = tag | UInt64(count)
    if count * 4 > slots.count * 3 { grow() }
    return count - 1
  }

  func withName(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    names.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[starts[number]..<starts[number + 1]]))
    }
  }

  private static let numberMask: UInt64 = 0xFFFF_FFFF

  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    return hasher.finalize()
  }

  private static func tag(of hash: Int) -> UInt64 {
    UInt64(bitPattern: Int64(hash)) & ~numberMask
  }

  private func holds(_ name: UnsafeBufferPointer<UInt8>, as number: Int) -> Bool {
    let start = starts[number]
    guard starts[number + 1] - start == name.count else { return false }
    guard let base = name.baseAddress, !name.isEmpty else { return true }
    return names.withUnsafeBytes { names in
      names.baseAddress.map { memcmp($0 + start, base, name.count) == 0 } ?? false
    }
  }

  private mutating func grow() {
    var larger = [UInt64](repeating: 0, count: slots.count * 2)
    for number in 0..<count {
      withName(number) { name in
        let hash = Self.hash(name)
        var slot = hash & (larger.count - 1)
        while larger[slot] != 0 { slot = (slot + 1) & (larger.count - 1) }
        larger[slot] = Self.tag(of: hash) | UInt64(number + 1)
      }
    }
    slots = larger
  }
}
