import Foundation
import Testing

@testable import Feeds

/// A mail as RFC 5322 and RFC 2047 write it.
struct MailMessageTests {
  @Test(arguments: [
    ("a@b", true), ("first.last+tag@mail.example.com", true), ("", false), ("a", false),
    ("@b", false), ("a@", false), ("a@b@c", false), ("a b@c", false), ("a@b\nBcc: c@d", false),
    ("-t@b", false), ("<a@b>", false), ("a@b,c@d", false), ("é@b", false),
  ])
  func `an address is one, without what begins a header or an option`(
    text: String, isAddress: Bool
  ) {
    #expect(MailMessage.isAddress(text) == isAddress)
  }

  @Test func `headers come first, then an empty line and the text`() {
    let source = MailMessage(to: "a@b", subject: "Chat: x fails", text: "One.\nTwo.\n").source
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
}
