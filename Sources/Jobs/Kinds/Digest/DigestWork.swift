import Crypto
import Feeds
import Model
import Reports
import Store

/// The kind `digest`: mails the summary, once a day; see `docs/jobs/digest.md`.
struct DigestWork: JobWork {
  /// The job's name.
  let job: String
  let options: DigestOptions
  let context: JobContext

  func plan() throws -> String {
    if let sentence = alreadySent(try sentToday()) { return "\(sentence) Would send nothing." }
    return "Would send the summary to \(recipients) \(options.route.words)."
  }

  /// Notes the mail once the server has it: who dies in between sends the same one again.
  func perform(within budget: RunBudget) async throws -> JobResult {
    let sent = try sentToday()
    if let sentence = alreadySent(sent) { return JobResult(.fresh, sentence) }
    let count = (sent?.count ?? 0) + 1
    let warning = try await context.services.mail(try message(count), options.route)
    let note = DigestNote(day: day, at: context.clock.now, count: count)
    try context.store.write { try $0.setMetadata(encoding: note, named: noteName) }
    var result = JobResult(.ok, "Sent to \(recipients) \(options.route.words).")
    if let warning { result.alert(warning) }
    return result
  }

  /// A sentence when the day's mail was sent; nil when one is due, or wanted again.
  private func alreadySent(_ sent: DigestNote?) -> String? {
    guard !context.options.isForced, let sent else { return nil }
    return "The digest of \(day) was sent at \(sent.at.iso8601); --force sends it again."
  }

  /// The mail of the day that has this number, from 1.
  private func message(_ number: Int) throws -> MailMessage {
    var report = ReportOptions.last(in: context.catalog.jobs)
    report.period = options.period
    let summary = try ReportWork(report, context).summary()
    var message = MailMessage(
      to: options.to, subject: options.subject ?? summary.headline, text: summary.text,
      html: String(decoding: try summary.html(), as: UTF8.self))
    message.from = options.from
    message.date = context.clock.now
    message.id = messageId(number)
    return message
  }

  /// The same for each try of a day, so that mail programs show a second arrival once.
  private func messageId(_ number: Int) -> String {
    let place = SHA256.digest(of: "\(context.workspace.root)\n\(job)".utf8).prefix(8)
    let again = number > 1 ? ".\(number)" : ""
    let domain = (options.from ?? options.to[0]).split(separator: "@").last ?? "localhost"
    return "\(day)\(again).\(SHA256.hexadecimal(Array(place)))@\(domain)"
  }

  /// The day in the time zone of the workspace.
  private var day: String { LocalDay(of: context.now, in: context.config.timeZone).text }

  private var recipients: String {
    options.to.count == 1 ? options.to[0] : "\(options.to.count) addresses"
  }

  private var noteName: String { "digest \(job)" }

  /// What is noted of this day's mails; nil before the first.
  private func sentToday() throws -> DigestNote? {
    let note = try context.store.read { try $0.metadata(DigestNote.self, named: noteName) }
    return note?.day == day ? note : nil
  }
}

/// What is remembered of the last mail of a job.
private struct DigestNote: Codable {
  /// `2026-11-26`.
  var day: String
  var at: Instant
  /// Mails of the day, with `--force` more than one.
  var count: Int
}
