import Feeds
package import Model
import Platform
package import Reports
package import Workspace

/// How a job of kind `digest` works; see `docs/jobs/digest.md`.
package struct DigestOptions: JobKind {
  package static let kind = JobKindName("digest")
  /// Except for a note of the sent mail: the mail goes out even if jobs failed or hold the lock.
  package static let isReadOnly = true

  /// Mail addresses; not empty.
  package var to: [String] = []
  /// A mail address; never nil with `smtp`.
  package var from: String?
  /// One line; nil for the beginning of the summary.
  package var subject: String?
  package var period = ReportPeriod.yesterday
  /// Nil when `command` sends the mail.
  package var smtp: SMTPAccount?
  /// A shell command that reads the mail from standard input, such as `/usr/sbin/sendmail -t -oi`;
  /// nil with `smtp`.
  package var command: String?

  /// The largest number of recipients; RFC 5321 section 4.5.3.1.8 guarantees 100.
  static let mostRecipients = 100
  /// The largest number of characters in a subject.
  static let longestSubject = 200

  package static let options = OptionKeys(
    DigestOptions(),
    [
      .custom(ConfigurationKey("to", .either([.text, .list(.text)]), isRequired: true)) {
        $1.to = $0.recipients("to")
      },
      .key(
        "from", \.from,
        .text(wanted: "a mail address such as you@example.com", where: MailMessage.isAddress)),
      .key(
        "subject", \.subject,
        .text(wanted: "one line of at most \(longestSubject) characters") { text in
          text.count <= longestSubject
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }),
      .custom(
        ConfigurationKey("period_days", .integer(ReportPeriod.dayCounts)),
        ConfigurationKey("period", .text, default: "yesterday")
      ) { $1.period = $0.reportPeriod() ?? $1.period },
      .section("smtp", \.smtp, SMTPAccount.options), .key("command", \.command, .text(.command)),
    ])

  package var secrets: [(key: String, source: SecretSource)] {
    // A command that prints the password is not run, since it may prompt for input.
    guard case .kept(let secret)? = smtp?.password else { return [] }
    return [(SMTPAccount.passwordKey, secret)]
  }

  package mutating func check(_ reader: MappingReader, job: String) {
    if let entry = reader.entry("command"), smtp != nil {
      reader.problem(entry, "cannot be used with smtp; keep one of the two")
    }
    guard let smtp else {
      if reader.entry("command") == nil {
        reader.missing(
          "smtp", "name a mail server, as smtp: {url: smtp://HOST:587}, or a command that sends")
      }
      return
    }
    if reader.entry("from") == nil { reader.missing("from", "a mail server wants a sender") }
    smtp.check(reader.mapping("smtp"))
  }

  /// Returns the route of the mail for the end of a sentence: `by mail.example.com:587`.
  func route(in workspace: Workspace) -> String {
    let program = command.flatMap {
      workspace.mayBeSecret($0) ? nil : CommandText.program(of: $0)
    }
    return "by \(smtp?.host ?? program ?? "a command")"
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    DigestWork(job: job, options: self, context: context)
  }
}

extension MappingReader {
  /// Reads one address, or a list of distinct addresses.
  fileprivate func recipients(_ key: String) -> [String] {
    guard let entry = entry(key) else {
      missing(key, "write a mail address, or a list of them")
      return []
    }
    let entries = entry.scalar == .list ? items(key) ?? [] : [entry]
    if entries.count > DigestOptions.mostRecipients {
      problem(entry, "has more than \(DigestOptions.mostRecipients) addresses")
    }
    return entries.reduce(into: []) { found, entry in
      guard let text = text(of: entry) else { return }
      guard MailMessage.isAddress(text) else {
        return wrongType(entry, wanted: "a mail address such as you@example.com, without a name")
      }
      guard !found.contains(text) else { return problem(entry, "is listed twice") }
      found.append(text)
    }
  }
}
