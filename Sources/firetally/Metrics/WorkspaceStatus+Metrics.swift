import Foundation
import Jobs
import Model
import Reports
import Store
import Workspace

/// The health of a workspace in machine-readable form: docs/metrics.md.
extension WorkspaceStatus {
  /// The metrics of the workspace in `folder`, for node_exporter's textfile collector.
  func metrics(ofWorkspaceIn folder: String) -> String {
    let path = URL(filePath: folder).standardizedFileURL.resolvingSymlinksInPath().path
    var text = PrometheusText(common: [("workspace", path)])
    text.add(.buildInfo, [([("version", ProgramVersion.current)], 1)])
    text.add(.healthy, health.isWell ? 1 : 0)
    text.add(
      .findings,
      [Level.error, .warn, .notice].map { level in
        ([("level", level.rawValue)], Double(health.findings.count { $0.level == level }))
      })
    addJobs(to: &text)
    addStored(to: &text)
    return text.text
  }

  private func addJobs(to text: inout PrometheusText) {
    func add(_ metric: Metric, _ value: (JobHealth) -> Double?) {
      text.add(metric, health.jobs.map { ([("job_name", $0.job.name)], value($0)) })
    }
    add(.jobHealthy) { $0.level < .warn ? 1 : 0 }
    add(.jobRunning) { $0.isRunning ? 1 : 0 }
    add(.jobLastRun) { $0.lastRun?.startedAt.fractionalUnixSeconds }
    add(.jobLastSuccess) { $0.lastSuccess?.startedAt.fractionalUnixSeconds }
    text.add(
      .jobLastOutcome,
      health.jobs.flatMap { job -> [PrometheusText.Sample] in
        guard let run = job.lastRun, run.endedAt != nil else { return [] }
        return Run.Outcome.allCases.map { outcome in
          (
            [("job_name", job.job.name), ("outcome", outcome.rawValue)],
            outcome == run.outcome ? 1 : 0
          )
        }
      })
    add(.jobLastDuration) { job in
      job.lastRun.flatMap { run in run.endedAt.map { ($0 - run.startedAt).fractionalSeconds } }
    }
    add(.jobLastFetched) { $0.lastRun.map { Double($0.counts.fetched) } }
    add(.jobLastStored) { $0.lastRun.map { Double($0.counts.inserted + $0.counts.updated) } }
    add(.jobLastReads) { $0.lastRun.map { Double($0.counts.billedReads) } }
  }

  private func addStored(to text: inout PrometheusText) {
    text.add(.dayReads, Double(readsOfDay.count))
    text.add(.dayCost, [([("currency", currency)], readsOfDay.amount)])
    text.add(
      .rows,
      [
        ([("table", "users")], Double(users)), ([("table", "events")], Double(events)),
      ])
    text.add(.newestEvent, newestEventAt?.fractionalUnixSeconds)
    text.add(.eventsAhead, Double(eventsAhead.count))
    text.add(
      .outboxItems,
      OutboxItem.State.allCases.map { ([("state", $0.rawValue)], Double(outbox[$0] ?? 0)) })
    text.add(
      .openIncidents,
      JobIncident.Kind.allCases.map {
        ([("kind", $0.rawValue)], Double(openIncidents[$0] ?? 0))
      })
    text.add(.backupCreated, backup?.newestAt?.fractionalUnixSeconds)
    text.add(.backupSize, backup?.newestBytes.map { Double($0) })
    text.add(.backupProof, backup?.proof?.at.fractionalUnixSeconds)
    text.add(.backupProofSuccess, backup?.proof.map { $0.problem == nil ? 1 : 0 })
  }
}

/// The files about a workspace's health, written after each `firetally run`.
enum HealthFiles {
  /// Writes the files that `firetally.yml` names, atomically.
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
        StoredJSON.file(of: status.line.merging(["writtenAt": now])),
        to: opened.workspace.path(json), mode: opened.config.outputMode)
    }
  }

  /// Writes the metrics; everybody may read the file, since node_exporter runs as another user.
  static func writeMetrics(
    _ status: WorkspaceStatus, of opened: OpenWorkspace, to path: String
  ) throws {
    let text = status.metrics(ofWorkspaceIn: opened.workspace.root)
    try AtomicFile.write(Array(text.utf8), to: path, mode: FileMode(octal: "0644") ?? .ownerOnly)
  }
}
