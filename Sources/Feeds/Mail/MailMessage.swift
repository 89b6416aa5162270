import Foundation

/// A mail as RFC 5322 writes it, with UTF-8 and without any file.
package struct MailMessage: Hashable, Sendable {
  package var to: String
  package var subject: String
  package var text: String

  package init(to: String, subject: String, text: String) {
    self.to = to
    self.subject = subject
    self.text = text
  }

  /// Whether a text is one mail address, without a name and without what could begin a header.
  package static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"<>()[]\\,;:\"".utf8.contains($0) }
      && !text.hasPrefix("-")
  }

  /// Header and body, with line feeds as a local mail server takes them.
  package var source: String {
    """
    To: \(to)
    Subject: \(Self.encoded(subject))
    MIME-Version: 1.0
    Content-Type: text/plain; charset=utf-8
    Content-Transfer-Encoding: 8bit
    Auto-Submitted: auto-generated

    \(text)
    """
  }

  /// A header's text: as it is when it is short ASCII, else in encoded words of RFC 2047.
  static func encoded(_ text: String) -> String {
    let line = text.map { $0.isNewline ? " " : $0 }.reduce(into: "") { $0.append($1) }
    let isPlain = line.utf8.count <= 60 && line.utf8.allSatisfy { $0 >= 32 && $0 < 127 }
    guard !isPlain else { return line }
    var words: [String] = []
    var word = ""
    // An encoded word has at most 75 characters, of which 12 are its frame.
    for character in line {
      if (word + String(character)).utf8.count > 45 {
        words.append(word)
        word = ""
      }
      word.append(character)
    }
    return (words + [word]).map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }
      .joined(separator: "\n ")
  }
}
