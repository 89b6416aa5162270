package import CollectionMapping
package import Firestore
package import Model
package import Store
package import Sync
package import Workspace

/// An estimator of the cost of jobs before they run; it changes nothing, locally or remotely.
package struct JobEstimator: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) {
    self.context = context
  }

  /// Returns the work and the cost of each job, in their order, each after the jobs before it.
  package func estimates(of jobs: [Job]) async throws -> [JobEstimate] {
    var estimates: [JobEstimate] = []
    var reads = 0
    for job in jobs {
      let estimate = try await estimate(of: job, after: reads)
      reads += min(estimate.knownReads, estimate.budget.allowance ?? .max)
      estimates.append(estimate)
    }
    return estimates
  }

  /// Returns the work and the cost of `filter apply` after `reads` reads; see
  /// `docs/filters.md#filters`.
  ///
  /// - Throws: `WorkspaceError.noUsersJob`, and what the load itself would throw.
  package func estimate(
    applying filter: UserFilter, after reads: Int = 0
  ) async throws -> JobEstimate {
    let (job, options) = try context.usersJob()
    let load = UsersSync(options: options, job: job.name, context: context)
    let requests = try load.plannedRequests(.replace(filter))
    let profile = try context.store.read { try context.profile($0) }
    return JobEstimate(
      intention: JobPlan(
        job: job, trigger: .filter,
        plan: "Would \(try load.intention(.replace(filter))), and replace all users by these."),
      requests: requests, quotes: try await quotes(of: requests, countsAll: true),
      budget: try budget(of: job, after: reads),
      filter: JobEstimate.AppliedFilter(
        filter: filter, conditions: filter.conditions(city: profile.city)))
  }

  /// Requests the database's facts, once; nil when the server withholds them.
  ///
  /// Its edition determines the prices.
  package func database() async throws -> KnownDatabase? {
    try await context.services.firestore.database()
      .knownFacts(at: context.clock.now) { context.observer.note($0) }
  }

  /// Returns the day's remaining budget before any of the jobs runs.
  package func budget() throws -> ReadBudget {
    try context.store.read { try context.readBudget(maxPerRun: nil, $0) }
  }

  private func estimate(of job: Job, after reads: Int) async throws -> JobEstimate {
    let intention = try JobPlan(of: job, context)
    let requests =
      intention.problem == nil
      ? try await job.definition.work(job.name, context).plannedRequests() : PlannedRequests()
    return JobEstimate(
      intention: intention, requests: requests,
      quotes: try await quotes(of: requests, countsAll: false),
      budget: try budget(of: job, after: reads))
  }

  private func quotes(
    of requests: PlannedRequests, countsAll: Bool
  ) async throws -> [QueryQuote] {
    var quotes: [QueryQuote] = []
    if !requests.queries.isEmpty { _ = try await database() }
    for query in requests.queries {
      let database = try await context.services.firestore.database()
      quotes.append(
        try await RequestTags.$job.withValue("plan") {
          try await database.quote(query, countsAll: countsAll)
        })
    }
    return quotes
  }

  private func budget(of job: Job, after reads: Int) throws -> ReadBudget {
    try context.store.read {
      try context.readBudget(maxPerRun: job.definition.maxReads, after: reads, $0)
    }
  }
}

/// The work of a job that would run now, and its cost; see `docs/costs.md#plan`.
package struct JobEstimate: Sendable {
  package var intention: JobPlan
  package var requests: PlannedRequests
  /// One for each of the requests' queries, in their order.
  package var quotes: [QueryQuote]
  /// The read budget of the run, after the jobs planned before it.
  package var budget: ReadBudget
  /// The filter of `filter apply`; nil for the job's own run.
  package var filter: AppliedFilter?

  package struct AppliedFilter: Hashable, Sendable {
    package var filter: UserFilter
    package var conditions: [String]

    /// Whether the number of matches is exact: ages are only compared after the load.
    package var isCounted: Bool { filter.minAge == nil && filter.maxAge == nil }
  }

  /// The job's name, or the planned command.
  package var title: String { filter == nil ? intention.job.name : "filter apply" }

  /// The number of documents that match the filter, even if fewer would be read; nil when not
  /// counted.
  package var matches: Int? { quotes.compactMap(\.matches).first }

  /// The number of documents to read; nil when a query could not be counted.
  package var documents: Int? {
    loads.reduce(requests.documents) { sum, load in
      sum.flatMap { sum in load.quote.documents.map { sum + $0 } }
    }
  }

  /// Whether the documents of a load are estimated from a sample.
  package var isEstimated: Bool { loads.contains { $0.quote.isEstimated } }

  /// Reads that Google would bill, as if there were no budget; nil when a query could not be
  /// counted.
  package var billedReads: Int? {
    quotes.reduce(requests.documents) { sum, quote in
      sum.flatMap { sum in quote.billedReads.map { sum + $0 } }
    }
  }

  /// The reads that are certain, without the queries that cannot be counted.
  package var knownReads: Int {
    requests.documents + quotes.compactMap(\.billedReads).reduce(0, +)
  }

  /// The largest number of documents, even if they cannot be counted; nil when it is unlimited.
  package var documentsAtMost: Int? {
    loads.reduce(requests.documents) { sum, load in
      sum.flatMap { sum in
        (load.quote.documents ?? load.query.maxDocuments).map { sum + $0 }
      }
    }
  }

  /// Returns the billed reads of the load that fills new and changed columns; nil when it cannot be
  /// counted, or when columns are filled without a read.
  package func reads(of change: SchemaChange) -> Int? {
    change.filling == .fullRead ? loads.first?.quote.billedReads : nil
  }

  /// Whether the budget would end the run.
  ///
  /// A load that replaces the users does not begin unless the budget covers all it may need.
  package var stopsAtBudget: Bool {
    let needed = filter == nil ? knownReads : requests.queries.first?.maxDocuments ?? .max
    return budget.allowance.map { needed > $0 } ?? false
  }

  /// The read units of the largest scan of one request; nil when nothing scans.
  package var largestScan: Int? {
    quotes.compactMap { quote in
      if case .scan(let scan) = quote.index { scan.units } else { nil }
    }.max()
  }

  /// Whether the run would fail for want of an index.
  package var lacksIndex: Bool {
    quotes.contains { quote in
      switch quote.index {
      case .missing, .building: true
      case .present, .unknown, .scan, nil: false
      }
    }
  }

  private var loads: [(query: PlannedQuery, quote: QueryQuote)] {
    zip(requests.queries, quotes).map { (query: $0, quote: $1) }.filter {
      $0.query.purpose == .load
    }
  }
}

/// The work of a job that would run now, as far as it is known without a request.
package struct JobPlan: Sendable {
  package let job: Job
  package let trigger: Run.Trigger
  /// A sentence.
  package let plan: String
  /// The planned changes of existing tables.
  package var schemaChanges: [SchemaChange] = []
  /// The error of the run before its first request; nil when it would make one.
  package var problem: WorkspaceError?
}

extension JobPlan {
  init(of job: Job, _ context: JobContext) throws {
    let work = try job.definition.work(job.name, context)
    do {
      self.init(
        job: job, trigger: work.trigger, plan: try work.plan(),
        schemaChanges: try work.schemaChanges())
    } catch let refusal as WorkspaceError {
      guard case .refused(.badData, _) = refusal else { throw refusal }
      self.init(
        job: job, trigger: work.trigger, plan: "Would fail: \(refusal)", problem: refusal)
    }
  }
}

/// The requests of a job that would run now, before their results are known.
package struct PlannedRequests: Hashable, Sendable {
  package struct Upload: Hashable, Sendable {
    package var kind: OutboxItem.Kind
    package var count: Int
  }

  package var queries: [PlannedQuery] = []
  /// Single documents, each one billed read.
  package var documents: Int = 0
  /// One for each kind of item that the job delivers.
  package var uploads: [Upload] = []
  /// The costs that the price leaves out.
  package var unknown: [UnpricedCost] = []

  mutating func add(_ others: PlannedRequests) {
    queries += others.queries
    documents += others.documents
    uploads += others.uploads
    unknown += others.unknown
  }
}

/// The `firestore.indexes.json` of a workspace; see `docs/firestore.md#indexes`.
package enum IndexFile {
  /// Returns every index that queries of the jobs or of a filter command can need and that
  /// Firestore does not create by itself.
  package static func indexes(
    of jobs: [Job], in rules: EditionRules = FirestoreEdition.standard.rules
  ) -> [QueryIndex] {
    let needed = jobs.flatMap { $0.definition.queries }.flatMap { QueryIndex.serving($0) }
    return needed.reduce(into: []) { indexes, index in
      if index.isManual(in: rules), !indexes.contains(index) { indexes.append(index) }
    }
  }

  /// Returns the file for `firebase deploy --only firestore:indexes`, with one entry per line or on
  /// a single line.
  package static func text(
    of jobs: [Job], in rules: EditionRules = FirestoreEdition.standard.rules, onOneLine: Bool
  ) -> String {
    let file = QueryIndex.file(of: indexes(of: jobs, in: rules), in: rules)
    guard !onOneLine, case .object(let lists) = file else { return text(of: file) }
    let names = [QueryIndex.IndexFileSection.indexes, .fieldOverrides].map(\.rawValue)
    let members = names.map { name in
      guard case .array(let entries)? = lists[name], !entries.isEmpty else {
        return "  \"\(name)\": []"
      }
      let lines = entries.map { "    \(text(of: $0))" }.joined(separator: ",\n")
      return "  \"\(name)\": [\n\(lines)\n  ]"
    }
    return "{\n\(members.joined(separator: ",\n"))\n}"
  }

  private static func text(of json: JSON) -> String {
    String(decoding: json.serialized(), as: UTF8.self)
  }
}
