package import Model
package import Sync

/// What a job would do if it ran now, and what that would cost; see `docs/costs.md#plan`.
package struct JobPlan: Sendable {
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

  package init(
    job: Job, trigger: Run.Trigger, intention: String, requests: PlannedRequests,
    quotes: [QueryQuote], budget: ReadBudget
  ) {
    self.job = job
    self.trigger = trigger
    self.intention = intention
    self.requests = requests
    self.quotes = quotes
    self.budget = budget
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
