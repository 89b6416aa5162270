import Glibc

/// Canonical JSON, so that equal values give equal rows however a server writes them.
///
/// It has no white space and no needless escapes; keys are sorted by their bytes, and numbers have
/// their shortest form; see `docs/firestore.md#one-form`.
extension ByteCursor {
  /// Appends valid JSON in canonical form; returns its range in `target`.
  func appendCanonical(_ range: Range<Int>, to target: inout [UInt8]) -> Range<Int> {
    let start = target.count
    var reader = self
    reader.index = range.lowerBound
    reader.appendValue(of: 0..<0, to: &target)
    return start..<target.count
  }

  /// Consumes a value and appends it; `key` is the range of its member's key in `target`.
  private mutating func appendValue(of key: Range<Int>, to target: inout [UInt8]) {
    skipBlanks()
    switch base[index] {
    case UInt8(ascii: "{"): appendObject(to: &target)
    case UInt8(ascii: "["): appendArray(to: &target)
    case UInt8(ascii: "\""):
      let text = appendString(to: &target)
      Self.unify(text, behind: key, in: &target)
    case UInt8(ascii: "t"), UInt8(ascii: "n"): appendWord(4, to: &target)
    case UInt8(ascii: "f"): appendWord(5, to: &target)
    default: appendNumber(behind: key, to: &target)
    }
  }

  private mutating func appendWord(_ count: Int, to target: inout [UInt8]) {
    target.append(contentsOf: bytes(index..<index + count))
    index += count
  }

  private mutating func appendArray(to target: inout [UInt8]) {
    target.append(UInt8(ascii: "["))
    index += 1
    var isFirst = true
    while entersNext(closing: UInt8(ascii: "]"), &isFirst, &target) {
      appendValue(of: 0..<0, to: &target)
    }
    target.append(UInt8(ascii: "]"))
  }

  /// The ranges in `target` of a member's key text and of the whole member.
  private struct Member {
    var key: Range<Int>
    var whole: Range<Int>
  }

  private mutating func appendObject(to target: inout [UInt8]) {
    target.append(UInt8(ascii: "{"))
    index += 1
    var isFirst = true
    var last: Member?
    var members: [Member] = []
    var isSorted = true
    while entersNext(closing: UInt8(ascii: "}"), &isFirst, &target) {
      let start = target.count
      let key = appendString(to: &target)
      skipBlanks()
      index += 1
      target.append(UInt8(ascii: ":"))
      appendValue(of: key, to: &target)
      let member = Member(key: key, whole: start..<target.count)
      // Most objects are Firestore values, which have one member and need no sorting.
      if let last {
        if members.isEmpty { members.append(last) }
        members.append(member)
        isSorted = isSorted && Self.order(last.key, key, in: target) < 0
      }
      last = member
    }
    if !isSorted { Self.sort(members, in: &target) }
    target.append(UInt8(ascii: "}"))
  }

  /// Moves past the comma to the next element; false after consuming the closing byte.
  private mutating func entersNext(
    closing end: UInt8, _ isFirst: inout Bool, _ target: inout [UInt8]
  ) -> Bool {
    skipBlanks()
    guard base[index] != end else {
      index += 1
      return false
    }
    if !isFirst {
      target.append(UInt8(ascii: ","))
      index += 1
      skipBlanks()
    }
    isFirst = false
    return true
  }

  private mutating func skipBlanks() {
    while index < count, base[index] <= 0x20 { index += 1 }
  }

  /// Compares the bytes of two keys: the result is below, at or above 0.
  private static func order(
    _ left: Range<Int>, _ right: Range<Int>, in target: [UInt8]
  ) -> Int {
    target.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      let order = memcmp(
        base + left.lowerBound, base + right.lowerBound, min(left.count, right.count))
      return order == 0 ? left.count - right.count : Int(order)
    }
  }

  /// Sorts the members at the end of `target`; it keeps the last one of a repeated key.
  private static func sort(_ members: [Member], in target: inout [UInt8]) {
    guard let start = members.first?.whole.lowerBound else { return }
    let sorted = members.sorted { left, right in
      let order = order(left.key, right.key, in: target)
      return order == 0 ? left.whole.lowerBound < right.whole.lowerBound : order < 0
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(target.count - start)
    for (place, member) in sorted.enumerated() {
      let next = place + 1
      if next < sorted.count, order(member.key, sorted[next].key, in: target) == 0 { continue }
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: target[member.whole])
    }
    target.replaceSubrange(start..., with: bytes)
  }
}

/// Strings and numbers.
extension ByteCursor {
  /// Consumes the string at `index` and appends it; returns the range of its text.
  private mutating func appendString(to target: inout [UInt8]) -> Range<Int> {
    let start = index + 1
    var hasEscapes = false
    index = start
    while base[index] != UInt8(ascii: "\"") {
      let isEscape = base[index] == UInt8(ascii: "\\")
      hasEscapes = hasEscapes || isEscape
      index += isEscape ? 2 : 1
    }
    index += 1
    let first = target.count + 1
    if hasEscapes {
      unescaped(start..<index - 1).withUnsafeBytes { JSON.write(text: $0, into: &target) }
    } else {
      target.append(contentsOf: bytes(start - 1..<index))
    }
    return first..<target.count - 1
  }

  private mutating func appendNumber(behind key: Range<Int>, to target: inout [UInt8]) {
    let start = index
    while index < count, Self.isOfNumber(base[index]) { index += 1 }
    let digits = Self.shortest(bytes(start..<index))
    if Self.holds(key, "integerValue", in: target), let number = WireNumber.integer(digits) {
      target.append(contentsOf: "\"\(number)\"".utf8)
    } else if Self.holds(key, "nullValue", in: target), digits == "0" {
      target.append(contentsOf: "null".utf8)
    } else {
      target.append(contentsOf: digits.utf8)
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    JSONNumber.isDigit(byte) || "+-.eE".utf8.contains(byte)
  }

  /// Returns whole numbers as digits, and others as Swift writes them; a number beyond a double's
  /// range is returned unchanged.
  ///
  /// The negative zero is `-0.0`: readers take `-0` for an integer, which has no sign.
  private static func shortest(_ number: UnsafeRawBufferPointer) -> String {
    let text = String(decoding: number, as: UTF8.self)
    guard let value = Double(text), value.isFinite else { return text }
    if value == 0 { return value.sign == .minus ? "-0.0" : "0" }
    return WireNumber.integer(number).map { String($0) } ?? "\(value)"
  }

  /// Rewrites, in Google's form, a value that may be sent as a string or as a number.
  private static func unify(
    _ text: Range<Int>, behind key: Range<Int>, in target: inout [UInt8]
  ) {
    // A quick test for the lengths of the keys below: most values have the key `stringValue`.
    if key.count == 14 || key.count == 10 { return unifyTime(text, behind: key, in: &target) }
    guard key.count == 12 || key.count == 9 || holds(key, "doubleValue", in: target) else { return }
    if key.count == 12, isPlainInteger(text, in: target) { return }
    let string = String(decoding: target[text], as: UTF8.self)
    let whole = text.lowerBound - 1..<text.upperBound + 1
    if holds(key, "integerValue", in: target), let number = WireNumber.integer(string) {
      target.replaceSubrange(text, with: "\(number)".utf8)
    } else if holds(key, "doubleValue", in: target), JSONNumber.isNumber(string) {
      let number = Array(string.utf8).withUnsafeBytes(shortest)
      target.replaceSubrange(whole, with: number.utf8)
    } else if holds(key, "nullValue", in: target), string == "NULL_VALUE" {
      target.replaceSubrange(whole, with: "null".utf8)
    }
  }

  /// Gives a time six fractional digits, so that the texts of times sort as the times do.
  private static func unifyTime(
    _ text: Range<Int>, behind key: Range<Int>, in target: inout [UInt8]
  ) {
    guard
      holds(key, "timestampValue", in: target) || holds(key, "updateTime", in: target)
        || holds(key, "createTime", in: target)
    else { return }
    let hasSixDigits = text.count == 27 && target[text.upperBound - 1] == UInt8(ascii: "Z")
    guard !hasSixDigits,
      let microseconds = target.withUnsafeBytes({
        RFC3339.microseconds(UnsafeRawBufferPointer(rebasing: $0[text]))
      })
    else { return }
    target.replaceSubrange(text, with: Timestamp(microseconds: microseconds).sortableText.utf8)
  }

  /// Returns whether the text consists of digits as Google writes them, so that nothing is
  /// rewritten.
  private static func isPlainInteger(_ text: Range<Int>, in target: [UInt8]) -> Bool {
    guard !text.isEmpty, target[text.lowerBound] != UInt8(ascii: "0") else { return false }
    return target[text].allSatisfy(JSONNumber.isDigit)
  }

  private static func holds(
    _ range: Range<Int>, _ text: StaticString, in target: [UInt8]
  ) -> Bool {
    range.count == text.utf8CodeUnitCount
      && target[range].elementsEqual(
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
