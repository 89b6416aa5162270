import Foundation
import Jobs
import Model
import Reports
import Store

/// What a machine reads of a workspace's health: docs/metrics.md.
extension WorkspaceStatus {
  /// The metrics of the workspace in `folder`, for node_exporter's textfile collector.
  func metrics(ofWorkspaceIn folder: String) -> String {
    let path = URL(filePath: folder).standardizedFileURL.resolvingSymlinksInPath().path
    var text = PrometheusText(common: [("workspace", path)])
    text.add(
      "firetally_build_info", "The version that wrote this file.",
      [([("version", ProgramVersion.current)], 1)])
    text.add(
      "firetally_healthy",
      "Whether no job is overdue, failed or broken, and no item of the outbox was rejected.",
      health.isWell ? 1 : 0)
    text.add(
      "firetally_findings", "What needs attention, by level.",
      [Level.error, .warn, .notice].map { level in
        ([("level", level.rawValue)], Double(health.findings.count { $0.level == level }))
      })
    addJobs(to: &text)
    addStored(to: &text)
    return text.text
  }

  private func addJobs(to text: inout PrometheusText) {
    func add(_ name: String, _ help: String, _ value: (JobHealth) -> Double?) {
      text.add(
        "firetally_job_\(name)", help,
        health.jobs.map { ([("job_name", $0.job.name)], value($0)) })
    }
    add(
      "healthy", "Whether the job has run and is neither late, overdue, failed, blocked nor broken."
    ) {
      $0.level < .warn ? 1 : 0
    }
    add("running", "Whether the job is running.") { $0.isRunning ? 1 : 0 }
    add("last_run_timestamp_seconds", "When the last run began.") {
      $0.lastRun?.startedAt.fractionalUnixSeconds
    }
    add("last_success_timestamp_seconds", "When the last run began that succeeded.") {
      $0.lastSuccess?.startedAt.fractionalUnixSeconds
    }
    text.add(
      "firetally_job_last_outcome", "1 for the outcome of the last run that has ended.",
      health.jobs.flatMap { job -> [PrometheusText.Sample] in
        guard let run = job.lastRun, run.endedAt != nil else { return [] }
        return Run.Outcome.allCases.map { outcome in
          (
            [("job_name", job.job.name), ("outcome", outcome.rawValue)],
            outcome == run.outcome ? 1 : 0
          )
        }
      })
    add("last_run_duration_seconds", "How long the last run took.") { job in
      job.lastRun.flatMap { run in run.endedAt.map { ($0 - run.startedAt).fractionalSeconds } }
    }
    add("last_run_fetched_documents", "Documents or lines that the last run fetched.") {
      $0.lastRun.map { Double($0.counts.fetched) }
    }
    add("last_run_stored_rows", "Rows that the last run added or changed.") {
      $0.lastRun.map { Double($0.counts.inserted + $0.counts.updated) }
    }
    add("last_run_billed_reads", "Reads of the last run that Google bills.") {
      $0.lastRun.map { Double($0.counts.billedReads) }
    }
  }

  private func addStored(to text: inout PrometheusText) {
    text.add(
      "firetally_day_billed_reads", "Billed reads of the runs that began in the last 24 hours.",
      Double(readsOfDay.count))
    text.add(
      "firetally_day_read_cost", "What these reads cost, estimated, in units of the currency.",
      [([("currency", currency)], readsOfDay.amount)])
    text.add(
      "firetally_rows", "Rows that are stored.",
      [
        ([("table", "users")], Double(users)), ([("table", "events")], Double(events)),
      ])
    text.add(
      "firetally_newest_event_timestamp_seconds", "When the newest event happened.",
      newestEventAt?.fractionalUnixSeconds)
    text.add(
      "firetally_outbox_items", "Items of the outbox, by state.",
      OutboxItem.State.allCases.map { ([("state", $0.rawValue)], Double(outbox[$0] ?? 0)) })
    text.add(
      "firetally_open_incidents", "Open incidents, by kind.",
      JobIncident.Kind.allCases.map {
        ([("kind", $0.rawValue)], Double(openIncidents[$0] ?? 0))
      })
    text.add(
      "firetally_backup_created_timestamp_seconds", "When the newest whole backup was made.",
      backup?.newestAt?.fractionalUnixSeconds)
    text.add(
      "firetally_backup_size_bytes", "The size of the newest whole backup.",
      backup?.newestBytes.map { Double($0) })
    text.add(
      "firetally_backup_proof_timestamp_seconds", "When a backup was last tested.",
      backup?.proof?.at.fractionalUnixSeconds)
    text.add(
      "firetally_backup_proof_success", "Whether that test found nothing wrong.",
      backup?.proof.map { $0.problem == nil ? 1 : 0 })
  }
}

/// The files that say how a workspace does, written after each `firetally run`.
enum HealthFiles {
  /// Writes those that `firetally.yml` names, whole or not at all.
  ///
  /// - Throws: what reading the workspace or writing throws.
  static func write(of opened: OpenWorkspace, now: Instant) throws {
    let metrics = opened.config.metrics
    guard metrics.file != nil || metrics.json != nil else { return }
    let status = try WorkspaceStatus.read(opened, now: now)
    if let file = metrics.file {
      try writeMetrics(status, of: opened, to: opened.workspace.path(file))
    }
    if let json = metrics.json {
      try AtomicFile.write(
        FileContents.json(of: status.line.merging(["writtenAt": now])),
        to: opened.workspace.path(json), mode: opened.config.outputMode)
    }
  }

  /// Everybody may read the file: node_exporter is another user.
  static func writeMetrics(
    _ status: WorkspaceStatus, of opened: OpenWorkspace, to path: String
  ) throws {
    let text = status.metrics(ofWorkspaceIn: opened.workspace.root)
    try AtomicFile.write(Array(text.utf8), to: path, mode: FileMode(octal: "0644") ?? .ownerOnly)
  }
}
