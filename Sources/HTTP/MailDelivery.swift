import CCurl

/// A mail, and the SMTP server that takes it.
package struct MailDelivery: Sendable {
  /// The sender, for the server.
  package struct Login: Sendable {
    package var user: String
    package var password: String

    package init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  static let schemes: Set = ["smtp", "smtps"]
  /// Servers look at a mail before they say that they have it.
  ///
  /// RFC 5321 section 4.5.3.2.6 gives them ten minutes, and the job of the manual has five. Silence
  /// counts as the whole.
  static let timeouts = HTTPTimeouts(stall: .seconds(270), total: .seconds(270))

  /// `smtp://` or `smtps://` with host and, unless it is 25 or 465, port.
  package var url: String
  /// Nil for a server that asks for none.
  package var login: Login?
  /// The address that a mail which cannot be delivered returns to.
  package var sender: String
  /// All get it, or none does; not empty.
  package var recipients: [String]
  /// Header and body, with CRLF after each line.
  package var message: [UInt8]

  package init(
    to url: String, login: Login?, sender: String, recipients: [String], message: [UInt8]
  ) {
    self.url = url
    self.login = login
    self.sender = sender
    self.recipients = recipients
    self.message = message
  }

  /// Host name and port, as errors name the server; nil for a URL that is none of SMTP.
  package static func host(of url: String) -> String? {
    do {
      return try ParsedURL(url, schemes: schemes).host
    } catch {
      return nil
    }
  }
}

extension HTTPClient {
  /// Hands a mail to an SMTP server, once.
  ///
  /// The connection is encrypted before the mail and the login are sent, by TLS from its start
  /// (`smtps`) or by STARTTLS, unless the server is this machine. Cancelling the task ends it
  /// within a second or two: libcurl waits for the last answer by blocking, and asks about each
  /// second.
  ///
  /// - Throws: `HTTPError`; after `.timedOut`, `.cutShort` and `.cancelled` the server may have the
  ///   mail all the same.
  package func send(_ mail: MailDelivery) async throws {
    _ = try await transfer(try HTTPExchange(mail))
  }
}

extension MailDelivery {
  /// What a failure means by what the server said last; nil for what HTTP has as well.
  func error(of code: CURLcode, after line: String, host: String) -> HTTPError? {
    if let status = Int(line.prefix(3)), (400...599).contains(status) {
      var answer = String(line.dropFirst(4))
      if let password = login?.password { answer = answer.replacing(password, with: "***") }
      answer = QuotedText.clipped(answer)
      while answer.last == "." { answer.removeLast() }
      return .mailRefused(host: host, status: status, answer: answer)
    }
    switch code {
    case CURLE_USE_SSL_FAILED:
      return .tls(
        host: host, reason: "it offers no STARTTLS there; try port 587, or smtps:// with port 465")
    case CURLE_LOGIN_DENIED:
      return .other(
        host: host, code: Int(code.rawValue),
        message:
          "it offers no login that is known here; check the user, the password, and that the "
          + "account may send mail")
    default: return nil
    }
  }
}

/// The SMTP server's last answer, except its goodbye, which follows a refusal without a reason.
struct MailResponse {
  /// In one line: the status, and what all lines of the answer say.
  private(set) var text = ""
  private var hasMore = false

  /// A line without its end: `550-5.1.1 No such user`, where another one follows.
  mutating func add(_ line: String) {
    guard !line.hasPrefix("221") else { return }
    if hasMore {
      // Each line repeats the code of RFC 2034.
      let code = text.dropFirst(4).prefix { $0.isNumber || $0 == "." || $0 == " " }
      text += " " + line.dropFirst(4).trimmingPrefix(code)
    } else {
      text = line
    }
    hasMore = line.dropFirst(3).first == "-"
  }
}

extension EasyOptions {
  /// Sets the options of a mail; the list of recipients must live as long as the handle.
  mutating func apply(
    _ mail: MailDelivery, to recipients: UnsafeMutablePointer<curl_slist>?, isLoopback: Bool
  ) {
    record(firetally_curl_allow_only_mail(easy))
    // A local server's certificate is of another name, or of nobody.
    let encryption = isLoopback ? CURLUSESSL_NONE : CURLUSESSL_ALL
    set(CURLOPT_USE_SSL, Int(encryption.rawValue))
    if let login = mail.login {
      set(CURLOPT_USERNAME, login.user)
      set(CURLOPT_PASSWORD, login.password)
    }
    set(CURLOPT_MAIL_FROM, mail.sender)
    set(CURLOPT_MAIL_RCPT, recipients)
    // Where it is not set, libcurl waits two minutes.
    set(CURLOPT_SERVER_RESPONSE_TIMEOUT, MailDelivery.timeouts.total.curlSeconds)
    set(CURLOPT_UPLOAD, 1)
    set(CURLOPT_INFILESIZE_LARGE, offset: mail.message.count)
  }
}
