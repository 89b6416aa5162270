import Foundation
package import Model

/// A mail as RFC 5322 writes it, with UTF-8 and without any file.
package struct MailMessage: Hashable, Sendable {
  package var to: [String]
  package var subject: String
  package var text: String
  /// The same as `text` for programs that show HTML; nil for none.
  package var html: String?
  /// Nil leaves it to the mail server of the machine; so do the next two.
  package var from: String?
  package var date: Instant?
  /// Without its angle brackets; programs show mails of one id once.
  package var id: String?

  package init(to: [String], subject: String, text: String, html: String? = nil) {
    self.to = to
    self.subject = subject
    self.text = text
    self.html = html
  }

  /// Bytes of a line without its end, RFC 5322 section 2.1.1; servers refuse longer ones.
  static let longestLine = 998

  /// Bytes of an address; RFC 5321 section 4.5.3.1.3, less its brackets.
  package static let longestAddress = 254

  /// Whether a text is one mail address, without a name and without what could begin a header.
  package static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= longestAddress
      && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"<>()[]\\,;:\"".utf8.contains($0) }
      && !text.hasPrefix("-")
  }

  /// Header and body, with line feeds as a local mail server takes them.
  package var source: String { head + body }

  /// The same with CRLF after each line, as RFC 5321 wants it.
  package var wireBytes: [UInt8] {
    let whole = source.hasSuffix("\n") ? source : source + "\n"
    return Array(whole.replacing("\n", with: "\r\n").utf8)
  }

  private var head: String {
    let fields: [(String, String?)] = [
      ("From", from), ("To", to.joined(separator: ",\n ")), ("Subject", Self.encoded(subject)),
      ("Date", date.map(Self.dateText)), ("Message-ID", id.map { "<\($0)>" }),
      ("MIME-Version", "1.0"),
    ]
    return fields.compactMap { name, value in value.map { "\(name): \($0)\n" } }.joined()
  }

  /// No line of quoted-printable text has it: RFC 2045 section 6.7.
  private static let boundary = "=_firetally"

  private var body: String {
    guard let html else {
      let isLong = text.utf8.split(separator: UInt8(ascii: "\n")).contains {
        $0.count > Self.longestLine
      }
      return """
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: \(isLong ? "quoted-printable" : "8bit")
        Auto-Submitted: auto-generated

        \(isLong ? QuotedPrintable.text(of: text) : text)
        """
    }
    let parts = [("plain", text), ("html", html)].map { type, content in
      """
      --\(Self.boundary)
      Content-Type: text/\(type); charset=utf-8
      Content-Transfer-Encoding: quoted-printable

      \(QuotedPrintable.text(of: content))
      """
    }
    return """
      Auto-Submitted: auto-generated
      Content-Type: multipart/alternative; boundary="\(Self.boundary)"

      \(parts.joined(separator: "\n"))
      --\(Self.boundary)--

      """
  }

  /// `Thu, 26 Nov 2026 06:40:00 +0000`.
  private static func dateText(_ instant: Instant) -> String {
    let (wall, time) = (WallTime(instant, in: .gmt), instant.iso8601.dropFirst(11).dropLast())
    let names = (
      days: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
      months: [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
      ]
    )
    let date = wall.day.iso8601.split(separator: "-")
    return "\(names.days[wall.weekday - 1]), \(date[2]) \(names.months[Int(wall.day.month) - 1]) "
      + "\(date[0]) \(time) +0000"
  }

  /// A header's text: as it is when it is short ASCII, else in encoded words of RFC 2047.
  static func encoded(_ text: String) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    let isPlain = line.utf8.count <= 60 && line.utf8.allSatisfy { $0 >= 32 && $0 < 127 }
    guard !isPlain else { return line }
    var words: [String] = []
    var word = ""
    // A line of encoded words has at most 76 characters: 9 of "Subject: ", 12 of the word's frame,
    // and 4 for each 3 bytes.
    for scalar in line.unicodeScalars {
      if word.utf8.count + scalar.utf8.count > 39 {
        words.append(word)
        word = ""
      }
      word.unicodeScalars.append(scalar)
    }
    return (words + [word]).map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }
      .joined(separator: "\n ")
  }
}

/// Text in the lines of ASCII that every mail server passes on: RFC 2045 section 6.7.
enum QuotedPrintable {
  /// Characters of a line, the sign of its continuation included.
  static let longestLine = 76

  /// The text with its line feeds, each line in pieces of at most 76 characters.
  static func text(of text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { pieces(of: Array($0.utf8)).joined(separator: "=\n") }.joined(separator: "\n")
  }

  private static func pieces(of line: [UInt8]) -> [String] {
    var pieces = [""]
    for (index, byte) in line.enumerated() {
      let isLast = index == line.count - 1
      let token = token(of: byte, isAlone: line.count == 1, isLast: isLast)
      if pieces[pieces.count - 1].utf8.count + token.utf8.count > longestLine - (isLast ? 0 : 1) {
        pieces.append("")
      }
      pieces[pieces.count - 1] += token
    }
    return pieces
  }

  /// Servers drop blanks at the end of a line, and take a dot alone for the end of the mail.
  private static func token(of byte: UInt8, isAlone: Bool, isLast: Bool) -> String {
    let isBlank = byte == 0x20 || byte == 0x09
    let isPlain =
      isBlank ? !isLast : (0x21...0x7E).contains(byte) && byte != 0x3D && !(byte == 0x2E && isAlone)
    guard !isPlain else { return String(UnicodeScalar(byte)) }
    let hexadecimal = String(byte, radix: 16, uppercase: true)
    return "=" + (hexadecimal.count == 1 ? "0" : "") + hexadecimal
  }
}
