package import Model
package import Sync

/// What a job would do if it ran now, and what that would cost; see `docs/costs.md#plan`.
package struct JobEstimate: Sendable {
  package var job: Job
  package var trigger: Run.Trigger
  /// A sentence.
  package var intention: String
  package var requests: PlannedRequests
  /// One for each of the requests' queries, in their order.
  package var quotes: [QueryQuote]
  /// What the run may read, the jobs planned before it having run.
  package var budget: ReadBudget
  /// What `filter apply` would go by; nil for the job's own run.
  package var filter: AppliedFilter?
  /// What the run would change in tables that are there.
  package var schemaChanges: [SchemaChange] = []
  /// What the run would fail with before its first request; nil when it would make one.
  package var problem: TablePlan.Conflict?

  package struct AppliedFilter: Hashable, Sendable {
    package var filter: UserFilter
    /// One text for each criterion.
    package var conditions: [String]

    /// Whether the number of matches is that of the users in the end: ages are compared afterwards.
    package var isCounted: Bool { filter.minAge == nil && filter.maxAge == nil }
  }

  /// The job's name, or the command that is planned.
  package var title: String { filter == nil ? job.name : "filter apply" }

  /// Documents that meet the filter, whether or not so many would be read; nil when not counted.
  package var matches: Int? { quotes.compactMap(\.matches).first }

  /// Documents that would be read; nil when a query could not be counted.
  package var documents: Int? {
    loads.reduce(requests.documents) { sum, load in
      sum.flatMap { sum in load.quote.documents.map { sum + $0 } }
    }
  }

  /// Reads that Google would bill, as if there were no budget; nil when a query could not be
  /// counted.
  package var billedReads: Int? {
    quotes.reduce(requests.documents) { sum, quote in
      sum.flatMap { sum in quote.billedReads.map { sum + $0 } }
    }
  }

  /// Reads that are certain, whatever cannot be counted.
  package var knownReads: Int {
    requests.documents + quotes.compactMap(\.billedReads).reduce(0, +)
  }

  /// Documents at most, where they cannot be counted; nil when nothing limits them.
  package var documentsAtMost: Int? {
    loads.reduce(requests.documents) { sum, load in
      sum.flatMap { sum in
        (load.quote.documents ?? load.query.maxDocuments).map { sum + $0 }
      }
    }
  }

  /// Billed reads of the load that fills new and changed columns; nil when it cannot be counted, or
  /// when they are filled without a read.
  package func reads(of change: SchemaChange) -> Int? {
    change.filling == .fullRead ? loads.first?.quote.billedReads : nil
  }

  /// Whether the run would come to the end of its budget before its own.
  ///
  /// A load that replaces the users does not begin with less than it may need.
  package var stopsAtBudget: Bool {
    let needed = filter == nil ? knownReads : requests.queries.first?.maxDocuments ?? .max
    return budget.allowance.map { needed > $0 } ?? false
  }

  /// Whether the run would fail for want of an index.
  package var lacksIndex: Bool {
    quotes.contains { quote in
      switch quote.index {
      case .missing, .building: true
      case .present, .unknown, nil: false
      }
    }
  }

  private var loads: [(query: PlannedQuery, quote: QueryQuote)] {
    zip(requests.queries, quotes).map { (query: $0, quote: $1) }.filter {
      $0.query.purpose == .load
    }
  }
}

/// What a job would do if it ran now, as far as that is known without a request.
package struct JobIntention: Sendable {
  package let job: Job
  package let trigger: Run.Trigger
  /// A sentence.
  package let plan: String
  /// What it would change in tables that are there.
  package let schemaChanges: [SchemaChange]
  /// What the run would fail with before its first request; nil when it would make one.
  package let problem: TablePlan.Conflict?

  init(of job: Job, _ context: JobContext) throws {
    let work = try job.definition.work(job.name, context)
    self.job = job
    trigger = work.trigger
    do {
      schemaChanges = try work.schemaChanges()
    } catch let conflict as TablePlan.Conflict {
      schemaChanges = []
      problem = conflict
      plan = "Would fail: \(conflict)"
      return
    }
    problem = nil
    plan = try work.plan()
  }
}

/// What a job would ask servers for if it ran now, before anybody knows what they hold.
package struct PlannedRequests: Hashable, Sendable {
  package struct Upload: Hashable, Sendable {
    package var kind: OutboxItem.Kind
    package var count: Int
  }

  package var queries: [PlannedQuery] = []
  /// Single documents, each one billed read.
  package var documents: Int = 0
  /// One for each kind that the job delivers.
  package var uploads: [Upload] = []
  /// What the price leaves out, a sentence each.
  package var unknown: [String] = []

  mutating func add(_ others: PlannedRequests) {
    queries += others.queries
    documents += others.documents
    uploads += others.uploads
    unknown += others.unknown
  }
}
