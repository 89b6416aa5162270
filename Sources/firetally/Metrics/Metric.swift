/// The metrics of a workspace, by name; docs/metrics.md#file.
///
/// node_exporter silently drops the samples of a file if a metric's help text differs from that in
/// another file. So the help of a name never changes: a new meaning requires a new name.
enum Metric: String, CaseIterable {
  case buildInfo = "firetally_build_info"
  case healthy = "firetally_healthy"
  case findings = "firetally_findings"
  case jobHealthy = "firetally_job_healthy"
  case jobRunning = "firetally_job_running"
  case jobLastRun = "firetally_job_last_run_timestamp_seconds"
  case jobLastSuccess = "firetally_job_last_success_timestamp_seconds"
  case jobLastOutcome = "firetally_job_last_outcome"
  case jobLastDuration = "firetally_job_last_run_duration_seconds"
  case jobLastFetched = "firetally_job_last_run_fetched_documents"
  case jobLastStored = "firetally_job_last_run_stored_rows"
  case jobLastReads = "firetally_job_last_run_billed_reads"
  case dayReads = "firetally_day_billed_reads"
  case dayCost = "firetally_day_read_cost"
  case rows = "firetally_rows"
  case newestEvent = "firetally_newest_event_timestamp_seconds"
  case eventsAhead = "firetally_events_ahead"
  case outboxItems = "firetally_outbox_items"
  case openIncidents = "firetally_open_incidents"
  case backupCreated = "firetally_backup_created_timestamp_seconds"
  case backupSize = "firetally_backup_size_bytes"
  case backupProof = "firetally_backup_proof_timestamp_seconds"
  case backupProofSuccess = "firetally_backup_proof_success"

  /// The help text, one sentence.
  var help: String {
    switch self {
    case .buildInfo: "The version that wrote this file."
    case .healthy:
      "Whether no job is overdue, failed or broken, and no item of the outbox was rejected."
    case .findings: "What needs attention, by level."
    case .jobHealthy:
      "Whether the job has run and is neither late, overdue, failed, blocked nor broken."
    case .jobRunning: "Whether the job is running."
    case .jobLastRun: "When the last run began."
    case .jobLastSuccess: "When the last run began that succeeded."
    case .jobLastOutcome: "1 for the outcome of the last run that has ended."
    case .jobLastDuration: "How long the last run took."
    case .jobLastFetched: "Documents or lines that the last run fetched."
    case .jobLastStored: "Rows that the last run added or changed."
    case .jobLastReads: "Reads of the last run that Google bills."
    case .dayReads: "Billed reads of the runs that began in the last 24 hours."
    case .dayCost: "What these reads cost, estimated, in units of the currency."
    case .rows: "Rows that are stored."
    case .newestEvent: "When the newest event happened."
    case .eventsAhead: "Events that are dated later than now."
    case .outboxItems: "Items of the outbox, by state."
    case .openIncidents: "Open incidents, by kind."
    case .backupCreated: "When the newest whole backup was made."
    case .backupSize: "The size of the newest whole backup."
    case .backupProof: "When a backup was last tested."
    case .backupProofSuccess: "Whether that test found nothing wrong."
    }
  }
}

extension PrometheusText {
  mutating func add(_ metric: Metric, _ samples: [Sample]) {
    add(metric.rawValue, metric.help, samples)
  }

  mutating func add(_ metric: Metric, _ value: Double?) { add(metric, [([], value)]) }
}
