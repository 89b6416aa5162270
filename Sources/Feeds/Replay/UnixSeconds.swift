import Model

/// Unix seconds in JSON, read with microseconds and without conversion to `Double`.
enum UnixSeconds {
  /// The years 1 to 9999, with four digits in ISO 8601; docs/replay.md#replay.
  static let years: ClosedRange<Int64> =
    -62_135_596_800_000_000...253_402_300_799_999_999

  /// The instant of a JSON number; nil outside of `years`.
  ///
  /// Rounds to the nearest microsecond, halves away from zero.
  static func instant(_ number: UnsafeBufferPointer<UInt8>) -> Instant? {
    guard let microseconds = microseconds(number) ?? exponential(number),
      years.contains(microseconds)
    else { return nil }
    return Instant(microseconds: microseconds)
  }

  /// Nil for a number with an exponent or with more than 12 digits before the point.
  private static func microseconds(_ number: UnsafeBufferPointer<UInt8>) -> Int64? {
    var value: Int64 = 0
    var position = number.first == UInt8(ascii: "-") ? 1 : 0
    let start = position
    while position < number.count, let digit = digit(number[position]) {
      guard position - start < 12 else { return nil }
      value = value * 10 + digit
      position += 1
    }
    var scale: Int64 = 1_000_000
    value *= scale
    if position < number.count, number[position] == UInt8(ascii: ".") {
      position += 1
      while position < number.count, let digit = digit(number[position]) {
        position += 1
        // Only the seventh digit decides the rounding.
        if scale == 1, digit >= 5 { value += 1 }
        scale /= 10
        value += digit * scale
      }
    }
    guard position == number.count else { return nil }
    return start == 1 ? -value : value
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    byte >= 0x30 && byte <= 0x39 ? Int64(byte & 0x0F) : nil
  }

  private static func exponential(_ number: UnsafeBufferPointer<UInt8>) -> Int64? {
    Double(String(decoding: number, as: UTF8.self))
      .flatMap(Instant.init(fractionalUnixSeconds:))?.microseconds
  }
}
