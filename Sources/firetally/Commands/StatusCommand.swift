import ArgumentParser
import Jobs
import Model
import Reports
import Store
import Workspace

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the health of every job and of the outbox.",
    discussion: """
      Uses the same rules as the report's first page.

      Exit status: 0 success; 1 a job is overdue, failed or was killed, a job file is wrong, or a \
      server rejected an outbox item.
      """,
    examples: [
      "firetally status", "firetally status --json",
      "firetally status --prometheus /srv/metrics/chathub.prom",
    ])

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp(
      "Write this file for node_exporter's textfile collector; print nothing.", valueName: "file"))
  var prometheus: String?

  func run() throws {
    let (invocation, opened) = try global.openWorkspace()
    let status = try WorkspaceStatus.read(opened, now: invocation.now)
    if let prometheus {
      return try HealthFiles.writeMetrics(status, of: opened, to: prometheus)
    }
    try invocation.output.print(status.text(on: invocation.output), json: status.line)
    guard status.health.isWell else { throw StatusOnly(status: .failed) }
  }
}

/// The content and the health of a workspace, for `firetally status`.
struct WorkspaceStatus {
  /// The largest number of rejected items that are listed with their reasons.
  private static let toldItems = 10

  let health: WorkspaceHealth
  private(set) var users = 0
  private var usersRefreshedAt: Instant?
  private(set) var events = 0
  private(set) var newestEventAt: Instant?
  /// The number of events dated in the future, and the last of them.
  private(set) var eventsAhead: (count: Int, latest: Instant?) = (0, nil)
  private(set) var outbox: [OutboxItem.State: Int] = [:]
  /// The open incidents, oldest first.
  private var incidents: [JobIncident] = []
  /// The number of open incidents by kind; kinds without one are left out.
  var openIncidents: [JobIncident.Kind: Int] {
    Dictionary(grouping: incidents, by: \.kind).mapValues(\.count)
  }
  /// The reads of the runs that began in the last 24 hours.
  private(set) var readsOfDay = MoneyData.Reads()
  /// The currency of the prices of reads.
  private(set) var currency = ""
  /// The rejected items, newest first.
  private var rejected: [OutboxItem] = []
  private(set) var backup: BackupStatus?
  /// The known facts of the Firestore database.
  private var database: KnownDatabase?
  /// The process that holds the workspace's lock; nil when none does.
  private var lockHolder: String?

  /// Reads the status; a workspace without data has jobs, too.
  static func read(_ opened: OpenWorkspace, now: Instant) throws -> WorkspaceStatus {
    try opened.reading { try read($0, opened, now: now) }
  }

  private static func read(
    _ store: Store?, _ opened: OpenWorkspace, now: Instant
  ) throws -> WorkspaceStatus {
    let catalog = try opened.workspace.jobs()
    let backups = try BackupStatus.entries(of: opened.workspace, at: now)
    guard let store else {
      let jobs = try JobsData.jobs(catalog, config: opened.config, now: now)
      let data = RunsData(jobs: jobs, runs: [], lastRuns: [:], lastSuccesses: [:])
      var status = WorkspaceStatus(
        health: WorkspaceHealth(data, outbox: [:], timeZone: opened.config.timeZone, now: now))
      status.backup = BackupStatus(backups, proof: nil, at: now)
      return status
    }
    let isLocked = try WorkspaceLock.isHeld(opened.workspace)
    return try store.read { reader in
      let reading = try HealthReading(
        reader, catalog, config: opened.config, now: now, isLocked: isLocked)
      var status = WorkspaceStatus(health: reading.health)
      status.outbox = reading.outbox
      status.incidents = reading.openIncidents
      if isLocked {
        status.lockHolder = LockOwner.words(of: WorkspaceLock.holder(of: opened.workspace))
      }
      status.users = try reader.usersCount()
      status.usersRefreshedAt = try reader.usersRefreshedAt(at: now)
      status.events = try reader.eventsCount()
      status.newestEventAt = try reader.newestEventAt(at: now)
      status.eventsAhead = try reader.eventsAhead(of: now)
      status.rejected = try reader.outboxItems(in: [.rejected], limit: toldItems)
      status.database = try KnownDatabase.stored(in: reader)
      let price = try opened.config.priced(in: reader).cost.price
      status.currency = price.currency
      status.readsOfDay = try reader.billedReads(
        from: now - .seconds(86_400), to: now + .microseconds(1), price: price)
      status.backup = BackupStatus(backups, proof: try BackupProof.last(reader), at: now)
      return status
    }
  }

  /// Returns the text for people, which is also complete in a pipe.
  func text(on output: Output) -> String {
    var lines = [
      health.summary, "",
      "users    \(users), refreshed \(usersRefreshedAt.map(age) ?? "never")",
      "events   \(events), newest \(newestEventAt.map(age) ?? "none")\(aheadText)",
      "outbox   \(outboxText)", "backup   \(backupText)",
      "open     \(incidents.isEmpty ? "no incident" : NumberWords.counted(incidents.count, "incident"))",
    ]
    if let database {
      lines.append("database \(database.facts.words), as known \(age(database.knownAt))")
    }
    if let lockHolder { lines.append("lock     held by \(VisibleText.line(lockHolder))") }
    lines.append("")
    lines.append(table(on: output))
    if !incidents.isEmpty { lines += ["", "Open incidents"] + incidents.map(line) }
    if !health.findings.isEmpty { lines += ["", "Needs attention"] }
    lines += health.findings.flatMap { finding in
      ["\(finding.level.word): \(VisibleText.line(finding.sentence))"]
        + (finding.subject == RatingOutbox.rejectedSubject ? rejectedLines : [])
        + [finding.advice].compactMap { $0.map { "  Next: \($0)" } }
        + [runCommand(of: finding)].compactMap { $0.map { "  More: \($0)" } }
    }
    if !health.acknowledged.isEmpty {
      lines += ["", "Acknowledged: \(health.acknowledged.joined(separator: ", "))"]
    }
    return lines.joined(separator: "\n")
  }

  /// A note about events dated in the future, which do not count as newest.
  private var aheadText: String {
    guard let latest = eventsAhead.latest else { return "" }
    let isOne = eventsAhead.count == 1
    return "; \(eventsAhead.count) \(isOne ? "is" : "are") dated later than now, "
      + "\(isOne ? "at" : "up to") \(latest.iso8601)"
  }

  private func table(on output: Output) -> String {
    jobColumns.table(
      of: health.jobs, colouring: "STATE",
      { output.coloured($0, Self.colour(of: $1.level)) }
    ).text
  }

  private var jobColumns: [OutputColumn<JobHealth>] {
    [
      OutputColumn("JOB", "job") { $0.job.name },
      OutputColumn(
        "STATE", "state", value: { $0.freshness.rawValue },
        cell: { job in
          let since = job.freshness == .failed ? job.failures?.since : nil
          return job.freshness.rawValue + (since.map { " since \(clock($0))" } ?? "")
        }),
      OutputColumn(
        "LAST RUN", "startedAt", value: { $0.lastRun?.startedAt },
        cell: { $0.lastRun.map { age($0.startedAt) } ?? "never" }),
      OutputColumn(
        "OUTCOME", "outcome", value: { $0.lastRun?.outcome },
        cell: { $0.isRunning ? "running" : $0.lastRun?.outcome.rawValue }),
      OutputColumn(
        "LAST SUCCESS", "lastSuccessAt", value: { $0.lastSuccess?.startedAt },
        cell: { $0.lastSuccess.map { age($0.startedAt) } ?? "never" }),
      .time("NEXT RUN", "nextRunAt", words: { health.time.distance(to: $0) }) { $0.job.nextDueAt },
      .members { job in
        [
          "level": job.level,
          // Its row has no end and it was not killed.
          "isRunning": job.isRunning, "error": job.job.problem ?? job.lastRun?.error,
          "failingSince": job.failures?.since, "failedRuns": job.failures?.runs,
          // The run that `firetally runs show` explains.
          "troubledRun": job.troubledRun?.id,
          // The reason for people; missing when the job is in order.
          "reason": job.finding(health.time)?.sentence,
        ]
      },
    ]
  }

  /// Returns an incident: `  5  settings fails, since 08:03 (2 hours, 12 runs), last told 08:03`.
  private func line(_ incident: JobIncident) -> String {
    let length = NumberWords.roughly(
      seconds: max(0, (health.time.now - incident.beganAt).fractionalSeconds))
    let runs = incident.runs > 0 ? ", \(NumberWords.counted(incident.runs, "run"))" : ""
    let told = incident.lastMessage.map { "last told \(clock($0.at))" } ?? "no message sent"
    return VisibleText.line(
      "  \(incident.id ?? 0)  \(IncidentWords.name(of: incident)), since "
        + "\(clock(incident.beganAt)) (\(length)\(runs)), \(told)")
  }

  /// Returns the command that shows more about a finding's run; nil when it is not about a run.
  private func runCommand(of finding: Finding) -> String? {
    let job = health.jobs.first { $0.findingSubject == finding.subject }
    guard let run = job?.troubledRun, let id = run.id else { return nil }
    return "firetally runs show \(id)"
  }

  private static func colour(of level: Level) -> Output.Colour {
    switch level {
    case .pass, .notice: .green
    case .warn: .yellow
    case .error: .red
    }
  }

  private var rejectedLines: [String] {
    rejected.map { VisibleText.line("  \($0.kind.rawValue) \($0.id): \(Self.reason($0))") }
  }

  var line: JSONObject {
    let counts = Dictionary(uniqueKeysWithValues: outbox.map { ($0.key.rawValue, $0.value) })
    let rejected: [JSONObject] = rejected.map {
      ["id": $0.id, "kind": $0.kind, "reason": Self.reason($0)]
    }
    let findings: [JSONObject] = health.findings.map {
      ["id": $0.id, "level": $0.level, "sentence": $0.sentence]
    }
    return JSONObject.compact([
      "message_type": "status", "isWell": health.isWell, "summary": health.summary,
      "users": users, "usersRefreshedAt": usersRefreshedAt, "events": events,
      "newestEventAt": newestEventAt,
      "eventsAhead": eventsAhead.latest.map { _ in eventsAhead.count },
      "latestEventAhead": eventsAhead.latest, "outbox": counts, "rejected": rejected,
      "jobs": health.jobs.map { JSONObject.compact(jobColumns.object(of: $0)) },
      "findings": findings,
      "acknowledged": health.acknowledged, "backup": backupLine,
      "openIncidents": incidents.count, "incidents": incidentLines,
      "database": database.map(\.line),
    ]).merging(["lockHolder": lockHolder])
  }

  private var incidentLines: [JSONObject] {
    let columns = ListedIncident.columns(at: health.time.now, clock: clock)
    return incidents.map { columns.object(of: ListedIncident(incident: $0), as: "incident") }
  }

  private static func reason(_ item: OutboxItem) -> String {
    item.lastError ?? "the server gave no reason"
  }

  private var outboxText: String {
    let counts = OutboxItem.State.allCases.compactMap { state in
      outbox[state].map { "\($0) \(state.rawValue)" }
    }
    return counts.isEmpty ? "empty" : counts.joined(separator: ", ")
  }

  /// The age of the newest backup, and the time of the last test restore.
  private var backupText: String {
    guard let backup, let newestAt = backup.newestAt else { return "none" }
    let size = backup.newestBytes.map { ", \(NumberWords.bytes($0))" } ?? ""
    let problem = backup.proof?.problem.map { ": \(VisibleText.line($0))" } ?? ""
    return "\(age(newestAt))\(size); \(backup.proofWords(age))\(problem)"
  }

  private var backupLine: JSONObject {
    let proof = backup?.proof
    return [
      "createdAt": backup?.newestAt, "bytes": backup?.newestBytes,
      "provenAt": proof?.at, "provenFile": proof?.file, "provenWhole": proof?.isWhole,
      "problem": proof?.problem,
    ]
  }

  /// Returns the age in words: `3 hours ago`.
  private func age(_ instant: Instant) -> String { health.time.ago(instant) }

  private func clock(_ instant: Instant) -> String { health.time.clock(instant) }
}
