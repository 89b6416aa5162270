import App
import Foundation
import Model
import Reports
import Store
import Workspace

/// The reports of one moment, made from what the workspace holds.
struct ReportBuilder {
  /// The largest number of rows of a list in the CSV and the JSON; pages show only the first ones.
  static let listedRows = 1_000

  let reportContext: ReportContext
  /// The day of the reports, in their own time zone: `2026-11-21`.
  let day: String
  private let context: JobContext
  /// The profile whose own state the pages show.
  private let profileName: String
  /// The user whose events, ratings and feedback are counted; nil for everybody.
  private let scopeId: String?
  /// Whether `now` is in the past, so that all later data is ignored.
  private let isPast: Bool
  /// The settings in force; read before the snapshot, as are the backups.
  private let settings: Settings
  private let backups: [BackupEntry]

  /// Creates a builder for the current time of the clock, which is after the command's own runs.
  ///
  /// - Throws: `WorkspaceError.refused` when the period is still in the future.
  init(_ options: ReportOptions, _ context: JobContext, isPast: Bool = false) throws {
    let now = context.clock.now
    let zone = options.timeZone ?? context.config.timeZone
    guard let span = options.period.span(at: now, in: TimeZone(checked: zone)) else {
      throw WorkspaceError.refused(
        .usage,
        "The period of the report has not begun yet: choose one that begins today or earlier.")
    }
    let day = LocalDay(of: now, in: zone).text
    let name = options.profile ?? context.options.profileName
    let scope = options.scope == .profile ? name : nil
    let (scopeId, acknowledged, fetched) = try context.store.read { reader in
      if name != Profile.defaultName {
        try WorkspaceError.checkProfile(name, among: try reader.profileNames())
      }
      return (
        try scope.map { try reader.profile(named: $0) ?? Profile(name: $0) }?.eventUserId,
        try reader.acknowledgements().filter { $0.isInForce(at: now, on: day) },
        try reader.fetchedSettings()
      )
    }
    profileName = name
    self.scopeId = scopeId
    var reportContext = ReportContext(
      appName: context.config.app.name, now: now, timeZone: zone, start: span.lowerBound,
      end: span.upperBound, scope: scope, isAnonymous: options.isAnonymous)
    reportContext.platform = context.config.app.platform(counting: options.platform)
    reportContext.findingSettings = context.config.findings
    reportContext.acknowledged = acknowledged
    self.reportContext = reportContext
    settings = WorkspaceSettings.inForce(fetched: fetched, config: context.config)
    self.day = day
    self.context = context
    self.isPast = isPast
    backups = try BackupStatus.entries(of: context.workspace, at: now)
  }

  /// Returns the index and the five reports, in that order; `earlier` is nil when none are kept.
  ///
  /// Pages lack the content of queries outside the choice.
  func reports(earlier: EarlierReport?, choice: QueryChoice = .all) throws -> [Report] {
    let files = try context.workspace.sections()
    let queries = files.queries.filter(choice.takes)
    let hash = reportContext.isAnonymous ? try PseudonymKey.hash(of: context.store) : nil
    let needs = QueryChoice.needs(of: queries)
    return try withRelations(for: needs) { reader, relations, usage, people in
      try pages(
        reader, relations, usage, people, hash, earlier, showsWhatIf: choice.showsWhatIf
      ) { try sections(queries, files.faults, $0, reader, $1) }
    }
  }

  /// Returns the pages of a snapshot, with the sections that `queries` makes.
  ///
  /// `hash` makes the pseudonyms of an anonymous report.
  func pages(
    _ reader: Reader, _ relations: ReportRelations, _ usage: UsageData, _ people: PeopleReading?,
    _ hash: KeyedHash? = nil, _ earlier: EarlierReport? = nil, showsWhatIf: Bool = true,
    queries: (ReportContext, AnonymousData?) throws -> QuerySections? = { _, _ in nil }
  ) throws -> [Report] {
    var data = try ReportData(
      usage: usage,
      limits: reader.limitsData(
        settings: settings, price: context.config.prices[.lite], changes: Self.listedRows,
        profile: profileName, now: reportContext.now),
      ratings: reader.ratingsData(
        relations.context, settings: settings, profile: profileName, newest: Self.listedRows,
        of: scopeId),
      users: reader.usersData(at: reportContext.now),
      runs: relations.runs)
    data.ratings.themes = try context.workspace.themes()
    if isPast { data.forget(after: reportContext.now) }
    if let people { try add(people, to: &data, reader) }
    let whatIf =
      showsWhatIf
      ? try LedgerWhatIf.make(
        reader, settings: settings, from: reportContext.start, to: reportContext.end,
        on: reportContext.platform, changes: data.limits.changes) : nil
    var reportContext = relations.context
    let pseudonymizer = try hash.map { hash in
      AnonymousData(
        Pseudonyms(hash, spaced: SpacedIds(try reader.userIdsThatAreNoWords())) {
          try reader.userExists(id: $0)
        },
        profiles: data.limits.profiles.map(\.profile))
    }
    if let pseudonymizer {
      reportContext = pseudonymizer.context(reportContext)
      try pseudonymizer.pseudonymize(&data, names: names(in: data.ratings, reader))
    }
    return ReportSet.make(
      context: reportContext, usage: data.usage, limits: data.limits, ratings: data.ratings,
      users: data.users, runs: data.runs, whatIf: whatIf, earlier: earlier,
      queries: try queries(reportContext, pseudonymizer))
  }

  fileprivate struct ReportData {
    var usage: UsageData
    var limits: LimitsData
    var ratings: RatingsData
    var users: UsersData
    var runs: RunsData
  }

  /// Reads one snapshot, in which the relations of the period are created and filled.
  ///
  /// A report about a single user has no reading of people.
  ///
  /// - Throws: what `body` throws; `WorkspaceError` when there is no space for the relations.
  func withRelations<T>(
    for needs: RelationNeeds = .all,
    _ body: (Reader, ReportRelations, UsageData, PeopleReading?) throws -> T
  ) throws -> T {
    do {
      return try snapshot(needs, body)
    } catch let problem as QueryProblem where problem.endsSnapshot {
      throw WorkspaceError.refused(.failed, "\(problem)")
    }
  }

  private func snapshot<T>(
    _ needs: RelationNeeds,
    _ body: (Reader, ReportRelations, UsageData, PeopleReading?) throws -> T
  ) throws -> T {
    try keepCounts()
    return try context.store.read { reader in
      try reader.withRelations {
        var reportContext = reportContext
        let (usage, pass) = try usageData(reader, &reportContext, needs)
        reportContext.judgeComparisons(by: usage)
        let relations = ReportRelations(
          reportContext, usage, prices: context.config.prices, runs: try runsData(reader),
          settings: settings)
        try reader.fill(relations, of: pass)
        // The pass covers all people, so it is not kept for the queries.
        let people = scopeId == nil ? try reader.peopleReading(pass) : nil
        return try body(reader, relations, usage, people)
      }
    }
  }

  /// Stores counts for the next report, if this one has the workspace's time zone and the platforms
  /// of its report job.
  private func keepCounts() throws {
    let (zone, platform) = (reportContext.timeZone, reportContext.platform)
    guard !isPast, scopeId == nil, zone == context.config.timeZone,
      platform
        == context.config.app.platform(
          counting: ReportOptions.last(in: context.catalog.jobs).platform)
    else { return }
    try context.store.keepCounts(
      of: DayHistory.spans(at: reportContext.now, in: zone), in: zone, on: platform)
  }

  private func add(
    _ found: PeopleReading, to data: inout ReportData, _ reader: Reader
  ) throws {
    data.usage.people = found.people
    data.usage.money = try money(reader)
    data.limits.experiments = found.experiments
    data.users.activity = found.activity
    data.users.demand = found.demand
  }

  /// Returns the usage with the history of the days up to now, regardless of the period.
  ///
  /// It also sets where the context's current day ends: at the newest line.
  private func usageData(
    _ reader: Reader, _ reportContext: inout ReportContext, _ needs: RelationNeeds
  ) throws -> (UsageData, LedgerPass) {
    let (now, zone) = (reportContext.now, reportContext.timeZone)
    var spans = DayHistory.spans(at: now, in: zone)
    let today = spans.last
    if isPast, let today { spans[spans.count - 1] = today.lowerBound..<(now + .microseconds(1)) }
    var days = try LedgerDays(
      reader.dayFacts(spans, at: now, of: scopeId, on: reportContext.platform),
      ledgerBeginsAt: reader.ledgerBeginsAt())
    try days.judgeCoverage(reader, at: now, in: zone)
    let newestLine = try reader.importArrivals(until: now).newestLine
    if case .until(let line) = TodayRule.extent(of: days.history, newestLine: newestLine) {
      reportContext.newestLine = line
    }
    let pass = try reader.ledgerPass(
      reportContext, days: days.history.days,
      changes: reader.settingChanges(limit: Self.listedRows), of: scopeId, for: needs)
    reportContext.otherPlatforms = try reader.otherPlatforms(pass, reportContext)
    var usage = try reader.usageData(pass)
    usage.exportGaps = days.exportGaps
    if let today { usage.history.days[usage.history.days.count - 1].end = today.upperBound }
    usage.newestLine = newestLine
    // For a past day, the lines that had arrived by its morning are unknown.
    if !isPast { usage.linesAhead = try reader.linesAhead(of: now) }
    return (usage, pass)
  }

  private func money(_ reader: Reader) throws -> MoneyData {
    // A run before this one may have learned the edition.
    let cost = try context.config.priced(in: reader).cost
    let now = reportContext.now
    let calendar = Calendar(in: TimeZone(checked: reportContext.timeZone))
    let monthStart = calendar.dateInterval(of: .month, for: now.date).map { Instant($0.start) }
    return MoneyData(
      readPrice: cost.price,
      period: try reader.billedReads(
        from: reportContext.start, to: reportContext.end, price: cost.price, prices: cost.prices),
      month: try reader.billedReads(
        from: monthStart ?? now, to: now, price: cost.price, prices: cost.prices))
  }

  /// Returns the names of people who wrote feedback, by their ids.
  private func names(in data: RatingsData, _ reader: Reader) throws -> [String: String] {
    let ids = Set(data.feedback.map(\.writerId))
    return try Dictionary(
      uniqueKeysWithValues: ids.map { ($0, try reader.user(id: $0)?.name ?? "") })
  }

  /// Returns the runs; schedules use the time zone of the workspace, not that of the reports.
  private func runsData(_ reader: Reader) throws -> RunsData {
    let jobs = try JobsData.jobs(context.catalog, config: context.config, now: context.now)
    let cost = try context.config.priced(in: reader).cost
    var runs = try reader.runsData(reportContext, jobs: jobs, price: cost.price)
    runs.prices = cost.prices
    runs.maxReadsPerDay = cost.maxReadsPerDay
    if !isPast {
      runs.backup = BackupStatus(
        backups, proof: try BackupProof.last(reader), at: context.now)
    }
    runs = withOwnRun(runs)
    runs.isDemo = try reader.isDemo()
    if !runs.isDemo {
      try runs.countStarts(
        of: context.catalog.jobs, in: context.workspace,
        TimeZone(checked: context.config.timeZone), during: reportContext.start..<reportContext.end,
        at: context.now)
    }
    runs.setAside(
      running: context.catalog.jobs, at: reportContext.now,
      isLocked: try WorkspaceLock.isHeld(context.workspace))
    return runs
  }

  /// Shows the run that writes or sends the reports as done: readers only see them afterwards.
  private func withOwnRun(_ data: RunsData) -> RunsData {
    var data = data
    let ended = context.clock.now
    func finished(_ run: Run) -> Run {
      guard [ReportOptions.kind, DigestOptions.kind].contains(where: { $0.rawValue == run.kind }),
        run.endedAt == nil, run.startedAt >= context.now
      else { return run }
      var run = run
      run.endedAt = ended
      run.outcome = .ok
      return run
    }
    data.runs = data.runs.map(finished)
    data.lastRuns = data.lastRuns.mapValues(finished)
    data.lastJudgedRuns = data.lastJudgedRuns.mapValues(finished)
    for (job, run) in data.lastRuns where run.endedAt == ended && run.outcome == .ok {
      data.lastSuccesses[job] = run
    }
    return data
  }

  /// Returns the sections of all files; for one profile, without sections about everybody.
  private func sections(
    _ queries: [SectionQuery], _ broken: [QueryFault], _ context: ReportContext, _ reader: Reader,
    _ pseudonymizer: AnonymousData?
  ) throws -> QuerySections {
    QuerySections(
      try outcomes(of: queries.filter { scopeId == nil || !$0.isOfEverybody }, reader),
      broken: broken,
      QueryContext(
        context, parameters: context.parameters, pseudonymizer: pseudonymizer?.queryCover))
  }

  /// Runs queries on the relations of this snapshot; a failed query does not stop the others.
  ///
  /// - Returns: the outcome of each query, in their order.
  /// - Throws: errors that are not the query's fault, such as an unreadable database.
  func outcomes(of queries: [SectionQuery], _ reader: Reader) throws -> [QueryOutcome] {
    let parameters = reportContext.parameterValues
    return try queries.map { query in
      do {
        return QueryOutcome(query, .success(try reader.result(of: query.checkedSQL, parameters)))
      } catch let problem as QueryProblem {
        guard !problem.endsSnapshot else {
          throw WorkspaceError.refused(.failed, "\(query.file): \(problem)")
        }
        return QueryOutcome(query, .failure(query.fault(problem)))
      }
    }
  }
}

extension ReportContext {
  /// The values of `:start`, `:end`, `:now` and `:time_zone`, in the order in which pages list
  /// them: microseconds since 1970, and an IANA name.
  fileprivate var parameters: [BoundParameter] {
    [
      BoundParameter("start", .integer(start.microseconds)),
      BoundParameter("end", .integer(end.microseconds)),
      BoundParameter("now", .integer(now.microseconds)),
      BoundParameter("time_zone", .text(timeZone)),
    ]
  }

  /// The parameters by name.
  var parameterValues: [String: SQLValue] {
    Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.value) })
  }
}

extension ReportBuilder.ReportData {
  /// Removes later entries that spans of days and periods do not limit: changed settings and
  /// feedback.
  fileprivate mutating func forget(after now: Instant) {
    limits.changes.removeAll { $0.changedAt > now }
    ratings.feedback.removeAll { Instant(unixSeconds: $0.feedback.timestamp) > now }
  }
}

extension AnonymousData {
  /// Replaces people by pseudonyms; `names` are the names of feedback writers, by id.
  fileprivate func pseudonymize(
    _ data: inout ReportBuilder.ReportData, names: [String: String]
  ) throws {
    data.ratings = try ratings(data.ratings, names: names)
    data.limits = try limits(data.limits)
    data.runs = try runs(data.runs)
  }
}

/// The key of a workspace's pseudonyms, stored in its database so that copies and backups keep it.
enum PseudonymKey {
  private static let markName: MarkName = "pseudonym-key"

  /// Returns the hash with the workspace's key; creates the key on the first call.
  ///
  /// A store that is only read, and has no key yet, gets pseudonyms for this once.
  static func hash(of store: Store) throws -> KeyedHash {
    if let hash = try store.read({ try stored($0) }) { return hash }
    let hash = KeyedHash(low: .random(in: 0...(.max)), high: .random(in: 0...(.max)))
    guard !store.isReadOnly else { return hash }
    return try store.write { writer in
      if let hash = try stored(writer) { return hash }
      try writer.setMark(hash.hexadecimal, named: markName)
      return hash
    }
  }

  private static func stored(_ reader: some Readable) throws -> KeyedHash? {
    try reader.mark(named: markName).flatMap { KeyedHash(hexadecimal: $0) }
  }
}
