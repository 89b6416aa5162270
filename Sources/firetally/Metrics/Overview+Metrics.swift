import Model
import Reports

/// The metrics of the overview, by name: docs/overview.md#metrics.
///
/// The names differ from those of single workspaces, since node_exporter refuses a sample that two
/// files have.
enum OverviewMetric: String, CaseIterable {
  case buildInfo = "firetally_overview_build_info"
  case readable = "firetally_overview_readable"
  case healthy = "firetally_overview_healthy"
  case findings = "firetally_overview_findings"
  case jobs = "firetally_overview_jobs"
  case jobsInOrder = "firetally_overview_jobs_in_order"
  case openIncidents = "firetally_overview_open_incidents"
  case newestRun = "firetally_overview_newest_run_timestamp_seconds"
  case newestData = "firetally_overview_newest_data_timestamp_seconds"
  case users = "firetally_overview_users"
  case activePeople = "firetally_overview_active_people"
  case newSubscribers = "firetally_overview_new_subscribers"
  case monthlyPaid = "firetally_overview_monthly_paid"
  case billedReads = "firetally_overview_billed_reads"
  case readCost = "firetally_overview_read_cost"

  /// The help text, one sentence, which never changes: see `Metric`.
  var help: String {
    switch self {
    case .buildInfo: "The version that wrote this file."
    case .readable: "Whether the workspace could be read."
    case .healthy:
      "Whether no job is overdue, failed or broken, and no item of the outbox was rejected."
    case .findings: "What needs attention, by level."
    case .jobs: "Jobs of the workspace."
    case .jobsInOrder: "Jobs that are in order."
    case .openIncidents: "Open incidents."
    case .newestRun: "When the newest run of any job began."
    case .newestData: "The time of the newest data but that of runs."
    case .users: "Users that are stored."
    case .activePeople: "People with an event of a limited feature in the period."
    case .newSubscribers: "People who subscribed in the period for the first time."
    case .monthlyPaid: "What is paid a month, at least, in units of the currency."
    case .billedReads: "Billed reads of the runs of the period."
    case .readCost: "What these reads cost, estimated, in units of the currency."
    }
  }
}

extension Overview {
  /// The metrics of all workspaces, for node_exporter's textfile collector; unknown figures have
  /// no sample.
  var metrics: String {
    var text = PrometheusText(common: [])
    func add(_ metric: OverviewMetric, _ samples: [PrometheusText.Sample]) {
      text.add(metric.rawValue, metric.help, samples)
    }
    func addApps(_ metric: OverviewMetric, _ value: (AppOverview) -> Double?) {
      add(metric, workspaces.map { ($0.labels, $0.app.flatMap(value)) })
    }
    add(.buildInfo, [([("version", ProgramVersion.current)], 1)])
    add(.readable, workspaces.map { ($0.labels, $0.app == nil ? 0 : 1) })
    addApps(.healthy) { $0.health.isWell ? 1 : 0 }
    add(
      .findings,
      workspaces.flatMap { workspace in
        [Level.error, .warn, .notice].map { level in
          (
            workspace.labels + [("level", level.rawValue)],
            workspace.app.map { Double($0.findingCount(level)) }
          )
        }
      })
    addApps(.jobs) { Double($0.jobsInOrder.whole) }
    addApps(.jobsInOrder) { Double($0.jobsInOrder.part) }
    addApps(.openIncidents) { Double($0.openIncidents) }
    addApps(.newestRun) { $0.newestRunAt?.fractionalUnixSeconds }
    addApps(.newestData) { $0.newestDataAt?.fractionalUnixSeconds }
    addApps(.users) { $0.figure(.users)?.value.magnitude }
    addApps(.activePeople) { $0.figure(.active)?.value.magnitude }
    addApps(.newSubscribers) { $0.figure(.newSubscribers)?.value.magnitude }
    add(.monthlyPaid, amounts(.monthly))
    addApps(.billedReads) { $0.figure(.reads)?.value.magnitude }
    add(.readCost, amounts(.cost))
    return text.text
  }

  /// Amounts with their currency; figures without an amount are left out.
  private func amounts(_ name: AppOverview.FigureName) -> [PrometheusText.Sample] {
    workspaces.compactMap { workspace in
      guard case .money(let amount, let currency) = workspace.app?.figure(name)?.value else {
        return nil
      }
      return (workspace.labels + [("currency", currency)], amount)
    }
  }
}

extension WorkspaceOverview {
  /// The folder, and the name of the app of a workspace that can be read.
  fileprivate var labels: [(name: String, value: String)] {
    [("workspace", folder)] + (app.map { [("app", $0.name)] } ?? [])
  }
}
