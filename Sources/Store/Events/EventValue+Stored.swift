import Model

extension ParameterText {
  /// The values of a platform's parameters in a row of `events`, as `values` has them.
  static func stored(
    _ names: [[UInt8]], of platform: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer
  ) throws(UnreadableCell) -> [EventValue?] {
    guard let values = values(of: names, platform, in: text.assumingMemoryBound(to: UInt8.self))
    else { throw unreadable(String(decoding: text, as: UTF8.self)) }
    return values
  }

  static func unreadable(_ text: String) -> UnreadableCell {
    UnreadableCell(table: "events", column: "parameters", value: text)
  }
}

extension EventValue {
  /// What was shown, also where it was logged as a number; nil for nothing.
  var words: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    case .double(let number): String(number)
    }
  }

  /// Nil for numbers.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A number, also in digits; nil for other texts.
  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
  }
}
