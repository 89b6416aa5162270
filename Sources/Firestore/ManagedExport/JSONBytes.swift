/// JSON that is written byte by byte, with values in the form of the REST API.
struct JSONBytes {
  var bytes: [UInt8] = []

  @inline(__always)
  mutating func add(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func add(_ before: StaticString, _ number: Int64, _ after: StaticString) {
    add(before)
    add(decimal: number)
    add(after)
  }

  private mutating func add(decimal number: Int64) {
    var rest = number.magnitude
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Adds UTF-8 as a string with its quotes.
  mutating func add(text: UnsafeRawBufferPointer) {
    JSON.write(text: text, into: &bytes)
  }

  mutating func add(double number: Double) {
    add("{\"doubleValue\":")
    add(number)
    add("}")
  }

  private mutating func add(_ number: Double) {
    guard number.isFinite else {
      return add(number.isNaN ? "\"NaN\"" : number < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    }
    bytes.append(contentsOf: number.description.utf8)
  }

  mutating func add(latitude: Double, longitude: Double) {
    add("{\"geoPointValue\":{\"latitude\":")
    add(latitude)
    add(",\"longitude\":")
    add(longitude)
    add("}}")
  }

  /// Begins an array's elements, or a vector's coordinates.
  mutating func open(isVector: Bool) {
    if isVector {
      add("{\"mapValue\":{\"fields\":{\"__type__\":{\"stringValue\":\"__vector__\"},\"value\":")
    }
    add("{\"arrayValue\":{\"values\":[")
  }

  mutating func close(isVector: Bool) { add(isVector ? "]}}}}}" : "]}}") }

  /// Adds a time of the years 1 to 9999 with six fractional digits, without quotes.
  mutating func add(_ time: Timestamp) {
    let (day, rest) = Self.floored(time.microseconds, 86_400_000_000)
    let (second, microsecond) = rest.quotientAndRemainder(dividingBy: 1_000_000)
    let (year, month, dayOfMonth) = Self.date(day)
    add(year, digits: 4)
    for (separator, number) in [
      (UInt8(ascii: "-"), month), (UInt8(ascii: "-"), dayOfMonth),
      (UInt8(ascii: "T"), second / 3600),
      (UInt8(ascii: ":"), second / 60 % 60), (UInt8(ascii: ":"), second % 60),
    ] {
      bytes.append(separator)
      add(number, digits: 2)
    }
    bytes.append(UInt8(ascii: "."))
    add(microsecond, digits: 6)
    bytes.append(UInt8(ascii: "Z"))
  }

  private mutating func add(_ number: Int64, digits: Int) {
    var scale: Int64 = 1
    for _ in 1..<digits { scale *= 10 }
    while scale > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / scale % 10))
      scale /= 10
    }
  }

  private static func floored(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  /// The proleptic Gregorian date of a day since 1970, by years that begin in March.
  private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floored(day + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
    return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
  }
}
