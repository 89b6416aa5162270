import Model
import Store

/// Two jobs or more that nothing started when they were due: docs/reports/form.md#index.
package struct LateJobs {
  private let jobs: [JobHealth]
  /// When the newest run of cron began that was before them; nil when none is known.
  private let newestStart: Instant?
  /// Whether no job of cron has begun since the first of them was due.
  private let isAll: Bool

  /// Nil when fewer than two are late for that reason; `except` are the names of jobs that are told
  /// by themselves.
  init?(_ all: [JobHealth], except: Set<String> = []) {
    jobs = all.filter { $0.wasNotStarted && !except.contains($0.job.name) }
    guard jobs.count > 1, let dueAt = jobs.compactMap(\.job.lastDueAt).min() else { return nil }
    // A run by hand, such as that which writes these pages, is not cron's.
    let started = all.compactMap(\.lastRun).filter { $0.trigger == .scheduled }.map(\.startedAt)
    isAll = started.allSatisfy { $0 < dueAt }
    newestStart = isAll ? started.max() : jobs.compactMap(\.lastRun?.startedAt).max()
  }

  /// What to do about them, as a sentence.
  package static let advice = "See whether cron runs: `firetally doctor`."

  var names: Set<String> { Set(jobs.map(\.job.name)) }

  /// `nothing has run since 05:33`; of jobs beside which others ran: `nothing has started them since
  /// 05:33`.
  func reason(_ time: TimeWords) -> String {
    let since = newestStart.map { " since \(time.clock($0))" } ?? ""
    return isAll ? "nothing has run\(since)" : "nothing has started them\(since)"
  }

  func finding(_ time: TimeWords) -> Finding {
    let level = jobs.map { $0.told($0.freshness.level) }.max() ?? .warn
    var finding = Finding(
      level,
      "\(NumberWords.counted(jobs.count, "job is", "jobs are")) late: \(reason(time)). They are "
        + "\(jobs.map(\.job.name).listed).",
      report: .runs, section: RunJobs.id, subject: "jobs that were not started")
    finding.advice = Self.advice
    return finding
  }
}
