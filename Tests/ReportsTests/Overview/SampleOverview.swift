import ReportsTesting

@testable import Model
@testable import Reports
@testable import Store

/// Three workspaces: an app of two weeks, an empty one, and one that cannot be read.
enum SampleOverview {
  static let now = SampleReports.context.now

  static func health(_ runs: RunsData = SampleReports.runs) -> WorkspaceHealth {
    WorkspaceHealth(runs, outbox: [:], timeZone: "Europe/Berlin", now: now)
  }

  static let app = AppOverview(
    of: SampleReports.reports(), health: health(), openIncidents: 2,
    lockHolder: "the job online-users of pid 12 (firetally run) on mars")

  static let empty = AppOverview(
    of: EmptyReports.reports, health: health(EmptyReports.runs), openIncidents: 0)

  static let unread = WorkspaceOverview(
    folder: "/srv/firetally/gone",
    .unread("/srv/firetally/gone is not a workspace: it has no firetally.yml."))

  static let overview = Overview(
    [
      WorkspaceOverview(
        folder: "/srv/firetally/chat", .app(app), page: "../chat/output/index.html"),
      WorkspaceOverview(folder: "/srv/firetally/new", .app(empty)), unread,
    ], now: now)

  /// An app of this name in each folder.
  static func named(_ name: String, in folders: String...) -> Overview {
    var reports = EmptyReports.reports
    for index in reports.indices { reports[index].context.appName = name }
    let app = AppOverview(of: reports, health: health(EmptyReports.runs), openIncidents: 0)
    return Overview(folders.map { WorkspaceOverview(folder: $0, .app(app)) }, now: now)
  }
}
