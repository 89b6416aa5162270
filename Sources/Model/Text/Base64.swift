import FoundationEssentials

/// Base64, RFC 4648: writes the standard alphabet, reads both alphabets with or without padding.
package enum Base64 {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(Array(bytes)).base64EncodedString()
  }

  /// Encodes in the URL-safe alphabet without padding, as JSON Web Tokens do.
  package static func encodeForURL(_ bytes: some Sequence<UInt8>) -> String {
    String(encode(bytes).prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }

  /// Decodes the URL-safe alphabet without padding (RFC 7515, 2); nil for another text.
  package static func decodeFromURL(_ text: some Sequence<UInt8>) -> [UInt8]? {
    let text = String(decoding: Array(text), as: UTF8.self)
    return text.utf8.contains { "+/=".utf8.contains($0) } ? nil : decode(text)
  }

  /// Decodes a text; nil for characters of neither alphabet, wrong padding, or an impossible
  /// length.
  ///
  /// Padding is checked here, since it may be missing and Foundation accepts it in the middle.
  package static func decode(_ text: String) -> [UInt8]? {
    let (plus, slash, equals) = (UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="))
    let digits = text.utf8.prefix { $0 != equals }
    let padding = repeatElement(equals, count: (4 - digits.count % 4) % 4)
    let rest = text.utf8.dropFirst(digits.count)
    guard padding.count < 3, rest.isEmpty || rest.elementsEqual(padding) else { return nil }
    let standard = digits.map {
      $0 == UInt8(ascii: "-") ? plus : $0 == UInt8(ascii: "_") ? slash : $0
    }
    return Data(base64Encoded: Data(standard + padding)).map(Array.init)
  }
}
