import Model

/// The page above all workspaces: docs/overview.md.
package enum OverviewReport {
  static let attentionId = "attention"

  package static func make(_ overview: Overview) -> Report {
    let period = overview.apps.first?.context
    return Report(
      name: .overview, title: "All workspaces",
      context: ReportContext(
        appName: "Firetally", now: overview.now, timeZone: overview.timeZone,
        start: period?.start ?? overview.now, end: period?.end ?? overview.now),
      dataTime: Report.DataTime(
        label: "Newest data", at: overview.apps.compactMap(\.newestDataAt).max()),
      summary: overview.summary, headline: headline(overview),
      sections: [
        attention(overview),
        Section(.overview, "money", [.table(untitled(moneyTable(overview)))]) { lead in
          [lead, period.map(words)].compactMap(\.self).joined(separator: " ")
        },
        Section(
          .overview, "jobs",
          [.table(untitled(jobsTable(overview)))] + locks(overview) + [
            .table(folderTable(overview))
          ]),
      ])
  }

  /// The period and what it is compared with, in the time zone of the app.
  private static func words(of context: ReportContext) -> String {
    let time = TimeWords(context: context)
    let period = time.period(from: context.start, to: context.end)
    let previous = context.comparison.main.map {
      "; changes are from \(time.period(from: $0.previous.lowerBound, to: $0.previous.upperBound))"
    }
    return "Figures of \(period)\(previous ?? "")."
  }

  private static func headline(_ overview: Overview) -> [Figure] {
    let all = overview.workspaces.count
    let jobs = overview.apps.reduce(0) { $0 + $1.jobsInOrder.whole }
    let costs = overview.apps.map { $0.cell(.cost) }
    let figures = [
      Figure(
        id: "need-you", label: "Need you",
        value: .count(overview.apps.count(where: \.needsPerson)),
        note: "of \(NumberWords.counted(all, "workspace"))", section: attentionId),
      Figure(
        id: "unread", label: "Cannot be read",
        value: .count(all - overview.apps.count), section: attentionId),
      Figure(
        id: "jobs-in-order", label: "Jobs in order",
        value: .count(overview.apps.reduce(0) { $0 + $1.jobsInOrder.part }),
        note: "of \(NumberWords.counted(jobs, "job"))", section: "jobs"),
    ]
    return figures
      + [sum(costs)].compactMap(\.self).map {
        Figure(id: "cost", label: "Estimated cost", value: $0, note: "of reads", section: "jobs")
      }
  }

  /// Amounts of one currency added up; nil of several currencies, or none.
  private static func sum(_ cells: [Cell]) -> Cell? {
    var amounts: [String: Double] = [:]
    for case .money(let amount, let currency) in cells { amounts[currency, default: 0] += amount }
    guard amounts.count == 1, let (currency, amount) = amounts.first else { return nil }
    return .money((amount * 1_000_000).rounded() / 1_000_000, currency: currency)
  }

  private static func attention(_ overview: Overview) -> Section {
    let findings = overview.worstFindings.map { _, finding, more in
      var told = finding
      if more > 0 { told.sentence += " (and \(NumberWords.grouped(more)) more)" }
      told.evidence = Array(finding.evidence.prefix(1))
      told.quotes = []
      return told
    }
    return Section(
      .overview, attentionId,
      findings.isEmpty ? [.text("Nothing needs you.")] : [.findings(findings)])
  }

  /// A workspace that can be read, as a row of a table.
  private struct Line {
    let title: String
    let workspace: WorkspaceOverview
    let app: AppOverview?

    var name: Cell { .app(title, page: workspace.page) }

    func cell(_ name: AppOverview.FigureName) -> Cell { app?.cell(name) ?? .missing }

    func change(_ name: AppOverview.FigureName) -> Cell {
      app?.figure(name)?.change.map(Cell.change) ?? .missing
    }

    func age(_ instant: KeyPath<AppOverview, Instant?>, at now: Instant) -> Cell {
      guard let instant = app?[keyPath: instant] else { return .missing }
      return .seconds(max(0, (now - instant).fractionalSeconds).rounded())
    }
  }

  private static func lines(_ overview: Overview) -> [Line] {
    zip(overview.titles, overview.workspaces).map {
      Line(title: $0, workspace: $1, app: $1.app)
    }
  }

  /// The table without its title: that of the section is enough.
  private static func untitled(_ table: Table) -> Table {
    var table = table
    table.isTitled = false
    return table
  }

  private static func moneyTable(_ overview: Overview) -> Table {
    Table(
      id: "money", title: "Apps", of: lines(overview).filter { $0.app != nil },
      columns: [
        Column("app", "App", .leading) { $0.name },
        Column("monthly", "Paid a month, at least") { $0.cell(.monthly) },
        Column("new_subscribers", "New subscribers") { $0.cell(.newSubscribers) },
        Column("new_subscribers_change", "Change") { $0.change(.newSubscribers) },
        Column("active", "People active") { $0.cell(.active) },
        Column("active_change", "Change") { $0.change(.active) },
        Column("users", "Users") { $0.cell(.users) },
      ],
      emptyText: "No workspace could be read.")
  }

  private static func jobsTable(_ overview: Overview) -> Table {
    Table(
      id: "jobs", title: "Workspaces", of: lines(overview),
      columns: [
        Column("app", "App", .leading) { $0.name },
        Column("jobs", "Jobs in order", .leading) { jobs(of: $0.app) },
        Column("incidents", "Open incidents") { .optional($0.app?.openIncidents) },
        Column("run_age", "Since the last run") { $0.age(\.newestRunAt, at: overview.now) },
        Column("data_age", "Age of data") { $0.age(\.newestDataAt, at: overview.now) },
        Column("reads", "Billed reads") { $0.cell(.reads) },
        Column("cost", "Estimated cost") { $0.cell(.cost) },
      ])
  }

  private static func folderTable(_ overview: Overview) -> Table {
    Table(
      id: "folders", title: "Folders", of: lines(overview).filter { $0.app != nil },
      columns: [
        Column("app", "App", .leading) { $0.name },
        Column("folder", "Folder", .leading) { .code($0.workspace.folder) },
      ],
      emptyText: "No workspace could be read.", isFolded: true)
  }

  private static func jobs(of app: AppOverview?) -> Cell {
    guard let app else { return .level(.error, "cannot be read") }
    guard !app.health.jobs.isEmpty else { return .text("no jobs") }
    let (part, whole) = (app.jobsInOrder.part, app.jobsInOrder.whole)
    return .level(
      app.jobsLevel, "\(NumberWords.grouped(part)) of \(NumberWords.grouped(whole))")
  }

  /// Who holds the locks of workspaces, a sentence each.
  private static func locks(_ overview: Overview) -> [Block] {
    lines(overview).compactMap { line in
      line.app?.lockHolder.map {
        .text("\(VisibleText.clipped(line.title, to: 60)) is locked by \($0).")
      }
    }
  }
}
