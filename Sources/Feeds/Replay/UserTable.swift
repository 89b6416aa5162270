import Glibc

/// Numbers the users of a replay from 0, in the order in which they are first met.
///
/// A name is kept as JSON writes it between quotes, so that it is printed as it is.
package final class UserTable {
  private var names: [UInt8] = []
  /// Where each name begins, and where the last one ends.
  private var starts = [0]
  /// Open addressing: a part of the hash above the user's number; 0 is a free slot.
  private var slots = [UInt64](repeating: 0, count: 1 << 12)

  package init() {}

  package var count: Int { starts.count - 1 }

  /// The user's number, a new one for a name that was not met before.
  package func number(of name: String) -> Int {
    var encoded = JSONText.encode(name)
    return encoded.withUTF8 { number(ofEncoded: $0) }
  }

  /// Hands over the name as it stands between quotes.
  package func withEncodedName(of user: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    names.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[starts[user]..<starts[user + 1]]))
    }
  }

  func number(of name: JSONScanner.RawString) throws(JSONScanner.Fault) -> Int {
    name.isEscaped ? number(of: try name.text()) : number(ofEncoded: name.bytes)
  }

  private func number(ofEncoded name: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = Self.hash(name)
    let slot = slot(of: name, hash)
    let found = slots[slot]
    guard found == 0 else { return Int(found & Self.numberMask) - 1 }
    names.append(contentsOf: name)
    starts.append(names.count)
    slots[slot] = Self.mark(of: hash) | UInt64(count)
    if count * 2 > slots.count { grow() }
    return count - 1
  }

  /// The slot that holds the name, or the free one where it belongs.
  private func slot(of name: UnsafeBufferPointer<UInt8>, _ hash: Int) -> Int {
    // Local names spare a check of exclusive access for every one of them.
    let (slots, starts, names) = (slots, starts, names)
    let mark = Self.mark(of: hash)
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0 {
      let user = Int(slots[slot] & Self.numberMask) - 1
      let start = starts[user]
      if slots[slot] & ~Self.numberMask == mark, starts[user + 1] - start == name.count,
        Self.holds(names, at: start, name)
      {
        return slot
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// Whether the name, of which there is room, stands at `start`.
  private static func holds(
    _ names: [UInt8], at start: Int, _ name: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let base = name.baseAddress, !name.isEmpty else { return true }
    return names.withUnsafeBytes { names in
      names.baseAddress.map { memcmp($0 + start, base, name.count) == 0 } ?? false
    }
  }

  private static let numberMask: UInt64 = 0xFFFF_FFFF

  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    return hasher.finalize()
  }

  private static func mark(of hash: Int) -> UInt64 {
    UInt64(bitPattern: Int64(hash)) & ~numberMask
  }

  private func grow() {
    var larger = [UInt64](repeating: 0, count: slots.count * 2)
    names.withUnsafeBufferPointer { names in
      for user in 0..<count {
        let name = UnsafeBufferPointer(rebasing: names[starts[user]..<starts[user + 1]])
        let hash = Self.hash(name)
        var slot = hash & (larger.count - 1)
        while larger[slot] != 0 { slot = (slot + 1) & (larger.count - 1) }
        larger[slot] = Self.mark(of: hash) | UInt64(user + 1)
      }
    }
    slots = larger
  }
}
