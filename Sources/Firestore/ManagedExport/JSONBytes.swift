import Model

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

  /// Adds a time of the years 1 to 9999 with 0, 3 or 6 fractional digits, without quotes.
  mutating func add(_ time: Timestamp, digits: Int = 6) {
    let (day, rest) = time.microseconds.floored(by: 86_400_000_000)
    let (second, microsecond) = rest.quotientAndRemainder(dividingBy: 1_000_000)
    let date = GregorianDate(daysSince1970: day)
    add(date.year, digits: 4)
    for (separator, number) in [
      (UInt8(ascii: "-"), date.month), (UInt8(ascii: "-"), date.day),
      (UInt8(ascii: "T"), second / 3600),
      (UInt8(ascii: ":"), second / 60 % 60), (UInt8(ascii: ":"), second % 60),
    ] {
      bytes.append(separator)
      add(number, digits: 2)
    }
    if digits > 0 {
      bytes.append(UInt8(ascii: "."))
      add(digits == 6 ? microsecond : microsecond / 1_000, digits: digits)
    }
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
}
