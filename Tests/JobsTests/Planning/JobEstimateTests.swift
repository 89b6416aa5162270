import Model
import Testing

@testable import Firestore
@testable import Jobs
@testable import Sync

@Suite struct JobEstimateTests {
  private static let query = StructuredQuery(from: [.init(collectionId: "C")])
  private static let refusal = Refusal(
    ErrorEnvelope(status: .failedPrecondition, message: "The query requires an index."),
    httpStatus: 400, request: "query", query: query)

  private func plan(
    _ queries: [(limit: Int?, reads: Int?)], documents: Int = 0, allowance: Int? = nil
  ) -> JobEstimate {
    JobEstimate(
      intention: JobPlan(
        job: Job(name: "users", definition: SyncUsersOptions()), trigger: .stale,
        plan: "Would fetch."),
      requests: PlannedRequests(
        queries: queries.map {
          PlannedQuery(query: Self.query, pageSize: 10, maxDocuments: $0.limit)
        }, documents: documents),
      quotes: queries.map {
        QueryQuote(
          documents: $0.reads, billedReads: $0.reads,
          index: $0.reads == nil ? .missing(Self.refusal) : .unknown)
      },
      budget: ReadBudget(
        maxPerRun: allowance, maxPerDay: nil, readToday: 0, now: Instant(unixSeconds: 0)))
  }

  @Test func `reads are those of all queries and of the single documents`() {
    let plan = plan([(nil, 60), (100, 5)], documents: 2)
    #expect(plan.billedReads == 67)
    #expect(plan.documents == 67)
    #expect(plan.documentsAtMost == 67)
    #expect(!plan.lacksIndex)
  }

  @Test func `what cannot be counted makes the sum unknown, and its limit the most`() {
    let plan = plan([(250, nil), (nil, 5)], documents: 1)
    #expect(plan.billedReads == nil)
    #expect(plan.documents == nil)
    #expect(plan.knownReads == 6)
    #expect(plan.documentsAtMost == 256)
    #expect(plan.lacksIndex)
  }

  @Test func `names and counts are billed, and are no documents that are read`() {
    var plan = plan([(nil, 60), (nil, 50), (nil, 1)])
    plan.requests.queries[1].purpose = .list
    plan.requests.queries[2].purpose = .count
    #expect(plan.billedReads == 111)
    #expect(plan.documents == 60)
    #expect(plan.documentsAtMost == 60)
  }

  @Test func `without a limit nothing bounds what cannot be counted`() {
    #expect(plan([(nil, nil)]).documentsAtMost == nil)
  }

  @Test(
    arguments: [(nil, false), (61, false), (60, false), (59, true), (0, true)] as [(Int?, Bool)])
  func `a run stops when it needs more than its budget`(allowance: Int?, stops: Bool) {
    #expect(plan([(nil, 60)], allowance: allowance).stopsAtBudget == stops)
  }

  @Test func `a job that reads nothing costs nothing and never stops`() {
    let plan = plan([], allowance: 0)
    #expect(plan.billedReads == 0)
    #expect(!plan.stopsAtBudget)
  }
}
