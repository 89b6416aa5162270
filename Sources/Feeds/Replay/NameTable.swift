import Glibc

/// Names numbered from 0 in the order in which they are first met, found again by a hash.
///
/// A value inside of `UserTable`, so that one check of exclusive access is enough for each name.
struct NameTable {
  private var names: [UInt8] = []
  /// Where each name begins, and where the last one ends.
  private var starts = [0]
  /// Open addressing: a part of the hash above the name's number and one; 0 is a free slot.
  private var slots = [UInt64](repeating: 0, count: 1 << 12)

  var count: Int { starts.count - 1 }

  /// The name's number, a new one for a name that was not met before.
  mutating func number(of name: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = Self.hash(name)
    let mark = Self.mark(of: hash)
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot] & Self.numberMask) - 1
      if slots[slot] & ~Self.numberMask == mark, holds(name, as: number) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    names.append(contentsOf: name)
    starts.append(names.count)
    slots[slot] = mark | UInt64(count)
    if count * 2 > slots.count { grow() }
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

  private static func mark(of hash: Int) -> UInt64 {
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
        larger[slot] = Self.mark(of: hash) | UInt64(number + 1)
      }
    }
    slots = larger
  }
}
