/// Why a request got no response.
///
/// No case contains a header value, a body or a query. `host` is a host name with its port.
package enum HTTPError: Error, Hashable, Sendable {
  /// The timeout that passed; see `HTTPTimeouts`.
  package enum Phase: String, Sendable {
    case connect, stall, total
  }

  /// The request was never sent.
  case invalidRequest(reason: String)
  case resolveFailed(host: String)
  /// No connection could be opened.
  case refused(host: String)
  case timedOut(host: String, phase: Phase, after: Duration)
  /// The handshake failed, the certificate is not trusted, or the CA file cannot be read.
  case tls(host: String, reason: String)
  /// The decoded body exceeds the limit; nothing of it is returned.
  case tooLarge(host: String, limit: Int)
  /// The response's headers exceed the limit.
  case headersTooLarge(host: String, limit: Int)
  /// The connection ended before the response did; whether the server acted is unknown.
  case cutShort(host: String, reason: String)
  /// The response is not HTTP, or its encoding is broken.
  case malformed(host: String, reason: String)
  case tooManyRedirects(host: String, limit: Int)
  case redirectRefused(host: String, reason: String)
  /// An SMTP server answered with a status of 400 or more, and has not taken the mail.
  case mailRefused(host: String, status: Int, answer: String)
  /// The task was cancelled; whether the server acted is unknown.
  case cancelled(host: String)
  /// Any other error, with libcurl's code and text.
  case other(host: String, code: Int, message: String)

  /// Whether the same request may succeed later without a change on either side.
  package var isTransient: Bool {
    switch self {
    case .resolveFailed, .refused, .timedOut, .cutShort, .malformed: true
    case .mailRefused(_, let status, _): status < 500
    case .invalidRequest, .tls, .tooLarge, .headersTooLarge, .tooManyRedirects,
      .redirectRefused, .cancelled, .other:
      false
    }
  }

  /// The host that was asked, with its port; nil when no request was made.
  package var host: String? {
    switch self {
    case .invalidRequest: nil
    case .resolveFailed(let host), .refused(let host), .timedOut(let host, _, _),
      .tls(let host, _), .tooLarge(let host, _), .headersTooLarge(let host, _),
      .cutShort(let host, _), .malformed(let host, _), .tooManyRedirects(let host, _),
      .redirectRefused(let host, _), .mailRefused(let host, _, _), .cancelled(let host),
      .other(let host, _, _):
      host
    }
  }

  /// Whether the server accepted the connection and then sent too little for too long.
  package var isSilence: Bool {
    guard case .timedOut(_, let phase, _) = self else { return false }
    return phase != .connect
  }
}

extension HTTPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalidRequest(let reason):
      "The request was not sent: \(reason)."
    case .resolveFailed(let host) where host.hasPrefix(Self.proxyPrefix):
      "The host name of \(host) could not be resolved. Check the variables https_proxy, http_proxy "
        + "and all_proxy, and the network."
    case .resolveFailed(let host):
      "The host name \(host.prefix { $0 != ":" }) could not be resolved. Check its spelling and "
        + "the network."
    case .refused(let host):
      "\(host) could not be reached: no connection was accepted. Check that the server runs, and "
        + "the host, port, firewall and proxy."
    case .timedOut(let host, let phase, let duration):
      "\(host) timed out: \(phase.sentence(duration)). Try again later, or check the network."
    case .tls(let host, let reason):
      "No secure connection to \(host): \(reason). Check the URL and the clock; name a private "
        + "certificate authority with --cacert or firestore.ca_file in firetally.yml."
    case .tooLarge(let host, let limit):
      "\(host) sent more than the \(limit) bytes allowed. Ask for less at a time."
    case .headersTooLarge(let host, let limit):
      "\(host) sent headers of more than the \(limit) bytes allowed. Check its address and any "
        + "proxy in between."
    case .cutShort(let host, let reason):
      "The connection to \(host) ended before the answer did (\(reason)). Try again."
    case .malformed(let host, let reason):
      "\(host) sent an answer that cannot be understood (\(reason)). Check the address, its port "
        + "and any proxy in between."
    case .tooManyRedirects(let host, let limit):
      "\(host) redirected more than \(limit) times. Check the URL."
    case .redirectRefused(let host, let reason):
      "\(host) answered with a redirect that is not followed: \(reason). Check the URL."
    case .mailRefused(let host, let status, let answer):
      "\(host) did not take the mail: \(status) \(answer). \(Self.mailAdvice(status, answer))"
    case .cancelled(let host):
      "The request to \(host) was cancelled."
    case .other(let host, let code, let message):
      "The request to \(host) failed: \(message) (libcurl error \(code))."
    }
  }
}

extension HTTPError {
  /// What stands before the host in a failure of the proxy.
  static let proxyPrefix = "the proxy for "

  /// What to do after an SMTP server's answer: RFC 5321 section 4.2, RFC 4954 section 6.
  private static func mailAdvice(_ status: Int, _ answer: String) -> String {
    switch status {
    case ..<500: "Send it again later."
    // Only to this machine is nothing encrypted.
    case 530 where answer.contains("STARTTLS"):
      "Name the machine by its host name, for which it has a certificate, or take its port 25."
    case 530, 534, 535, 538: "Check the user, the password, and that the account may send mail."
    default: "Check the addresses of sender and recipients, and that the server may send for them."
    }
  }
}

extension HTTPError.Phase {
  fileprivate func sentence(_ duration: Duration) -> String {
    switch self {
    case .connect: "no connection within \(duration)"
    case .stall: "almost nothing arrived for \(duration)"
    case .total: "the answer was not complete within \(duration)"
    }
  }
}

/// What a server sent, as messages quote it: `docs/commands.md#log-lines`.
package enum QuotedText {
  /// Code points of a quote.
  package static let longest = 2_000
  /// Those of them that are the end of a longer text.
  package static let longestEnd = 200

  /// The text on one line; of a longer one its beginning and its end, with `…` for the rest.
  ///
  /// A line break would begin a line of the log that looks like another, NUL ends a text for much
  /// that reads it, and an escape acts on a terminal: a space or a visible sign stands for them.
  package static func clipped(_ text: String) -> String {
    guard text.utf8.count > longest else { return onOneLine(text) }
    let scalars = text.unicodeScalars
    guard scalars.count > longest else { return onOneLine(text) }
    return onOneLine(
      String(scalars.prefix(longest - 1 - longestEnd)) + "…" + String(scalars.suffix(longestEnd)))
  }

  private static func onOneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { sign(for: $0) != nil }) else { return text }
    var line = String.UnicodeScalarView()
    for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
      line.append(sign(for: scalar) ?? scalar)
    }
    return String(line)
  }

  /// What stands for a scalar that ends or acts on a line; nil for another.
  private static func sign(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: " "
    // The control pictures.
    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value)
    case 0x7F: "\u{2421}"
    case 0x80...0x9F: "\u{FFFD}"
    default: nil
    }
  }
}
