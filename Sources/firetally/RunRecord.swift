import Firestore
import Foundation
import Jobs
import Model
import Reports

/// One run as `firetally runs` prints it; see `docs/runs.md#the-list`.
struct RunRecord {
  /// Characters of a reason in a list.
  private static let longestReason = 100

  let run: Run
  let isRunning: Bool
  let zone: TimeZone

  static func table(of records: [RunRecord]) -> String {
    var table = TextTable(
      [
        "RUN", "JOB", "STARTED", "TOOK", "OUTCOME", "FETCHED", "STORED", "SKIPPED", "READS",
        "COST", "REASON",
      ], rightAligned: [0, 3, 5, 6, 7, 8, 9])
    for record in records {
      let counts = record.run.counts
      table.add([
        record.id, record.run.job, record.started.description, record.took, record.outcome,
        NumberWords.grouped(counts.fetched), NumberWords.grouped(counts.storedTotal),
        NumberWords.grouped(counts.skippedTotal), NumberWords.grouped(counts.billedReads),
        record.run.estimatedCost.map(NumberWords.money) ?? "-",
        record.reason.map { VisibleText.clipped($0, to: Self.longestReason) } ?? "-",
      ])
    }
    return table.text
  }

  /// All that is known, a line each, and the log.
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

  /// Two spaces before each line; nothing in it acts on the terminal.
  private func indented(_ text: String) -> String {
    "  " + VisibleText.of(text).replacing("\n", with: "\n  ")
  }
}

extension RunRecord {
  private var id: String { run.id.map { String($0) } ?? "-" }
  private var started: ZonedTime { ZonedTime(run.startedAt, in: zone) }
  private var outcome: String { isRunning ? "running" : run.outcome.rawValue }
  private var refusal: String { run.refusedBy.map { ", refused by the \($0.words)" } ?? "" }
  private var seconds: Double? { run.endedAt.map { ($0 - run.startedAt).fractionalSeconds } }
  private var took: String { seconds.map { NumberWords.duration(seconds: $0) } ?? "-" }

  /// The first line of why it did not all go well; nil when it did.
  var reason: String? {
    let reason = run.error ?? (run.outcome == .partial ? run.warnings.first : nil)
    return reason?.split(whereSeparator: \.isNewline).first.map(String.init)
  }

  /// What the command ends with when this is its only job; nil while it runs and after a kill.
  var exitStatus: Int32? {
    if let status = run.exitStatus { return status }
    guard run.endedAt != nil else { return nil }
    switch (run.outcome, run.refusedBy) {
    case (.ok, _), (.fresh, _), (.locked, _): return ExitStatus.ok.rawValue
    case (.partial, _): return ExitStatus.partial.rawValue
    case (.blocked, .limit): return ExitStatus.tryLater.rawValue
    // Of old rows, or of a job whose need failed: the status is that job's.
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

  private var reads: String {
    let cost = run.estimatedCost.map { ", about \(NumberWords.money($0))" } ?? ""
    return NumberWords.grouped(run.counts.billedReads) + cost
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

/// For a program: every member is there, null where it does not apply.
extension RunRecord {
  var json: JSON { .object(members) }

  /// The same with error, warnings and log in full.
  func json(with log: RunLog) -> JSON {
    let lines = log.lines.map { line in
      JSON.object([
        "at": .string(line.at.description), "level": .string(line.level.rawValue),
        "message": .string(line.message),
      ])
    }
    let more: [String: JSON] = [
      "error": .text(run.error), "warnings": .array(run.warnings.map { .string($0) }),
      "readTime": .text(run.readTime?.description), "log": .array(lines),
      "omittedLogLines": .integer(log.omittedCount),
    ]
    return .object(members.merging(more) { $1 })
  }

  private var members: [String: JSON] {
    let counts = run.counts
    return [
      "message_type": .string("run_record"), "id": .optional(run.id), "job": .string(run.job),
      "kind": .string(run.kind), "trigger": .string(run.trigger.rawValue),
      "startedAt": .string(run.startedAt.description), "localStartedAt": .string(started.iso8601),
      "endedAt": .text(run.endedAt?.description),
      "seconds": seconds.map { .double($0) } ?? .null, "outcome": .string(run.outcome.rawValue),
      "isRunning": .boolean(isRunning), "refusedBy": .text(run.refusedBy?.rawValue),
      "exitStatus": .optional(exitStatus), "fetched": .integer(counts.fetched),
      "inserted": .integer(counts.inserted), "updated": .integer(counts.updated),
      "unchanged": .integer(counts.unchanged), "deleted": .integer(counts.deleted),
      "stored": .integer(counts.storedTotal), "skipped": .integer(counts.skippedTotal),
      "skippedByReason": .object(counts.skipped.mapValues { .integer($0) }),
      "billedReads": .integer(counts.billedReads), "requests": .integer(counts.requests),
      "retries": .integer(counts.retries), "bytes": .integer(counts.bytes),
      "estimatedCost": run.estimatedCost.map(Self.money) ?? .null, "reason": .text(reason),
    ]
  }

  private static func money(_ money: Money) -> JSON {
    .object(["amount": .double(money.amount), "currency": .string(money.currency)])
  }
}

extension JSON {
  fileprivate static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  fileprivate static func optional(_ number: (some BinaryInteger)?) -> JSON {
    number.map { .integer($0) } ?? .null
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
