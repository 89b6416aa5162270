/// Percent-encoding of URL parts, RFC 3986.
package enum PercentEncoding {
  /// Encodes one path segment, `/`, `?`, `#`, `%`, `:` and spaces included.
  ///
  /// Parentheses stay: every Google client sends `(default)` literally.
  package static func path(_ segment: String) -> String { encode(segment, keeping: "()") }

  /// Encodes a name or a value of a query string or a form; a space becomes `%20`.
  package static func query(_ text: String) -> String { encode(text, keeping: "") }

  /// Not by libcurl, which takes at most 8 MB: a token of a page may be longer.
  private static func encode(_ text: String, keeping kept: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      if isUnreserved(byte) || byte < 0x80 && kept.unicodeScalars.contains(scalar) {
        encoded.unicodeScalars.append(scalar)
      } else {
        encoded += byte < 16 ? "%0" : "%"
        encoded += String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }

  /// RFC 3986 section 2.3.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

extension String {
  /// A base URL to which a path can be appended.
  package var withoutTrailingSlashes: String {
    var text = self[...]
    while text.last == "/" { text.removeLast() }
    return String(text)
  }
}
