/// Reads an event's parameters back from the text that `EventRowEncoder` wrote.
package struct ParameterText {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// The parameters; nil for a text that no version of the program wrote.
  package static func parameters(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> [String: EventValue]? {
    var text = ParameterText(bytes: bytes)
    return text.object()
  }

  /// The values of a platform's parameters, in the order of their names, which lack the platform; nil
  /// for a text that no version of the program wrote.
  package static func values(
    of names: [[UInt8]], _ platform: UnsafeRawBufferPointer,
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> [EventValue?]? {
    var text = ParameterText(bytes: bytes)
    var values = [EventValue?](repeating: nil, count: names.count)
    guard text.take("{") else { return nil }
    if text.take("}") { return text.position == bytes.count ? values : nil }
    repeat {
      guard let key = text.quoted(), text.take(":") else { return nil }
      let place = names.firstIndex { name in
        key.count == platform.count + 1 + name.count && key.starts(with: platform)
          && key[key.startIndex + platform.count] == UInt8(ascii: "_")
          && key.suffix(name.count).elementsEqual(name)
      }
      if let place {
        guard let value = text.value() else { return nil }
        values[place] = value
      } else {
        guard text.skipValue() else { return nil }
      }
    } while text.take(",")
    return text.take("}") && text.position == bytes.count ? values : nil
  }

  /// The text between two quotes with its escapes undone.
  static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
        text.append(byte)
        continue
      }
      guard letter == UInt8(ascii: "u") else {
        text.append(letter)
        continue
      }
      let digits = String(decoding: rest.prefix(4), as: UTF8.self)
      text.append(UInt8(digits, radix: 16) ?? 0)
      rest = rest.dropFirst(4)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  private mutating func object() -> [String: EventValue]? {
    var parameters: [String: EventValue] = [:]
    guard take("{") else { return nil }
    if take("}") { return position == bytes.count ? parameters : nil }
    repeat {
      guard let key = string(), take(":"), let value = value() else { return nil }
      parameters[key] = value
    } while take(",")
    return take("}") && position == bytes.count ? parameters : nil
  }

  /// Whether a value was next.
  private mutating func skipValue() -> Bool {
    if quoted() != nil { return true }
    let start = position
    skipNumber()
    return position > start
  }

  private mutating func skipNumber() {
    while position < bytes.count, bytes[position] != UInt8(ascii: ","),
      bytes[position] != UInt8(ascii: "}")
    { position += 1 }
  }

  private mutating func value() -> EventValue? {
    if let text = string() { return .string(text) }
    let start = position
    skipNumber()
    let digits = String(
      decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
    return Int64(digits).map { .integer($0) } ?? Double(digits).map { .double($0) }
  }

  /// The next text; nil, with nothing consumed, when no text is next.
  private mutating func string() -> String? {
    quoted().map { Self.decoded(UnsafeBufferPointer(rebasing: $0)) }
  }

  /// The bytes of the next text; nil, with nothing consumed, when no text is next.
  private mutating func quoted() -> Slice<UnsafeBufferPointer<UInt8>>? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < bytes.count else { return nil }
    defer { position = end + 1 }
    return bytes[position + 1..<end]
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }
}
