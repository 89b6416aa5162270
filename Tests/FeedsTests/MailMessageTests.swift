import Foundation
import Model
import Testing

@testable import Feeds

/// A mail as RFC 5322 and RFC 2047 write it.
struct MailMessageTests {
  @Test(arguments: [(MailMessage.longestLine, false), (MailMessage.longestLine + 1, true)])
  func `a line that servers refuse is sent in pieces`(bytes: Int, isEncoded: Bool) {
    let text = "One.\n" + String(repeating: "x", count: bytes) + "\n"
    let source = MailMessage(to: ["a@b"], subject: "x", text: text).source
    #expect(source.contains("quoted-printable") == isEncoded)
    #expect(source.contains("8bit") != isEncoded)
    #expect(source.split(separator: "\n").allSatisfy { $0.utf8.count <= 998 })
  }

  @Test(arguments: [
    ("a@b", true), ("first.last+tag@mail.example.com", true), ("", false), ("a", false),
    ("@b", false), ("a@", false), ("a@b@c", false), ("a b@c", false), ("a@b\nBcc: c@d", false),
    ("a@" + String(repeating: "b", count: 252), true),
    ("a@" + String(repeating: "b", count: 253), false),
    ("-t@b", false), ("<a@b>", false), ("a@b,c@d", false), ("é@b", false),
  ])
  func `an address is one, without what begins a header or an option`(
    text: String, isAddress: Bool
  ) {
    #expect(MailMessage.isAddress(text) == isAddress)
  }

  @Test func `headers come first, then an empty line and the text`() {
    let source = MailMessage(to: ["a@b"], subject: "Chat: x fails", text: "One.\nTwo.\n").source
    let parts = source.split(separator: "\n\n", maxSplits: 1).map(String.init)
    #expect(parts.count == 2 && parts[1] == "One.\nTwo.\n")
    #expect(parts[0].hasPrefix("To: a@b\nSubject: Chat: x fails\n"))
  }

  @Test func `a subject never ends its line, and is encoded when it is long or not ASCII`() {
    #expect(MailMessage.encoded("a\nBcc: b") == "a Bcc: b")
    let text = String(repeating: "Ünïcödé ", count: 20)
    let lines = MailMessage.encoded(text).split(separator: "\n")
    #expect(lines.count > 1 && lines.allSatisfy { $0.utf8.count <= 76 })
    let words = lines.map { $0.drop { $0 == " " }.dropFirst("=?utf-8?B?".count).dropLast(2) }
    let bytes = words.compactMap { Data(base64Encoded: String($0)) }.reduce(Data(), +)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
    let plain = String(repeating: "x", count: 60)
    #expect(MailMessage.encoded(plain) == plain)
    #expect(MailMessage.encoded(plain + "x").hasPrefix("=?utf-8?B?"))
  }

  @Test(arguments: [
    String(repeating: "x", count: 200), String(repeating: "é", count: 40),
    "é" + String(repeating: "\u{301}", count: 60), String(repeating: "👩‍👩‍👧‍👦", count: 9),
  ])
  func `no line of a subject has more than 76 characters with its name, or an empty word`(
    subject: String
  ) {
    let source = MailMessage(to: ["a@b"], subject: subject, text: "").source
    let lines = source.split(separator: "\nMIME")[0].split(separator: "\n").dropFirst()
    #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 76 }, "\(lines)")
    #expect(!lines.contains { $0.contains("=?utf-8?B??=") })
    let bytes = lines.compactMap { line in
      Data(base64Encoded: String(line.split(separator: "?")[3]))
    }
    #expect(String(decoding: bytes.reduce(Data(), +), as: UTF8.self) == subject)
  }

  @Test func `text and HTML are one mail of lines that every server passes on`() {
    var message = MailMessage(
      to: ["a@b", "c@d"], subject: "Chat", text: "★ 1 = 1 \n", html: "<p>é</p>\n")
    message.from = "e@f"
    message.date = Instant(unixSeconds: 1_764_146_838)
    message.id = "1@f"
    #expect(
      message.source == """
        From: e@f
        To: a@b,
         c@d
        Subject: Chat
        Date: Wed, 26 Nov 2025 08:47:18 +0000
        Message-ID: <1@f>
        MIME-Version: 1.0
        Auto-Submitted: auto-generated
        Content-Type: multipart/alternative; boundary="=_firetally"

        --=_firetally
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: quoted-printable

        =E2=98=85 1 =3D 1=20

        --=_firetally
        Content-Type: text/html; charset=utf-8
        Content-Transfer-Encoding: quoted-printable

        <p>=C3=A9</p>

        --=_firetally--

        """)
    let lines = String(decoding: message.wireBytes, as: UTF8.self).components(separatedBy: "\r\n")
    #expect(lines.last == "" && !lines.contains { $0.contains("\n") })
  }

  @Test(arguments: [
    ("", ""), (".", "=2E"), (".a", ".a"), ("a ", "a=20"), ("a b", "a b"), ("\u{7F}", "=7F"),
    ("=", "=3D"), (String(repeating: "x", count: 76), String(repeating: "x", count: 76)),
    (
      String(repeating: "x", count: 77),
      String(repeating: "x", count: 75) + "=\n" + String(repeating: "x", count: 2)
    ),
    (
      String(repeating: "x", count: 74) + "é",
      String(repeating: "x", count: 74) + "=\n=C3=A9"
    ),
  ])
  func `quoted-printable text has lines of at most 76 characters`(text: String, quoted: String) {
    #expect(QuotedPrintable.text(of: text) == quoted)
  }
}
