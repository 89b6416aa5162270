import Crypto
import Feeds
import Model
import ReportWriters
import Reports
import Store
import Workspace

/// The work of the kind `digest`: mails the summary once a day; see `docs/jobs/digest.md`.
struct DigestWork: JobWork {
  let job: String
  let options: DigestOptions
  let context: JobContext

  func plan() throws -> String {
    if let sentence = alreadySent(try lastNote()) { return "\(sentence) Would send nothing." }
    return "Would send the summary to \(recipients) \(options.route(in: context.workspace))."
  }

  /// Sends the mail and then records it: a crash in between repeats the same mail.
  func perform(within budget: RunBudget) async throws -> JobResult {
    let last = try lastNote()
    if let sentence = alreadySent(last) { return JobResult(.fresh, sentence) }
    let isAgain = last?.day == day
    let count = isAgain ? (last?.count ?? 0) + 1 : 1
    let before = isAgain ? last?.summaryBefore : last?.summary
    let summary = try summary(after: before.flatMap { PastReport(decoding: Array($0.utf8)) })
    let said = try summary.past?.bytes()
    let warning = try await context.services.mail(try message(summary, count), options)
    let note = DigestNote(
      day: day, at: context.clock.now, count: count,
      summary: said.map { String(decoding: $0, as: UTF8.self) }, summaryBefore: before)
    try context.store.write { try $0.setMark(encoding: note, named: noteName) }
    var result = JobResult(.ok, "Sent to \(recipients) \(options.route(in: context.workspace)).")
    if let warning { result.warnings.append(.alert(warning)) }
    return result
  }

  /// Returns a sentence if the day's mail was sent; nil if it is due or forced.
  private func alreadySent(_ last: DigestNote?) -> String? {
    guard !context.options.isForced, let last, last.day == day else { return nil }
    return "The digest of \(day) was sent at \(last.at.iso8601); --force sends it again."
  }

  private func summary(after before: PastReport?) throws -> ReportSummary {
    var report = ReportOptions.last(in: context.catalog.jobs)
    report.period = options.period
    return try ReportWork(report, context).summary(after: before)
  }

  /// Returns the day's mail with this number, which starts at 1.
  private func message(_ summary: ReportSummary, _ number: Int) throws -> MailMessage {
    var message = MailMessage(
      to: options.to, subject: options.subject ?? summary.headline, text: summary.text,
      html: String(decoding: try summary.html(), as: UTF8.self))
    message.from = options.from
    message.date = context.clock.now
    message.id = messageId(number)
    return message
  }

  /// Returns a message id that stays the same when a mail is repeated, so that mail programs show
  /// it once.
  private func messageId(_ number: Int) -> String {
    let place = SHA256.digest(of: "\(context.workspace.root)\n\(job)".utf8).prefix(8)
    let again = number > 1 ? ".\(number)" : ""
    let domain = (options.from ?? options.to[0]).split(separator: "@").last ?? "localhost"
    return "\(day)\(again).\(SHA256.hexadecimal(Array(place)))@\(domain)"
  }

  private var day: String { LocalDay(of: context.now, in: context.config.timeZone).text }

  private var recipients: String {
    options.to.count == 1 ? options.to[0] : "\(options.to.count) addresses"
  }

  private var noteName: MarkName { "digest \(job)" }

  /// Nil before the first mail.
  private func lastNote() throws -> DigestNote? {
    try context.store.read { try $0.mark(DigestNote.self, named: noteName) }
  }
}

/// The record of a job's last mail.
private struct DigestNote: Codable {
  /// `2026-11-26`.
  var day: String
  var at: Instant
  /// The number of mails of the day; more than one with `--force`.
  var count: Int
  /// The figures of this mail and of the previous day's mail, as in `summary.json`; nil when
  /// unknown.
  ///
  /// They are stored as text: a summary of another version, which cannot be parsed, must not stop
  /// the mail.
  var summary: String?
  var summaryBefore: String?
}
