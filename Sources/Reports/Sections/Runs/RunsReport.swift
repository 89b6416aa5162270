package import Model

/// Whether the jobs did their work, and what it took and cost: docs/reports.md#runs.
package enum RunsReport {
  package static func make(_ data: RunsData, context: ReportContext) -> Report {
    var tally = PeriodTally(from: RunTotals(), context)
    for run in data.runs { tally.add(at: run.startedAt) { $0.add(run, cost: data.cost(of: run)) } }
    let jobs = JobHealth.all(data)
    return Report(
      name: .runs, title: "Runs", context: context,
      dataTime: Report.DataTime(
        label: "Newest run", at: data.lastRuns.values.map(\.startedAt).max()),
      summary: summary(of: jobs, data.incidents, TimeWords(context: context)),
      headline: headline(of: jobs, tally, data),
      findings: JobHealth.findings(of: jobs, data.futureRuns, TimeWords(context: context)),
      sections: [
        RunJobs.section(jobs, isDemo: data.isDemo),
        RunIncidents.section(data.incidents, now: context.now),
        RunBackups.section(data.backup, TimeWords(context: context)), Section(.runs, "days"),
        Section(.runs, "ledger"),
      ].compactMap(\.self))
  }

  /// One sentence about all jobs, which the index repeats.
  ///
  /// Jobs that are all in order are no good news while an incident lasts that is worse than a note.
  static func summary(
    of jobs: [JobHealth], _ incidents: [JobIncident], _ time: TimeWords
  ) -> String {
    guard !jobs.isEmpty else { return "The workspace has no jobs." }
    let bad = jobs.filter { $0.level > .pass }
    let all = NumberWords.counted(jobs.count, "job")
    guard !bad.isEmpty else {
      let well = jobs.count == 1 ? "The job is in order" : "All \(all) are in order"
      if let open = RunIncidents.openWords(namedIncidents(jobs, incidents)) {
        return "\(well), but \(open)."
      }
      let parts = jobs.count { $0.lastJudgedRun?.outcome == .partial && !$0.isRunning }
      return parts == 0
        ? "\(well)."
        : "\(well); \(NumberWords.counted(parts, "job")) left something out."
    }
    if let late = LateJobs(jobs), late.names.count == bad.count {
      return "\(NumberWords.grouped(bad.count)) of \(all) are late: \(late.reason(time))."
    }
    let need = bad.count == 1 ? "needs" : "need"
    return "\(NumberWords.grouped(bad.count)) of \(all) \(need) attention: "
      + bad.map(\.job.name).joined(separator: ", ") + "."
  }

  /// How many open incidents the sentence names: those that are worse than a note, where all jobs
  /// are in order.
  static func namedIncidents(_ jobs: [JobHealth], _ incidents: [JobIncident]) -> Int {
    jobs.isEmpty || jobs.contains { $0.level > .pass }
      ? 0 : incidents.count { !$0.isOver && $0.level > .notice }
  }

  private static func headline(
    of jobs: [JobHealth], _ tally: PeriodTally<RunTotals>, _ data: RunsData
  ) -> [Figure] {
    // Of a period before the first run nothing is known.
    let isUnknown = data.beginsAt.map { $0 >= tally.context.end } ?? false
    func counted(
      _ id: String, _ label: String, _ number: KeyPath<RunTotals, Int>, section: String
    ) -> Figure {
      tally.figure(
        id, label, number, isUnknown: isUnknown, trend: isUnknown ? nil : tally.byDay(number),
        section: section
      ) { tally.comparison.change(from: $0, to: $1, since: data.beginsAt) }
    }
    let onTime = jobs.count { $0.level == .pass }
    // Rounded to the millionth of a unit, as in every format.
    let cost = Cell.money(
      (tally.current.cost * 1_000_000).rounded() / 1_000_000, currency: data.price.currency)
    return [
      Figure(
        id: "on-time", label: "Jobs in order", value: .ratio(Ratio(onTime, of: jobs.count)),
        note: "jobs"),
      counted("runs", "Runs", \.runs, section: "ledger"),
      Figure(
        id: "success", label: "Runs that succeeded",
        value: .ratio(Ratio(tally.current.successes, of: tally.current.runs)),
        note: tally.current.partials == 0
          ? "runs" : "runs; \(NumberWords.grouped(tally.current.partials)) left something out"),
      counted("reads", "Billed reads", \.billedReads, section: "days"),
      Figure(
        id: "cost", label: "Estimated cost",
        value: isUnknown ? .missing : cost,
        note: data.price.words),
    ]
  }
}

/// The section with the state of each job; what it took and cost are queries.
enum RunJobs {
  static let id = "jobs"
  private static let stateId = "jobs"

  static func section(_ jobs: [JobHealth], isDemo: Bool) -> Section {
    Section(.runs, id, [.table(stateTable(jobs, withSchedule: true))]) { lead in
      isDemo ? "\(lead) \(demoSentence)" : lead
    }
  }

  private static let demoSentence =
    "In this demo schedules are examples: its jobs do not run as often."

  /// The table of the runs report; the index leaves the schedule and its starts out.
  static func stateTable(_ jobs: [JobHealth], withSchedule: Bool, isFolded: Bool = false) -> Table {
    let schedule = [
      Column<JobHealth>("schedule", "Schedule", .leading) {
        $0.job.schedule.map(Cell.code) ?? .text("on demand")
      },
      Column("starts", "Starts made") { job in
        job.job.starts.map { .ratio(Ratio($0.made, of: $0.due)) } ?? .missing
      },
    ]
    return Table(
      id: stateId, title: "Where they stand", of: jobs,
      columns: [
        Column("job", "Job", .leading) { .text($0.job.name) },
        Column("state", "State", .leading) { .level($0.level, $0.freshness.rawValue) },
        Column("last_outcome", "Last outcome", .leading) { $0.outcome ?? .missing },
        Column("last_success_at", "Last success", .leading) {
          .optional($0.lastSuccess?.startedAt)
        },
      ] + (withSchedule ? schedule : []),
      emptyText: "The workspace has no jobs.", isFolded: isFolded)
  }
}

extension RunJobs {
  /// The report with one table of the jobs: where they stand, and beside it what they took and
  /// cost, as the query says it.
  static func joined(_ report: Report) -> Report {
    guard report.name == .runs, let place = report.sections.firstIndex(where: { $0.id == id })
    else { return report }
    let tables = report.sections[place].blocks.compactMap(\.table)
    guard let states = tables.first(where: { $0.id == stateId }),
      let effort = tables.first(where: { $0.id == "job-effort" }),
      !(states.rows.isEmpty && effort.rows.isEmpty)
    else { return report }
    var joined = report
    joined.sections[place].blocks = report.sections[place].blocks.compactMap { block in
      switch block.table?.id {
      case states.id: .table(states.joined(with: effort))
      case effort.id: nil
      default: block
      }
    }
    joined.sections[place].hideRepeatedTitle()
    return joined
  }
}

extension Table {
  /// Both tables as one, by the words of their first column: rows without a partner lack its cells.
  fileprivate func joined(with other: Table) -> Table {
    var table = self
    table.columns += other.columns.dropFirst()
    table.source = other.source
    let missing = Array(repeating: Cell.missing, count: other.columns.count - 1)
    for row in table.rows.indices {
      let partner = other.rows.first { $0.cells[0] == rows[row].cells[0] }
      table.rows[row].cells += partner.map { Array($0.cells.dropFirst()) } ?? missing
    }
    let gone = other.rows.filter { row in !rows.contains { $0.cells[0] == row.cells[0] } }
    table.rows += gone.map { row in
      let unknown = Array(repeating: Cell.missing, count: columns.count - 1)
      return Row(cells: [row.cells[0]] + unknown + row.cells.dropFirst())
    }
    return table
  }
}

/// The section with the age of the newest backup and of the last restore test:
/// docs/backup.md#proof.
enum RunBackups {
  /// Nil where backups are not mentioned.
  static func section(_ backup: BackupStatus?, _ time: TimeWords) -> Section? {
    backup.map { backup in
      Section(
        id: "backups", title: "Backups", lead: sentence(backup, time),
        blocks: [
          .figures([
            Figure(
              id: "backup-age", label: "Age of the newest backup",
              value: age(backup.newestAt, time)),
            Figure(
              id: "proof-age", label: "Since the last restore test",
              value: backup.proof?.problem == nil
                ? age(backup.proof?.at, time) : .text("not restorable"),
              note: backup.proof?.isWhole == false
                ? "size and SHA-256 alone" : "restored into a file that is thrown away"),
          ])
        ])
    }
  }

  /// When the newest backup was made, and when a restore was last tested.
  static func sentence(_ backup: BackupStatus, _ time: TimeWords) -> String {
    guard let newest = backup.newestAt else { return "There is no backup yet." }
    return "Backup \(time.ago(newest)), \(backup.proofWords(time.ago))."
  }

  private static func age(_ instant: Instant?, _ time: TimeWords) -> Cell {
    instant.map { .seconds(max(0, (time.now - $0).fractionalSeconds)) } ?? .missing
  }
}

/// The section with what kept jobs from doing well: docs/incidents.md.
enum RunIncidents {
  static func section(_ incidents: [JobIncident], now: Instant) -> Section {
    Section(
      .runs, "incidents",
      [
        .figures([
          Figure(
            id: "open-incidents", label: "Open incidents",
            value: .count(incidents.count { !$0.isOver }))
        ]),
        .table(table(incidents, now: now)),
      ])
  }

  /// `1 incident is open`; nil for none.
  static func openWords(_ count: Int) -> String? {
    count == 0 ? nil : "\(NumberWords.counted(count, "incident is", "incidents are")) open"
  }

  /// How many open incidents have no finding about all of their jobs, as a sentence; nil for none.
  static func sentence(_ incidents: [JobIncident], besides jobs: [JobHealth]) -> String? {
    let found = Set(jobs.filter(\.hasFinding).map(\.job.name))
    let open = incidents.count { incident in
      !incident.isOver && (incident.jobs.isEmpty || !found.isSuperset(of: incident.jobs))
    }
    return openWords(open).map { "\($0)." }
  }

  private static func table(_ incidents: [JobIncident], now: Instant) -> Table {
    Table(
      id: "incidents", title: "Of this period", of: incidents,
      columns: [
        Column("began_at", "Began", .leading) { .instant($0.beganAt) },
        Column("state", "State", .leading) { incident in
          incident.isOver ? .level(.pass, "over") : .level(incident.level, "open")
        },
        Column("what", "What", .leading) { .text(IncidentWords.name(of: $0)) },
        Column("seconds", "Lasted") { incident in
          .seconds(((incident.endedAt ?? now) - incident.beganAt).fractionalSeconds)
        },
        Column("runs", "Runs") { .count($0.runs) },
        Column("told_at", "Last message", .leading) { .optional($0.lastMessage?.at) },
      ],
      shownLimit: 25, emptyText: "No incident in this period.")
  }
}

extension JobIncident {
  /// As bad as the finding about the same thing: docs/incidents.md#kinds.
  var level: Level {
    switch kind {
    case .partial, .warning: .notice
    case .late, .lock, .gap: .warn
    case .server, .failure, .file, .configuration, .clock, .disk: .error
    }
  }
}

/// Some runs added up: those of a day or of a period.
struct RunTotals {
  var runs = 0
  var successes = 0
  /// Successes that left something out.
  var partials = 0
  var billedReads = 0
  /// In the currency of the report.
  var cost = 0.0

  /// Ignores a run that the lock refused, because it never began.
  mutating func add(_ run: Run, cost amount: Double) {
    guard run.outcome != .locked else { return }
    runs += 1
    if run.outcome.isSuccess { successes += 1 }
    if run.outcome == .partial { partials += 1 }
    billedReads += run.counts.billedReads
    cost += amount
  }
}
