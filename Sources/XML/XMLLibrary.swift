import CLibXML2

/// Nothing can be written or read as XML.
package enum XMLUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's libxml2 cannot be loaded.
  case noLibrary(reason: String)
  case noMemory

  package var description: String {
    switch self {
    case .noLibrary(let reason):
      "HTML pages and feeds of reviews need libxml2, which cannot be loaded: \(reason). Install it, "
        + "on Debian with 'apt-get install libxml2'."
    case .noMemory: "There is no memory to write or read XML; free some."
    }
  }
}

/// The system's libxml2: `docs/decisions/007-libxml2.md`.
package enum XMLLibrary {
  /// Loads libxml2; must be called before any of its functions.
  static func load() throws(XMLUnavailable) {
    if let reason = firetally_xml_load() {
      throw .noLibrary(reason: String(cString: reason))
    }
  }

  /// `2.9.14`; libxml2 is loaded for it.
  package static var version: String {
    get throws(XMLUnavailable) {
      try load()
      return version(of: String(cString: firetally_xml_version()))
    }
  }

  /// The number that libxml2 calls its version, in parts: `20914-GIT...` is 2.9.14.
  static func version(of text: String) -> String {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number >= 10_000 else { return text }
    return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }
}
