import Firestore
import Model
import Store
import Sync

/// One load of users over the network, whatever triggered it; see `docs/loads.md#online-users`.
struct UsersLoad: Sendable {
  /// What becomes of the users and of the saved filter.
  enum Plan: Hashable, Sendable {
    /// Adds to the users, by the saved filter or, once that is forgotten, by none.
    case merge(clearsFilter: Bool)
    /// Makes those that the filter finds the only users, and saves the filter.
    case replace(UserFilter)
  }

  private let options: SyncUsersOptions
  private let job: String
  private let context: JobContext

  init(_ options: SyncUsersOptions, job: String, _ context: JobContext) {
    self.options = options
    self.job = job
    self.context = context
  }

  /// For a plan: what a load asks for, after "would".
  func intention(_ plan: Plan) throws -> String {
    let amount = options.maxDocuments.map { "up to \($0) documents" } ?? "all documents"
    let profile = try context.store.read { try context.profile($0) }
    let conditions = try filter(for: plan, of: profile).conditions(city: profile.city)
    return "fetch \(amount) of \(options.collection), \(options.pageSize) a page"
      + (conditions.isEmpty ? "" : ", by \(conditions.joined(separator: ", "))")
  }

  /// Fetches and stores.
  ///
  /// The refresh time, the filter and what `finish` adds commit with the last rows: a load that
  /// fails leaves all of them as they were. What somebody says about the filter in the meantime
  /// holds, unless the load replaces it.
  func run(
    _ plan: Plan, within budget: RunBudget, finish: [Effect] = []
  ) async throws -> JobResult {
    var before = try context.store.read { try context.profile($0) }
    let order = observed(try order(for: plan, of: before), budget)
    try check(budget, for: plan)
    defer { context.observer.end() }
    let client = try await context.services.firestore.database()
    // Another project than before has made the profile forget when its users were fetched.
    before.usersRefreshedAt = try context.store.read { try context.profile($0).usersRefreshedAt }
    let pulled = try await Pull(port: client, store: context.store, reads: budget.meter)
      .run(order.pull, finish: [end(plan, order, begunWith: before)] + finish)
    let checked = try await check(after: pulled, of: order, client, budget)
    var result = try result(of: pulled, order, checked)
    if result.outcome == .blocked { result.problem = budget.exhaustion }
    let neighbours = SiblingCollections(client: client, reads: budget.meter)
    try await report(of: pulled, order, among: neighbours, to: &result)
    return result
  }

  /// What joins the transaction of the last rows.
  private func end(
    _ plan: Plan, _ order: SyncUsersRequest, begunWith before: Profile
  ) -> Effect {
    .then { reader, _ in
      var profile = try context.profile(reader)
      profile.end(plan, by: order.filter, begunWith: before, at: context.now)
      // Named since the load began, or by a load of another profile stored.
      let own = profile.userId.map { Effect.removeUser(id: $0) }
      return [.profile(profile)] + profile.filter.nameEffects + [own].compactMap(\.self)
        + [.whetherUsersAreLeft]
    }
  }

  /// What follows the last rows, and what is to be said of the load.
  private func result(
    of pulled: PullResult, _ order: SyncUsersRequest, _ checked: Reconciler.Result
  ) throws -> JobResult {
    try countOnline(pulled, order)
    var pulled = pulled
    pulled.add(checked.refreshed)
    var counts = pulled.counts
    counts.deleted += checked.deleted
    if checked.deleted > 0 { try context.store.write { try $0.recordWhetherEmpty() } }
    return JobResult(
      pulled.isComplete && checked.isComplete ? outcome(of: counts, checked) : .blocked,
      summary(of: counts, pulled), counts: counts, readTime: pulled.readTime,
      warnings: warnings(about: pulled) + checked.warnings)
  }

  /// Records how many users are online; a load by a filter, or one that is not over, says nothing
  /// of that.
  private func countOnline(_ pulled: PullResult, _ order: SyncUsersRequest) throws {
    guard pulled.isComplete, order.filter.isEmpty else { return }
    let documents = pulled.counts.fetched + (pulled.resumedAfter ?? 0)
    try context.store.write { writer in
      let count = OnlineCount(
        at: context.now, online: try writer.usersOnline(at: context.now), documents: documents,
        skipped: pulled.counts.skippedTotal, limit: order.options.maxDocuments)
      try writer.record(count, job: job)
    }
  }

  /// Reports a load that stored nothing; `neighbours` is nil where nothing may be asked.
  private func report(
    of pulled: PullResult, _ order: SyncUsersRequest, among neighbours: SiblingCollections?,
    to result: inout JobResult
  ) async throws {
    guard pulled.storedNothing else { return }
    result.reportEmptiness(
      try await emptiness(of: pulled, order, among: neighbours), isExpected: options.allowsEmpty)
  }

  /// What is to be said of a load that stored nothing, in a sentence.
  private func emptiness(
    of pulled: PullResult, _ order: SyncUsersRequest, among neighbours: SiblingCollections?
  ) async throws -> String {
    let collection = "the collection \(options.collection)"
    // Where documents came, or nobody wonders, nobody pays for a look around.
    let names =
      options.allowsEmpty || pulled.counts.fetched > 0
      ? nil : try await neighbours?.collections(under: nil)
    let isThere = names?.contains(options.collection)
    guard order.filter.isEmpty || isThere == false else {
      return EmptyLoad.sentence(about: order.filter, city: order.city)
    }
    guard pulled.counts.fetched == 0 else {
      return "Nothing was stored: no document of \(collection) is a user that is listed."
    }
    if isThere == true, let field = order.pull.query.orderField {
      return
        "Nothing was stored: no document of \(collection) has the field \(field), by which the "
        + "load is ordered."
    }
    return EmptyLoad.sentence(
      aboutEmpty: collection, id: options.collection, siblings: names,
      of: neighbours?.place(under: nil) ?? "")
  }

  private func check(
    after pulled: PullResult, of order: SyncUsersRequest, _ client: any FirestoreDatabase,
    _ budget: RunBudget
  ) async throws -> Reconciler.Result {
    guard order.isWhole, pulled.isComplete else { return Reconciler.Result() }
    return try await Reconciler(options.mirror, client, context, budget).run(
      job: job, query: SyncUsersQuery.everyone(in: options.collection),
      keys: KeyMapping(fields: order.fields.names[.userId] ?? []), after: order.pull, pulled)
  }

  /// The same order, which tells of its pages.
  private func observed(_ order: SyncUsersRequest, _ budget: RunBudget) -> SyncUsersRequest {
    var order = order
    order.options.onPage = context.observePages(
      of: job, total: order.options.maxDocuments, within: budget)
    return order
  }

  /// - Throws: `JobsError.readBudgetTooSmall` when the load is all or nothing and could come to
  ///   nothing.
  private func check(_ budget: RunBudget, for plan: Plan) throws(JobsError) {
    guard case .replace = plan, let allowance = budget.budget.allowance,
      options.maxDocuments ?? .max > allowance
    else { return }
    throw .readBudgetTooSmall(budget.budget, needed: options.maxDocuments)
  }

  /// What a load would ask for that would begin now, or go on.
  func plannedRequests(_ plan: Plan) throws -> PlannedRequests {
    let profile = try context.store.read { try context.profile($0) }
    let order = try order(for: plan, of: profile)
    var requests = PlannedRequests(
      queries: [try context.store.read { try PlannedQuery(order.pull, $0) }])
    if order.isWhole {
      requests.add(
        options.mirror.plannedRequests(
          of: SyncUsersQuery.everyone(in: options.collection),
          keys: KeyMapping(fields: order.fields.names[.userId] ?? [])))
    }
    return requests
  }

  /// - Throws: `BadSavedFilter` for a filter that no command could have saved.
  private func filter(for plan: Plan, of profile: Profile) throws -> UserFilter {
    var asking = profile
    asking.filter = plan.filter(after: profile.filter)
    return try context.store.read { [asking] in try $0.validFilter(of: asking) }
  }

  /// - Throws: `JobsError.cityUnknown` when the filter wants users near nobody knows where, or
  ///   `BadSavedFilter`.
  private func order(for plan: Plan, of profile: Profile) throws -> SyncUsersRequest {
    let filter = try filter(for: plan, of: profile)
    guard !filter.isNearbyOnly || profile.city?.isEmpty == false else {
      throw JobsError.cityUnknown
    }
    var order = SyncUsersRequest(
      collection: options.collection, fields: options.wireFields, filter: filter,
      ownUserId: profile.userId, city: profile.city,
      options: PullOptions(
        job: job, pageSize: options.pageSize, maxDocuments: options.maxDocuments, now: context.now))
    guard case .merge = plan else {
      order.options.mode = .replace
      return order
    }
    guard filter.isEmpty, options.mirror.needsAll else { return order }
    makeWhole(&order)
    return order
  }

  private func makeWhole(_ order: inout SyncUsersRequest) {
    order.isWhole = true
    order.options.watermark = options.mirror.watermark(startsOver: context.options.isFull)
    order.options.remembersSkipped = options.mirror.deletes != .never
    order.options.partitions = options.mirror.partitions
  }

  /// Documents that a rule leaves out are as they should be; unreadable ones are not.
  private func outcome(of counts: RunCounts, _ checked: Reconciler.Result) -> Run.Outcome {
    checked.isPartial || counts.skipped.keys.contains { $0.hasPrefix("bad-field") }
      ? .partial : .ok
  }

  private func summary(of counts: RunCounts, _ pulled: PullResult) -> String {
    let emptied = pulled.emptiedFields.values.reduce(0, +)
    return "\(counts.fetched) fetched: \(counts.inserted) new, \(counts.updated) changed, "
      + "\(counts.unchanged) unchanged, \(counts.skippedTotal) skipped"
      + (emptied > 0 ? ", \(emptied) \(emptied == 1 ? "field" : "fields") left empty" : "")
      + (counts.deleted > 0 ? ", \(counts.deleted) removed." : ".")
  }

  private func warnings(about pulled: PullResult) -> [String] {
    var warnings = [pulled.resumption].compactMap(\.self)
    if pulled.correctedTimes > 0 {
      warnings.append(
        "Last-seen times in the future, stored as 30 days ago "
          + "(clock-ahead): \(pulled.correctedTimes).")
    }
    let emptied = pulled.emptiedFields.sorted { $0.key < $1.key }
    if !emptied.isEmpty {
      warnings.append(
        "Unreadable, and left empty: "
          + emptied.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + ".")
    }
    return warnings
  }
}

/// Loads in shards; see `docs/shards.md`.
extension UsersLoad {
  /// The request of a whole load, whatever filter is saved.
  func shardRequest(owner: String?) -> SyncUsersRequest {
    var order = SyncUsersRequest(
      collection: options.collection, fields: options.wireFields, filter: .none,
      ownUserId: owner, city: nil,
      options: PullOptions(job: job, pageSize: options.pageSize, now: context.now))
    makeWhole(&order)
    return order
  }

  /// Stores the users of all shards, and what a load of one process stores with them.
  func gather(
    _ order: SyncUsersRequest, _ gather: Gather, sweep: SweepRequest?
  ) async throws -> JobResult {
    let before = try context.store.read { try context.profile($0) }
    let pulled = try await gather.run(
      order.pull, finish: [end(.merge(clearsFilter: true), order, begunWith: before)])
    let checked = try sweep.map { try Reconciler.Result(gather.sweep($0), $0.limit) }
    var result = try result(of: pulled, order, checked ?? Reconciler.Result())
    try await report(of: pulled, order, among: nil, to: &result)
    return result
  }
}

extension Profile {
  /// Takes over what a load leaves that began when the profile was `before`.
  ///
  /// A filter that was set in the meantime stays, and so does that it was cleared, for which the
  /// next run is to fetch anew. Only a load that replaces the users is the filter's last word.
  fileprivate mutating func end(
    _ plan: UsersLoad.Plan, by filter: UserFilter, begunWith before: Profile, at now: Instant
  ) {
    var wasCleared = false
    if case .merge = plan {
      let isOther = self.filter != before.filter
      wasCleared = usersRefreshedAt != before.usersRefreshedAt || isOther && self.filter.isEmpty
      self.filter = isOther ? self.filter : filter
    } else {
      self.filter = filter
    }
    if !wasCleared { usersRefreshedAt = now }
  }
}

extension UsersLoad.Plan {
  /// The criteria that the load goes by, given those that are saved.
  fileprivate func filter(after saved: UserFilter) -> UserFilter {
    switch self {
    case .merge(let clearsFilter): clearsFilter ? .none : saved
    case .replace(let filter): filter
    }
  }
}
