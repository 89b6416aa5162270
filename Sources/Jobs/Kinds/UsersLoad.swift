import Firestore
import Model
import Rules
import Store
import Sync

/// One load of users over the network, whatever triggered it; see `docs/rules.md#online-users`.
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
  var intention: String {
    let amount = options.maxDocuments.map { "up to \($0) documents" } ?? "all documents"
    return "fetch \(amount) of \(options.collection), \(options.pageSize) a page"
  }

  /// Fetches and stores.
  ///
  /// The refresh time, the filter and what `finish` adds commit with the last rows: a load that
  /// fails leaves all of them as they were. What somebody says about the filter in the meantime
  /// holds, unless the load replaces it.
  func run(
    _ plan: Plan, finish: @escaping @Sendable (Writer) throws -> Void = { _ in }
  ) async throws -> JobResult {
    let before = try context.store.read { try context.profile($0) }
    let order = try order(for: plan, of: before)
    let reads = try reads(for: plan)
    let client = try await context.firestore()
    ProgramPages.giveBack()
    let pulled = try await UserPull(port: client, store: context.store, reads: reads.allowance)
      .run(order) { [context] writer in
        var profile = try context.profile(writer)
        profile.end(plan, by: order.filter, begunWith: before, at: context.now)
        try writer.save(profile)
        try finish(writer)
      }
    var counts = pulled.counts
    let checked = try await check(after: pulled, of: order, client)
    counts.deleted += checked.deleted
    let isComplete = pulled.isComplete && checked.isComplete
    return JobResult(
      isComplete ? outcome(of: counts, checked) : .blocked, summary(of: counts), counts: counts,
      readTime: pulled.readTime, warnings: warnings(about: pulled) + checked.warnings,
      problem: isComplete ? nil : reads.exhaustion)
  }

  private func check(
    after pulled: UserPull.Result, of order: UserPull.Order, _ client: FirestoreClient
  ) async throws -> MirrorCheck.Result {
    guard order.isWhole, pulled.isComplete else { return MirrorCheck.Result() }
    return try await MirrorCheck(options.mirror, client, context).run(
      job: job, query: UserQuery.everyone(in: options.collection), table: .onlineUsers,
      keys: KeyMapping(fields: order.fields.names[.userId] ?? []), loadedAt: pulled.readTime)
  }

  /// What the run may read.
  ///
  /// - Throws: `JobsError` when the load is all or nothing and could come to nothing.
  private func reads(for plan: Plan) throws(JobsError) -> RunReads {
    let reads = context.runReads
    guard case .replace = plan, let allowance = reads.budget.allowance,
      options.maxDocuments ?? .max > allowance
    else { return reads }
    throw .readBudgetTooSmall(reads.budget, needed: options.maxDocuments)
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
          of: UserQuery.everyone(in: options.collection),
          keys: KeyMapping(fields: order.fields.names[.userId] ?? [])))
    }
    return requests
  }

  /// - Throws: `JobsError.cityUnknown` when the filter wants users near nobody knows where.
  private func order(for plan: Plan, of profile: Profile) throws(JobsError) -> UserPull.Order {
    let filter = plan.filter(after: profile.filter)
    guard !filter.isNearbyOnly || profile.city?.isEmpty == false else {
      throw JobsError.cityUnknown
    }
    var order = UserPull.Order(
      job: job, collection: options.collection, fields: .app.renamed(options.fields),
      pageSize: options.pageSize, maxDocuments: options.maxDocuments, filter: filter,
      ownUserId: profile.userId, city: profile.city, now: context.now)
    guard case .merge = plan else {
      order.mode = .replace
      return order
    }
    guard filter.isEmpty, options.mirror.needsAll else { return order }
    order.isWhole = true
    order.watermark = options.mirror.watermark(startsOver: context.isFull)
    order.remembersSkipped = options.mirror.deletes != .never
    order.partitions = options.mirror.partitions
    return order
  }

  /// Documents that a rule leaves out are as they should be; unreadable ones are not.
  private func outcome(of counts: RunCounts, _ checked: MirrorCheck.Result) -> Run.Outcome {
    checked.isPartial || counts.skipped.keys.contains { $0.hasPrefix("bad-field") }
      ? .partial : .ok
  }

  private func summary(of counts: RunCounts) -> String {
    "\(counts.fetched) fetched: \(counts.inserted) new, \(counts.updated) changed, "
      + "\(counts.unchanged) unchanged, \(counts.skippedTotal) skipped"
      + (counts.deleted > 0 ? ", \(counts.deleted) removed." : ".")
  }

  private func warnings(about pulled: UserPull.Result) -> [String] {
    var warnings: [String] = []
    if let count = pulled.resumedAfter {
      warnings.append("Went on where an interrupted load had stopped, after \(count) documents.")
    }
    if pulled.correctedTimes > 0 {
      warnings.append(
        "Last seen in the future by their own clocks, and stored as seen 30 days ago "
          + "(clock-ahead): \(pulled.correctedTimes).")
    }
    return warnings
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
