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
    if let sentence = try alreadySent() { return "\(sentence) Would send nothing." }
    return "Would send the summary to \(recipients) \(options.route.words)."
  }

  /// Notes the mail once the server has it: who dies in between sends the same one again.
  func perform(within budget: RunBudget) async throws -> JobResult {
    if let sentence = try alreadySent() { return JobResult(.fresh, sentence) }
    let warning = try await context.services.mail(try message(), options.route)
    let note = DigestNote(day: day, at: context.clock.now, count: try sentToday + 1)
    try context.store.write { try $0.setMetadata(encoding: note, named: noteName) }
    var result = JobResult(.ok, "Sent to \(recipients) \(options.route.words).")
    if let warning { result.alert(warning) }
    return result
  }

  /// A sentence when the day's mail was sent; nil when one is due, or wanted again.
  private func alreadySent() throws -> String? {
    guard !context.options.isForced, let note = try note(), note.day == day else { return nil }
    return "The digest of \(day) was sent at \(note.at.iso8601); --force sends it again."
  }

  private func message() throws -> MailMessage {
    var report = ReportOptions.last(in: context.catalog.jobs)
    report.period = options.period
    let summary = try ReportWork(report, context).summary()
    var message = MailMessage(
      to: options.to, subject: options.subject ?? summary.headline, text: summary.text,
      html: String(decoding: try summary.html(), as: UTF8.self))
    message.from = options.from
    message.date = context.clock.now
    message.id = try messageId()
    return message
  }

  /// The same for each try of a day, so that mail programs show a second arrival once.
  private func messageId() throws -> String {
    let place = SHA256.digest(of: "\(context.workspace.root)\n\(job)".utf8).prefix(8)
    let again = try sentToday > 0 ? ".\(try sentToday + 1)" : ""
    let domain = (options.from ?? options.to[0]).split(separator: "@").last ?? "localhost"
    return "\(day)\(again).\(SHA256.hexadecimal(Array(place)))@\(domain)"
  }

  /// Mails of this day that were sent; with `--force` there are several.
  private var sentToday: Int {
    get throws { try note().map { $0.day == day ? $0.count : 0 } ?? 0 }
  }

  /// The day in the time zone of the workspace.
  private var day: String { LocalDay(of: context.now, in: context.config.timeZone).text }

  private var recipients: String {
    options.to.count == 1 ? options.to[0] : "\(options.to.count) addresses"
  }

  private var noteName: String { "digest \(job)" }

  private func note() throws -> DigestNote? {
    try context.store.read { try $0.metadata(DigestNote.self, named: noteName) }
  }
}

/// What is remembered of the last mail of a job.
private struct DigestNote: Codable {
  /// `2026-11-26`.
  var day: String
  var at: Instant
  /// Mails of the day; at least 1.
  var count: Int
}
