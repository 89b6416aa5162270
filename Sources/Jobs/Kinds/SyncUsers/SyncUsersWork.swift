import CollectionMapping
import Firestore
import Model
import Reports
import Store
import Sync
import Workspace

/// The work of the kind `sync-users`: syncs the users online when the copy is stale; see
/// `docs/jobs/sync-users.md`.
struct SyncUsersWork: JobWork {
  private let sync: UsersSync
  private let exports: ExportSource
  private let decision: LoadDecision

  /// Decides whether the copy is stale, once for the run.
  init(_ options: SyncUsersOptions, job: String, _ context: JobContext) throws {
    sync = UsersSync(options: options, job: job, context: context)
    exports = ExportSource(job: job, pattern: options.from, context)
    decision = try context.loadDecision()
  }

  var trigger: Run.Trigger { decision.trigger }

  private var mode: UsersSync.Mode { .merge(clearsFilter: decision.clearsFilter) }

  func plan() throws -> String {
    if let intention = try exports.intention() { return intention }
    guard decision.needsRequest else { return "\(decision.reason) Would make no request." }
    return "\(decision.reason) Would \(try sync.intention(mode))."
  }

  func plannedRequests() throws -> PlannedRequests {
    guard !exports.isNamed, decision.needsRequest else { return PlannedRequests() }
    return try sync.plannedRequests(mode)
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    if exports.isNamed {
      return try await exports.load { try await sync.load($0, within: budget) }
    }
    guard decision.needsRequest else { return JobResult(.fresh, decision.reason) }
    var result = try await sync.run(mode, within: budget)
    if decision.isClockWrong { result.warnings.append(RunWarning(decision.reason)) }
    return result
  }
}

extension JobContext {
  fileprivate func loadDecision() throws -> LoadDecision {
    let asksNewProject = try asksNewProject()
    let (profile, wereEmptied) = try store.read {
      (try self.profile($0), try $0.usersWereEmptied())
    }
    let settings = try settings()
    return LoadRule.decide(
      wasEmptied: wereEmptied,
      lastRefreshedAt: asksNewProject ? nil : profile.usersRefreshedAt,
      stalenessSeconds: settings.value(.staleness) ?? 0, now: now, isForced: options.isForced)
  }

  /// Whether the named project replaces another one without stored data, whose loads do not count.
  private func asksNewProject() throws -> Bool {
    guard let project = services.firestore.namedProject else { return false }
    return try WorkspaceOrigin(project: project).replacesOther(in: store)
  }
}

/// One sync of users over the network, whatever triggered it; see `docs/loads.md#online-users`.
struct UsersSync: Sendable {
  /// The effect on the stored users and the saved filter.
  enum Mode: Hashable, Sendable {
    /// Adds users that match the saved filter, or all users once the filter is cleared.
    case merge(clearsFilter: Bool)
    /// Replaces all users by those that match the filter, and saves the filter.
    case replace(UserFilter)

    /// Returns the filter of the sync; `saved` is the profile's.
    fileprivate func filter(after saved: UserFilter) -> UserFilter {
      switch self {
      case .merge(let clearsFilter): clearsFilter ? .none : saved
      case .replace(let filter): filter
      }
    }
  }

  let options: SyncUsersOptions
  let job: String
  let context: JobContext

  /// Loads and stores users.
  ///
  /// The refresh time, the filter and the changes in `finish` are committed with the last rows: a
  /// failed sync leaves all of them as they were. A filter that is changed meanwhile is kept,
  /// unless the sync replaces it.
  func run(
    _ mode: Mode, within budget: RunBudget, finish: [StoreChange] = []
  ) async throws -> JobResult {
    var before = try context.store.read { try context.profile($0) }
    var request = try request(for: mode, of: before)
    request.options.onPage = context.observePages(
      of: job, total: request.options.maxDocuments, within: budget)
    try check(budget, for: mode)
    let pull = request.pull
    defer { context.observer.end() }
    let client = try await context.services.firestore.database()
    // If the project is new, the profile has just lost its refresh time.
    before.usersRefreshedAt = try context.store.read { try context.profile($0).usersRefreshedAt }
    let pulled = try await Pull(port: client, store: context.store, reads: budget.meter)
      .run(pull, finish: [end(mode, request, begunWith: before)] + finish)
    var checked = Reconciler.Result()
    if request.isWhole {
      checked = try await Reconciler(
        options: options.mirror, client: client, context: context, budget: budget
      ).run(
        job: job, query: SyncUsersQuery.everyone(in: options.collection), keys: request.keys,
        after: pull, pulled)
    }
    var result = try result(of: pulled, request, checked)
    if result.outcome == .blocked { result.problem = budget.exhaustion }
    let siblings = SiblingCollections(client: client, reads: budget.meter)
    result.reportEmptiness(
      try await emptiness(of: pulled, request, among: siblings), isExpected: options.allowsEmpty)
    return result
  }

  /// Returns the changes in the transaction of the last rows.
  private func end(
    _ mode: Mode, _ request: SyncUsersRequest, begunWith before: Profile, at time: Instant? = nil
  ) -> StoreChange {
    .then { reader, _ in
      var profile = try context.profile(reader)
      profile.end(mode, by: request.filter, begunWith: before, at: time ?? context.now)
      // Meanwhile `profile set --user-id` may have run, or another profile's sync may have added
      // the row.
      let own = profile.userId.map { StoreChange.removeUser(id: $0) }
      return [.profile(profile)] + profile.filter.nameEffects + [own].compactMap(\.self)
        + [.whetherUsersAreLeft]
    }
  }

  /// - Throws: `WorkspaceError.readBudgetTooSmall` when an all-or-nothing sync could exceed the
  ///   budget.
  private func check(_ budget: RunBudget, for mode: Mode) throws(WorkspaceError) {
    // An empty page for the other type of last-seen times costs a read, too.
    let needed = options.maxDocuments.map { $0 + 1 }
    guard case .replace = mode, let allowance = budget.budget.allowance, needed ?? .max > allowance
    else { return }
    throw .readBudgetTooSmall(budget.budget, needed: needed)
  }
}

extension Profile {
  /// Applies the results of a sync; `before` is the profile at its beginning.
  ///
  /// A filter that a person changed meanwhile is kept. If it was cleared, the copy also stays
  /// stale, so that the next run loads all users. A sync that replaces the users sets its own
  /// filter.
  fileprivate mutating func end(
    _ mode: UsersSync.Mode, by filter: UserFilter, begunWith before: Profile, at now: Instant
  ) {
    var wasCleared = false
    if case .merge = mode {
      let isOther = self.filter != before.filter
      wasCleared = usersRefreshedAt != before.usersRefreshedAt || isOther && self.filter.isEmpty
      if !isOther { self.filter = filter }
    } else {
      self.filter = filter
    }
    if !wasCleared { usersRefreshedAt = now }
  }
}

/// The requests of a sync.
extension UsersSync {
  /// Describes the requests of a sync for a plan, after "would".
  func intention(_ mode: Mode) throws -> String {
    let amount = options.maxDocuments.map { "up to \($0) documents" } ?? "all documents"
    let profile = try context.store.read { try context.profile($0) }
    let conditions = try filter(for: mode, of: profile).conditions(city: profile.city)
    return "fetch \(amount) of \(options.collection), \(options.pageSize) a page"
      + (conditions.isEmpty ? "" : ", by \(conditions.joined(separator: ", "))")
  }

  /// Returns the requests of a sync that begins or continues now.
  func plannedRequests(_ mode: Mode) throws -> PlannedRequests {
    let profile = try context.store.read { try context.profile($0) }
    let request = try request(for: mode, of: profile)
    var requests = PlannedRequests(
      queries: [try context.store.read { try PlannedQuery(request.pull, $0) }])
    if request.isWhole {
      requests.add(
        options.mirror.plannedRequests(
          of: SyncUsersQuery.everyone(in: options.collection), keys: request.keys))
    }
    return requests
  }

  /// - Throws: `BadSavedFilter` for a filter that no command could have saved.
  private func filter(for mode: Mode, of profile: Profile) throws -> UserFilter {
    var asking = profile
    asking.filter = mode.filter(after: profile.filter)
    return try context.store.read { [asking] in try $0.validFilter(of: asking) }
  }

  /// - Throws: `WorkspaceError.refused` when the filter wants users nearby but the city is unknown,
  ///   or `BadSavedFilter`.
  private func request(for mode: Mode, of profile: Profile) throws -> SyncUsersRequest {
    let filter = try filter(for: mode, of: profile)
    guard !filter.isNearbyOnly || profile.city?.isEmpty == false else {
      throw WorkspaceError.refused(
        .configuration,
        "The saved filter asks for users nearby, but the profile's city is unknown. Find it with "
          + "`firetally profile locate`, set it with `firetally profile set --city NAME`, or drop "
          + "the filter with `firetally filter clear`. Nothing was fetched.")
    }
    var request = SyncUsersRequest(
      collection: options.collection, fields: options.wireFields, filter: filter,
      ownUserId: profile.userId, city: profile.city,
      options: PullOptions(
        job: job, pageSize: options.pageSize, maxDocuments: options.maxDocuments, now: context.now))
    guard case .merge = mode else {
      request.options.mode = .replace
      return request
    }
    if filter.isEmpty, options.mirror.needsAll { makeWhole(&request) }
    return request
  }

  private func makeWhole(_ request: inout SyncUsersRequest) {
    request.isWhole = true
    request.options.watermark = options.mirror.watermark(startsOver: context.options.isFull)
    request.options.remembersSkipped = options.mirror.deletes != .never
    request.options.partitions = options.mirror.partitions
  }
}

/// Syncs in shards; see `docs/shards.md`.
extension UsersSync {
  /// Returns the request of a complete sync, without the saved filter.
  func shardRequest(owner: String?) -> SyncUsersRequest {
    var request = SyncUsersRequest(
      collection: options.collection, fields: options.wireFields, filter: .none,
      ownUserId: owner, city: nil,
      options: PullOptions(job: job, pageSize: options.pageSize, now: context.now))
    makeWhole(&request)
    return request
  }

  /// Stores the users of all shards, and everything else that a single-process sync stores.
  func gather(_ request: SyncUsersRequest, _ gather: ShardMerge) async throws -> JobResult {
    let before = try context.store.read { try context.profile($0) }
    let pulled = try await gather.run(
      request.pull, finish: [end(.merge(clearsFilter: true), request, begunWith: before)])
    let checked = try gather.reconcile(request.pull, keys: request.keys, options.mirror)
    var result = try result(of: pulled, request, checked)
    result.reportEmptiness(
      try await emptiness(of: pulled, request, among: nil), isExpected: options.allowsEmpty)
    return result
  }
}

/// Loads of users from managed exports; see `docs/managed-exports.md#loading`.
extension UsersSync {
  /// Stores all users of an export, regardless of the saved filter.
  ///
  /// The users are as fresh as the export's end time. The number of users online at that time is
  /// not recorded.
  func load(_ export: ManagedExport, within budget: RunBudget) async throws -> JobResult {
    let before = try context.store.read { try context.profile($0) }
    var request = shardRequest(owner: before.userId)
    request.options.onPage = context.observePages(
      of: job, total: export.documentCount, within: budget)
    let end = Instant(export.end)
    let time = max(before.usersRefreshedAt ?? end, end)
    let outcome = try await ExportPull(export, into: context.store).run(
      request.pull, sweep: options.mirror.sweep(of: request.pull, keys: request.keys),
      finish: [self.end(.merge(clearsFilter: true), request, begunWith: before, at: time)])
    let checked = Reconciler.Result(of: outcome, limit: options.mirror.maxDelete)
    var result = try result(of: outcome.pull, request, checked, countsOnline: false)
    result.reportEmptiness(
      try await emptiness(of: outcome.pull, request, among: nil), isExpected: options.allowsEmpty)
    return result
  }
}

/// The end of a sync after its last rows, and its summary.
extension UsersSync {
  /// Returns the result of a sync with its sentences, and stores the number of users online.
  func result(
    of pulled: PullResult, _ request: SyncUsersRequest, _ checked: Reconciler.Result,
    countsOnline: Bool = true
  ) throws -> JobResult {
    if countsOnline { try countOnline(pulled, request) }
    var pulled = pulled
    pulled.add(checked.refreshed)
    var counts = pulled.counts
    counts.deleted += checked.deleted
    if checked.deleted > 0 { try context.store.write { try $0.recordWhetherEmpty() } }
    return JobResult(
      pulled.isComplete && checked.isComplete ? outcome(of: counts, checked) : .blocked,
      summary(of: counts, pulled), counts: counts, readTime: pulled.readTime,
      warnings: warnings(about: pulled, request) + checked.warnings)
  }

  /// Records the number of users online, unless the sync is filtered or incomplete.
  private func countOnline(_ pulled: PullResult, _ request: SyncUsersRequest) throws {
    guard pulled.isComplete, request.filter.isEmpty else { return }
    let documents = pulled.counts.fetched + (pulled.resumedAfter ?? 0)
    try context.store.write { writer in
      let count = OnlineCount(
        at: context.now, online: try writer.usersOnline(at: context.now), documents: documents,
        skipped: pulled.counts.skippedTotal, limit: request.options.maxDocuments,
        latestUnread: pulled.latestUnread)
      try writer.record(count, job: job)
    }
  }

  /// Returns a sentence about a sync that stored nothing; nil for other syncs.
  ///
  /// `siblings` is nil when no request is allowed.
  private func emptiness(
    of pulled: PullResult, _ request: SyncUsersRequest, among siblings: SiblingCollections?
  ) async throws -> String? {
    guard pulled.storedNothing else { return nil }
    let collection = "the collection \(options.collection)"
    // If documents arrived or emptiness is expected, no billed look-up is made.
    let names =
      options.allowsEmpty || pulled.counts.fetched > 0
      ? nil : try await siblings?.collections(under: nil)
    let isThere = names?.contains(options.collection)
    guard request.filter.isEmpty || isThere == false else {
      return EmptyLoad.sentence(about: request.filter, city: request.city)
    }
    guard pulled.counts.fetched == 0 else {
      return "Nothing was stored: no document of \(collection) is a user that is listed."
    }
    if isThere == true, let field = request.pull.query.orderField {
      return
        "Nothing was stored: no document of \(collection) has the field \(field), and loads "
        + "sort by it."
    }
    return EmptyLoad.sentence(
      aboutEmpty: collection, id: options.collection, siblings: names,
      of: siblings?.place(under: nil) ?? "")
  }

  /// Returns `partial` for unreadable documents; documents that a rule skips are expected.
  private func outcome(of counts: RunCounts, _ checked: Reconciler.Result) -> Run.Outcome {
    checked.isPartial || !counts.badFields.isEmpty ? .partial : .ok
  }

  private func summary(of counts: RunCounts, _ pulled: PullResult) -> String {
    let emptied = pulled.emptiedFields.values.reduce(0, +)
    return "\(NumberWords.grouped(counts.fetched)) fetched: \(counts.stored), "
      + "\(NumberWords.grouped(counts.skippedTotal)) skipped"
      + (emptied > 0 ? ", \(emptied) \(emptied == 1 ? "field" : "fields") left empty" : "")
      + counts.removed
  }

  private func warnings(about pulled: PullResult, _ request: SyncUsersRequest) -> [String] {
    var warnings = pulled.remarks(orderedBy: request.timeField)
    if pulled.correctedTimes > 0 {
      let users = NumberWords.counted(pulled.correctedTimes, "user")
      warnings.append("\(users) last seen in the future: stored as 30 days ago.")
    }
    return warnings + pulled.emptiedFields.warning("Unreadable and left empty")
  }
}
