import Fixtures
import Testing

@testable import HTTP

/// What is said to an SMTP server: docs/jobs/digest.md#smtp.
struct MailDeliveryTests {
  private func delivery(
    to url: String, login: MailDelivery.Login? = nil, recipients: [String] = ["b@test.invalid"]
  ) -> MailDelivery {
    MailDelivery(
      to: url, login: login, sender: "a@test.invalid", recipients: recipients,
      message: Array("Subject: x\r\n\r\n.dot\r\nEnd\r\n".utf8))
  }

  private func error(
    _ refusals: [String: String], login: MailDelivery.Login? = nil
  ) async throws -> HTTPError? {
    let server = try SMTPServer(refusals: refusals)
    return await #expect(throws: HTTPError.self) {
      try await HTTPClient().send(delivery(to: server.url, login: login))
    }
  }

  @Test func `one mail goes to all recipients, byte for byte`() async throws {
    let server = try SMTPServer()
    try await HTTPClient().send(
      delivery(to: server.url, recipients: ["b@test.invalid", "c@test.invalid"]))
    let said = server.lines.filter { !$0.hasPrefix("EHLO") && $0 != "QUIT" }
    #expect(said.count == 4 && said[0].hasPrefix("MAIL FROM:<a@test.invalid>"), "\(said)")
    #expect(said.dropFirst() == ["RCPT TO:<b@test.invalid>", "RCPT TO:<c@test.invalid>", "DATA"])
    #expect(server.mails == ["Subject: x\r\n\r\n.dot\r\nEnd\r\n"])
  }

  @Test func `a refused recipient is an error, and nobody gets the mail`() async throws {
    let server = try SMTPServer(refusals: ["RCPT TO:<c@": "550 5.1.1 No such user."])
    let error = await #expect(throws: HTTPError.self) {
      try await HTTPClient().send(
        delivery(to: server.url, recipients: ["b@test.invalid", "c@test.invalid"]))
    }
    #expect(
      error
        == .mailRefused(
          host: "127.0.0.1:\(server.port)", status: 550, answer: "5.1.1 No such user"))
    #expect(error?.isTransient == false && server.mails.isEmpty)
  }

  @Test(arguments: [("450 4.7.1 later", true), ("554 5.7.1 spam", false)])
  func `an answer after the mail counts, and only 4xx is tried again`(
    answer: String, isTransient: Bool
  ) async throws {
    let error = try await error([".": answer])
    guard case .mailRefused(_, let status, _) = error else {
      Issue.record("not refused: \(String(describing: error))")
      return
    }
    #expect("\(status)" == answer.prefix(3) && error?.isTransient == isTransient)
  }

  @Test func `a login is told only to this machine without TLS`() async throws {
    let login = MailDelivery.Login(user: "me", password: "pa55word")
    let server = try SMTPServer()
    try await HTTPClient().send(delivery(to: server.url, login: login))
    #expect(server.lines.contains { $0.hasPrefix("AUTH PLAIN") })
    // The same machine by an address that is not known as its own.
    let other = try SMTPServer()
    let error = await #expect(throws: HTTPError.self) {
      try await HTTPClient().send(delivery(to: "smtp://0.0.0.0:\(other.port)", login: login))
    }
    guard case .tls = error else {
      Issue.record("not TLS: \(String(describing: error))")
      return
    }
    #expect(!other.lines.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
    #expect(other.mails.isEmpty && String(describing: error).contains("STARTTLS"))
  }

  @Test func `a refused login says what to check, without the password`() async throws {
    let login = MailDelivery.Login(user: "me", password: "pa55word")
    let error = try await error(["AUTH": "535 5.7.8 pa55word is wrong"], login: login)
    let text = String(describing: error)
    #expect(text.contains("535 5.7.8 *** is wrong. Check the user, the password"), "\(text)")
    #expect(!text.contains("pa55word"))
  }

  @Test(arguments: [
    ("EHLO", "250-test\r\n250 AUTH XOAUTH2", "offers no login that is known here; check the user"),
    (
      "MAIL", "530 5.7.0 Must issue a STARTTLS command first",
      "command first. Name the machine by its host name"
    ),
    ("MAIL", "530 5.7.0 Authentication required", "required. Check the user, the password"),
    (
      "MAIL", "550-5.1.1 The account does not\r\n550-5.1.1 exist.\r\n550 5.1.1 More: https://x",
      "did not take the mail: 550 5.1.1 The account does not exist. More: https://x. Check the"
    ),
    ("MAIL", "550-5 mails\r\n550 are enough", ": 550 5 mails are enough. Check"),
    ("MAIL", "550-No such user\r\n550 here\r\n221 bye", ": 550 No such user here. Check"),
  ])
  func `an error has all that the server answered, and what to check`(
    line: String, answer: String, words: String
  ) async throws {
    let login = MailDelivery.Login(user: "me", password: "pa55word")
    let text = String(
      describing: try await error([line: answer], login: line == "EHLO" ? login : nil))
    #expect(text.contains(words), "\(text)")
  }

  @Test func `a password is hidden also where a long answer is cut`() async throws {
    let login = MailDelivery.Login(user: "me", password: "pa55word")
    let answer =
      String(repeating: "x", count: 1_796) + "pa55word" + String(repeating: "y", count: 400)
    let text = String(describing: try await error(["AUTH": "535 \(answer)"], login: login))
    #expect(!text.contains("pa5") && text.contains("…"), "\(text)")
  }

  @Test func `a server that has the mail and does not answer holds up nobody who cancels`()
    async throws
  {
    let server = try SMTPServer(refusals: [".": ""])
    let task = Task { try await HTTPClient().send(delivery(to: server.url)) }
    while server.mails.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    let began = ContinuousClock.now
    task.cancel()
    await #expect(throws: HTTPError.cancelled(host: "127.0.0.1:\(server.port)")) {
      try await task.value
    }
    #expect(ContinuousClock.now - began < .seconds(20))
  }

  @Test func `a mail may take four and a half minutes, also when the server is silent`() {
    #expect(MailDelivery.timeouts.total == .seconds(270))
    #expect(MailDelivery.timeouts.stall == MailDelivery.timeouts.total)
  }

  @Test(arguments: [
    ("smtp://mail.test:587", "mail.test:587"), ("smtps://mail.test", "mail.test:465"),
    ("smtp://mail.test", "mail.test:25"), ("https://mail.test", nil), ("mail.test", nil),
  ])
  func `an address of SMTP has a host and a port`(url: String, host: String?) {
    #expect(MailDelivery.host(of: url) == host)
  }
}
