import CLibXML2

/// The system's libxml2: `docs/decisions/007-libxml2.md`.
package enum XMLLibrary {
  /// `2.9.14`.
  package static var version: String { version(of: String(cString: firetally_xml_version())) }

  /// The number that libxml2 calls its version, in parts: `20914-GIT...` is 2.9.14.
  static func version(of text: String) -> String {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number >= 10_000 else { return text }
    return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }
}
