import Foundation
import Jobs
import Model
import Reports

/// A run as `firetally runs` prints it; see `docs/runs.md#the-list`.
struct RunRecord {
  /// The largest number of characters of a reason in a list.
  private static let longestReason = 100

  let run: Run
  let isRunning: Bool
  let zone: TimeZone
  /// The runs that this one represents in a list; nil for only itself.
  var listed: ListedRun?

  /// The columns of the list.
  static var columns: [OutputColumn<RunRecord>] {
    [
      OutputColumn("RUN", "id", isNumber: true) { $0.run.id },
      OutputColumn("JOB", "job") { $0.run.job },
      OutputColumn(
        "STARTED", "localStartedAt", value: { $0.started.iso8601 },
        cell: { $0.started.description }),
      OutputColumn("TOOK", "seconds", isNumber: true, value: { $0.seconds }, cell: { $0.took }),
      OutputColumn(
        "OUTCOME", "outcome", value: { $0.run.outcome.rawValue }, cell: { $0.outcome }),
      count("FETCHED", "fetched") { $0.fetched },
      count("STORED", "stored") { $0.storedTotal },
      count("SKIPPED", "skipped") { $0.skippedTotal },
      OutputColumn(
        "READS", "billedReads", isNumber: true, value: { $0.run.counts.billedReads },
        cell: { $0.listedReads }),
      OutputColumn(
        "COST", "estimatedCost", isNumber: true, value: { $0.run.estimatedCost },
        cell: { $0.run.estimatedCost.map(NumberWords.money) }),
      OutputColumn(
        "REASON", "reason", value: { $0.reason },
        cell: { ($0.reason ?? $0.repetition).map { VisibleText.clipped($0, to: longestReason) } }),
      .members { $0.others },
    ]
  }

  private static func count(
    _ heading: String, _ member: String, _ count: @escaping (RunCounts) -> Int
  ) -> OutputColumn<RunRecord> {
    OutputColumn(
      heading, member, isNumber: true, value: { count($0.run.counts) },
      cell: { NumberWords.grouped(count($0.run.counts)) })
  }

  /// Returns all known facts, one per line, and the log.
  func text(with log: RunLog) -> String {
    let counts = run.counts
    var lines = [
      "run \(id)  \(run.job) (\(run.kind), \(run.trigger.rawValue))",
      "started      \(started)",
      "took         \(took)",
      "outcome      \(outcome)\(refusal)",
      "exit status  \(exitStatus.map(String.init) ?? "-")",
      "fetched      \(NumberWords.grouped(counts.fetched))",
      "stored       \(stored)",
      "skipped      \(skips)",
      "reads        \(reads)",
      "requests     \(requests)",
    ]
    if let readTime = run.readTime {
      lines.append("read time    \(ZonedTime(readTime, in: zone))")
    }
    if let error = run.error { lines += ["", "Error", indented(error)] }
    if !run.warnings.isEmpty { lines += ["", "Warnings"] + run.warnings.map(indented) }
    lines += ["", "Log"] + logLines(log)
    return lines.joined(separator: "\n")
  }

  private func logLines(_ log: RunLog) -> [String] {
    guard !log.lines.isEmpty else { return ["  Nothing was logged."] }
    let omitted =
      log.omittedCount == 0 ? [] : ["  (\(log.omittedCount) older lines were left out)"]
    return omitted
      + log.lines.map {
        indented("\(ZonedTime($0.at, in: zone)) \($0.level.rawValue): \($0.message)")
      }
  }

  /// Indents each line by two spaces, without control characters for the terminal.
  private func indented(_ text: String) -> String {
    "  " + VisibleText.of(text).replacing("\n", with: "\n  ")
  }

  private var id: String { run.id.map { String($0) } ?? "-" }
  private var started: ZonedTime { ZonedTime(run.startedAt, in: zone) }
  private var outcome: String { isRunning ? "running" : run.outcome.rawValue }
  private var refusal: String { run.refusedBy.map { ", refused by the \($0.words)" } ?? "" }
  private var seconds: Double? { run.endedAt.map { ($0 - run.startedAt).fractionalSeconds } }
  private var took: String { seconds.map { NumberWords.duration(seconds: $0) } ?? "-" }

  /// The first line of the error or of a partial run's warning; nil on success.
  var reason: String? {
    let reason = run.error ?? (run.outcome == .partial ? run.warnings.first : nil)
    return reason?.split(whereSeparator: \.isNewline).first.map(String.init)
  }

  /// A note that the run is the last of several; nil for a single run.
  private var repetition: String? {
    guard let listed, listed.count > 1 else { return nil }
    return "the last of \(NumberWords.grouped(listed.count)) since "
      + "\(ZonedTime(listed.since, in: zone))"
  }

  /// The exit status of a command with only this job; nil while it runs and after a kill.
  var exitStatus: Int32? {
    if let status = run.exitStatus { return status }
    guard run.endedAt != nil else { return nil }
    switch (run.outcome, run.refusedBy) {
    case (.ok, _), (.fresh, _), (.locked, _): return ExitStatus.ok.rawValue
    case (.partial, _): return ExitStatus.partial.rawValue
    case (.blocked, .limit): return ExitStatus.tryLater.rawValue
    // For rows of old versions, and for a job whose need failed: the status is that job's.
    case (.blocked, _), (.failed, _), (.interrupted, _): return nil
    }
  }

  private var stored: String {
    let counts = run.counts
    let parts = [
      (counts.inserted, "new"), (counts.updated, "changed"), (counts.unchanged, "unchanged"),
      (counts.deleted, "removed"),
    ].filter { $0.0 > 0 }.map { "\(NumberWords.grouped($0.0)) \($0.1)" }
    let total = NumberWords.grouped(counts.storedTotal)
    return parts.isEmpty ? total : "\(total): \(parts.joined(separator: ", "))"
  }

  private var skips: String {
    let kinds = run.counts.skipped.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \(NumberWords.grouped($0.value))" }
    let total = NumberWords.grouped(run.counts.skippedTotal)
    return kinds.isEmpty ? total : VisibleText.line("\(total): \(kinds.joined(separator: ", "))")
  }

  /// What was billed; of an Enterprise database `484 units`.
  private var listedReads: String {
    let reads = run.counts.billedReads
    return run.edition == .enterprise
      ? NumberWords.counted(reads, "unit") : NumberWords.grouped(reads)
  }

  private var reads: String {
    let cost = run.estimatedCost.map { ", about \(NumberWords.money($0))" } ?? ""
    let reads = run.counts.billedReads
    return
      (run.edition == .enterprise
      ? NumberWords.counted(reads, FirestoreEdition.enterprise.billedNoun)
      : NumberWords.grouped(reads)) + cost
  }

  private var requests: String {
    let counts = run.counts
    return [
      NumberWords.grouped(counts.requests),
      NumberWords.counted(counts.retries, "retry", "retries"),
      "\(NumberWords.counted(counts.bytes, "byte")) received",
    ].joined(separator: ", ")
  }
}

/// The JSON form of the run.
extension RunRecord {
  /// The members of the run in a list.
  var members: JSONObject { Self.columns.object(of: self, as: "run_record") }

  /// Those that are not in the table.
  fileprivate var others: JSONObject {
    let counts = run.counts
    return [
      "kind": run.kind, "trigger": run.trigger.rawValue, "startedAt": run.startedAt,
      "endedAt": run.endedAt, "isRunning": isRunning, "refusedBy": run.refusedBy?.rawValue,
      "exitStatus": exitStatus, "inserted": counts.inserted, "updated": counts.updated,
      "unchanged": counts.unchanged, "deleted": counts.deleted, "skippedByReason": counts.skipped,
      "requests": counts.requests, "retries": counts.retries, "bytes": counts.bytes,
      "edition": run.edition?.rawValue,
    ]
  }

  /// Returns the members with error, warnings and log in full.
  func members(with log: RunLog) -> JSONObject {
    let lines: [JSONObject] = log.lines.map {
      ["at": $0.at, "level": $0.level.rawValue, "message": $0.message]
    }
    return members.merging([
      "error": run.error, "warnings": run.warnings, "readTime": run.readTime, "log": lines,
      "omittedLogLines": log.omittedCount,
    ])
  }
}

extension Run.Refusal {
  fileprivate var words: String {
    switch self {
    case .need: "need of another job"
    case .limit: "profile's limit"
    case .lock: "workspace's lock"
    }
  }
}
