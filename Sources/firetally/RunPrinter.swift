import App
import Foundation
import Jobs
import Model
import Reports
import Store
import Synchronization
import Workspace

/// A printer of the outcomes of a command's jobs, which also derives the exit status.
final class RunPrinter: Sendable {
  private let output: Output
  private let log: LineLog
  private let store: Store
  private let clock: WorkspaceClock
  private let tellsOutagesOnce: Bool
  private let tellsAlways: Bool
  /// Whether a job may fail silently, if its incident was already reported.
  private let maySayNothing: @Sendable (_ job: String) -> Bool
  /// The printed alerts: each warning is printed once, not by each job.
  private let alerts = Mutex<Set<String>>([])
  private let ended = Mutex<Set<String>>([])

  var endedJobs: Set<String> { ended.withLock(\.self) }

  /// An outage may be reported only at its start and its end if cron may have started the command.
  ///
  /// Other commands report each failure, because somebody waits for them. `tellsAlways` prints the
  /// line of a run even without a terminal. `maySayNothing` decides for a job whose outage is
  /// reported once.
  init(
    _ invocation: Invocation, store: Store, tellsOutagesOnce: Bool = false,
    tellsAlways: Bool = false,
    maySayNothing: @escaping @Sendable (_ job: String) -> Bool = { _ in true }
  ) {
    self.tellsOutagesOnce = tellsOutagesOnce
    self.tellsAlways = tellsAlways
    self.maySayNothing = maySayNothing
    output = invocation.output
    log = invocation.log
    self.store = store
    clock = invocation.clock
  }

  /// Prints the end of one job: a line for people, a JSON object for programs, and its problems.
  ///
  /// `check` is the limit's decision for a run under a limit.
  ///
  /// - Returns: what the caller has to record: delivered notices, and lines that were lost.
  /// - Throws: `StoreError` when the open incidents cannot be read.
  func print(_ report: JobReport, under check: LimitCheck? = nil) throws -> RunPrintout {
    ended.withLock { _ = $0.insert(report.run.job) }
    var printout = try printReport(report, under: check)
    let losses = StandardStream.takeLosses()
    if !losses.isEmpty {
      let streams = losses.map(\.text).joined(separator: " and ")
      printout.loss = "Messages of this run were lost: \(streams) could not be written."
    }
    return printout
  }

  private func printReport(_ report: JobReport, under check: LimitCheck?) throws -> RunPrintout {
    let (job, run) = (report.run.job, report.run.id)
    if output.isJSON {
      let line: JSONObject = ["message_type": "run", "run": report.run, "summary": report.summary]
      try output.print(json: line.merging(check?.members ?? [:]))
    } else {
      output.remark(text(report), always: tellsAlways)
    }
    if hearsAll { showAll(report) }
    let (isShown, printout) = show(report.notices, of: report)
    if !hearsAll, !isShown, !maySayNothing(report.run.job) { try showWhatLasts(report) }
    if output.isTerminal {
      for warning in report.remarks { log.warning(warning, job: job, run: run) }
    } else if report.run.outcome != .partial {
      for warning in report.remarks { log.debug(warning, job: job, run: run) }
    }
    return printout
  }

  /// Prints every failure and every warning, for somebody who waits for them.
  private func showAll(_ report: JobReport) {
    let (job, run) = (report.run.job, report.run.id)
    showError(report)
    for alert in report.alerts where alerts.withLock({ $0.insert(alert).inserted }) {
      log.warning(alert, job: job, run: run, isUrgent: true)
    }
    guard report.run.outcome == .partial, !output.isTerminal else { return }
    let reasons = report.remarks.isEmpty ? [report.summary] : report.remarks
    log.warning("Partial: \(reasons.joined(separator: " "))", job: job, run: run)
  }

  /// Prints an incident notice that belongs to no run of this command.
  func print(_ notice: IncidentNotice) -> RunPrintout { show([notice], of: nil).printout }

  /// Prints, for cron's mail, the notices that `notify` and the hooks did not deliver, once:
  /// docs/incidents.md#rules.
  ///
  /// - Returns: whether any of them is about the run, and those that nothing else delivered.
  private func show(
    _ notices: [IncidentNotice], of report: JobReport?
  ) -> (isAboutRun: Bool, printout: RunPrintout) {
    if !hearsAll, let report, report.run.outcome == .interrupted { showError(report) }
    var printout = RunPrintout()
    var isAboutRun = false
    for notice in notices where notice.isForErrors && (!output.isQuiet || !notice.isMinor) {
      if !isShown(notice, with: report) { show(notice, of: report) }
      isAboutRun = isAboutRun || notice.incident.waiting.contains(report?.run.job ?? "")
      if let failure = notice.failure, report?.alerts.contains(failure) != true,
        alerts.withLock({ $0.insert(failure).inserted })
      {
        log.warning(failure, isUrgent: true)
      }
      if !notice.isDelivered { printout.notices.append(notice) }
    }
    return (isAboutRun, printout)
  }

  /// Prints one line about a run that still fails, or still leaves something out, as reported
  /// before: docs/incidents.md#by-hand.
  private func showWhatLasts(_ report: JobReport) throws {
    let isPartial = report.run.outcome == .partial
    guard isPartial || report.error != nil, report.run.outcome != .interrupted else { return }
    let open = try store.read { try $0.openIncidents(at: clock.now) }
    let incident = open.first { incident in
      !incident.isOver && incident.waiting.contains(report.run.job)
        && (isPartial
          ? incident.kind == .partial : incident.kind.isFailure || incident.kind == .lock)
    }
    guard let incident, let id = incident.id else { return showError(report) }
    let isFirst = incident.runs < 2
    let words =
      isPartial
      ? (isFirst ? "Left something out" : "Still leaves something out")
      : (isFirst ? "Failed" : "Still failing")
    let text =
      "\(words), incident \(id): \(IncidentWords.name(of: incident)). `firetally incidents` has the "
      + "reason."
    let (job, run) = (report.run.job, report.run.id)
    isPartial ? log.warning(text, job: job, run: run) : log.error(text, job: job, run: run)
  }

  /// Whether the lines of the run already contain the notice.
  private func isShown(_ notice: IncidentNotice, with report: JobReport?) -> Bool {
    guard hearsAll, let report else { return false }
    return notice.moment != .ended && notice.incident.waiting.contains(report.run.job)
  }

  private func show(_ notice: IncidentNotice, of report: JobReport?) {
    let incident = notice.incident
    let isOfRun = report.map { incident.waiting.contains($0.run.job) } ?? false
    if let report, isOfRun, incident.kind.isFailure || incident.kind == .lock,
      notice.moment != .lasts, report.error != nil
    {
      return showError(report)
    }
    let job = incident.jobs.count == 1 ? incident.jobs[0] : nil
    let names = incident.jobs.count > 1 ? "\(incident.jobs.joined(separator: ", ")): " : ""
    let text = names + IncidentWords(incident, notice.moment).line
    let run = isOfRun || notice.moment == .ended ? report?.run.id : nil
    switch (notice.moment, incident.kind) {
    case (.ended, _): log.notice(text, job: job, run: run)
    case (_, .partial): log.warning(text, job: job, run: run)
    case (_, .warning): log.warning(text, job: job, run: run, isUrgent: true)
    default: log.error(text, job: job, run: run)
    }
  }

  /// Throws the exit status of the program, unless all jobs succeeded.
  func end(_ reports: [JobReport]) throws {
    // A job that did not run because of another job or the lock has no error of its own.
    let failures = reports.filter {
      !$0.succeeded && ($0.run.refusedBy == nil || $0.error != nil)
    }
    let failed = failures.first { $0.run.outcome != .locked } ?? failures.first
    if let failed { throw StatusOnly(status: failed.error.map(ExitStatus.init(of:)) ?? .failed) }
    guard !reports.contains(where: { $0.run.outcome == .partial }) else {
      throw StatusOnly(status: .partial)
    }
  }

  private var hearsAll: Bool {
    !tellsOutagesOnce || output.isAttended || output.isJSON || output.isVerbose
  }

  private func showError(_ report: JobReport) {
    guard let error = report.error else { return }
    for message in Self.messages(of: error) {
      log.write(
        LogLine(
          error, code: ExitStatus(of: error).rawValue, message: message, job: report.run.job,
          run: report.run.id))
    }
  }

  /// Returns the messages of an error; each problem of a file is a separate line.
  private static func messages(of error: any Error) -> [String] {
    guard case WorkspaceError.jobFiles(let problems)? = error as? WorkspaceError else {
      return [String(describing: error)]
    }
    return problems.problems.map(\.description)
  }

  private func text(_ report: JobReport) -> String {
    let name = padded(report.run.job, to: 18)
    let outcome = padded(report.run.outcome.rawValue, to: 12)
    return "\(name) \(coloured(outcome, report.run.outcome)) \(report.summary)\(cost(report))"
  }

  /// Pads a text with spaces up to the width; a longer text stays whole.
  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }

  /// Returns the cost as a separate sentence; empty for a job without billed reads.
  private func cost(_ report: JobReport) -> String {
    let run = report.run
    guard run.counts.billedReads > 0, let cost = run.estimatedCost else { return "" }
    let reads = NumberWords.counted(run.counts.billedReads, report.edition.billedNoun)
    return " \(reads), about \(NumberWords.money(cost))."
  }

  private func coloured(_ text: String, _ outcome: Run.Outcome) -> String {
    switch outcome {
    case .ok, .fresh: output.coloured(text, .green)
    case .partial, .blocked, .locked: output.coloured(text, .yellow)
    case .failed, .interrupted: output.coloured(text, .red)
    }
  }
}
