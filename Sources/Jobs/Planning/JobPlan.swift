package import Model
package import Rules
package import Sync

/// What a job would do if it ran now, and what that would cost; see `docs/jobs.md#plan`.
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

  /// Documents that would be read; nil when a query could not be counted.
  package var documents: Int? {
    loads.reduce(requests.documents) { sum, load in
      sum.flatMap { sum in load.quote.documents.map { sum + $0 } }
    }
  }

  /// Reads that Google would bill, as if there were no budget; nil when a query could not be counted.
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

  /// Whether the run would come to the end of its budget before its own.
  package var stopsAtBudget: Bool { knownReads > budget.allowance ?? .max }

  /// Whether the run would fail for want of an index.
  package var lacksIndex: Bool {
    quotes.contains { quote in
      switch quote.index {
      case .missing, .building: true
      case .present, .untold, nil: false
      }
    }
  }

  private var loads: [(query: PlannedQuery, quote: QueryQuote)] {
    zip(requests.queries, quotes).map { (query: $0, quote: $1) }.filter {
      $0.query.purpose == .load
    }
  }
}
