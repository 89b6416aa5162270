package import Model

/// What the overview shows of one app, taken from its reports and its jobs: docs/overview.md.
package struct AppOverview: Sendable {
  package let name: String
  /// The period of its figures, in its own time zone.
  package let context: ReportContext
  /// The figures that its reports have, in the order of `taken`; each names its report.
  package let figures: [Figure]
  /// What its queries say of money, a sentence each.
  package let said: [String]
  /// Its open findings, worst first.
  package let findings: [Finding]
  /// The time of its newest data but that of runs; nil without data.
  package let newestDataAt: Instant?
  package let health: WorkspaceHealth
  package let openIncidents: Int
  /// The process that holds the workspace's lock; nil when none does.
  package let lockHolder: String?

  /// The figures at the heads of reports that the overview repeats.
  private static let taken: [(report: Report.Name, id: String)] = [
    (.money, FigureName.monthly.rawValue), (.money, FigureName.newSubscribers.rawValue),
    (.usage, FigureName.active.rawValue), (.users, FigureName.users.rawValue),
    (.runs, FigureName.reads.rawValue), (.runs, FigureName.cost.rawValue),
  ]

  /// The ids of figures in their reports.
  package enum FigureName: String, CaseIterable, Sendable {
    case monthly
    case newSubscribers = "new-subscribers"
    case active = "active-users"
    case users = "total"
    case reads, cost
  }

  /// Takes the index and the other reports of one moment; without reports it is about no app.
  package init(
    of reports: [Report], health: WorkspaceHealth, openIncidents: Int, lockHolder: String? = nil
  ) {
    precondition(!reports.isEmpty, "there is always an index")
    context = reports[0].context
    name = context.appName
    figures = Self.taken.compactMap { name, id in
      reports.first { $0.name == name }?.headline.first { $0.id == id }.map { figure in
        var figure = figure
        figure.report = name
        figure.trend = nil
        return figure
      }
    }
    said = reports[0].moneySentences
    findings = reports[0].attention
    newestDataAt = reports[0].dataTime.at
    self.health = health
    self.openIncidents = openIncidents
    self.lockHolder = lockHolder
  }

  package func figure(_ name: FigureName) -> Figure? {
    figures.first { $0.id == name.rawValue }
  }

  /// The value of a figure; `missing` for one that its reports do not have.
  package func cell(_ name: FigureName) -> Cell { figure(name)?.value ?? .missing }

  package func findingCount(_ level: Level) -> Int { findings.count { $0.level == level } }

  /// Whether somebody has to look at it: `firetally status` ends with 1, or a finding is worse than
  /// a note.
  package var needsPerson: Bool {
    !health.isWell || findings.contains { $0.level >= .warn }
  }

  /// When the newest run of any job began; nil before the first.
  package var newestRunAt: Instant? { health.jobs.compactMap(\.lastRun?.startedAt).max() }

  /// How many jobs are in order.
  package var jobsInOrder: Ratio {
    Ratio(health.jobs.count { $0.level == .pass }, of: health.jobs.count)
  }

  /// The worst level of its jobs.
  package var jobsLevel: Level { health.jobs.map(\.level).max() ?? .pass }
}
