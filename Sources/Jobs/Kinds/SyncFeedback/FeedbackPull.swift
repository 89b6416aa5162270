import Firestore
import Model
import Store
import Sync

/// The app whose feedback is pulled; see `docs/jobs/sync-feedback.md`.
struct FeedbackPullRequest: Sendable {
  var bundleId: String
  /// The longest delay until a document becomes visible.
  var overlap: Duration
  /// Whether to read everything, regardless of the cursor.
  var startsOver: Bool
  var options: PullOptions

  /// The parent document of the collection.
  var parent: String { "Feedback/\(bundleId)" }
  var collection: String { "\(parent)/\(Self.collectionId)" }
  var query: StructuredQuery { source.query(selecting: nil) }
  var keys: KeyMapping { source.keys }

  static let collectionId = "Rating_Feedback"
  private var source: CollectionSource {
    CollectionSource(collectionId: Self.collectionId, parent: parent)
  }

  /// The request for all documents by name at first, then for new ones by time and name.
  var pull: PullRequest {
    var options = options
    options.watermark = Watermark(
      field: FeedbackMapping.timeField, overlap: overlap, forms: [.unixSeconds, .timestamp],
      startsOver: startsOver)
    options.remembersSkipped = true
    return PullRequest(
      query: query, parent: parent, table: .feedback, mapping: FeedbackMapping(at: options.now),
      cursorKey: SyncTable.feedback.cursorPrefix + collection, options: options)
  }
}

struct FeedbackPullResult: Sendable {
  /// The result, which is the sum of both loads if a second one was necessary.
  var pull: PullResult
  /// The number of documents missing after the incremental load, which made a complete load
  /// necessary.
  var lateCount = 0
}

/// A pull of the app's own feedback that reads only new documents.
struct FeedbackPull: Sendable {
  let port: any FirestorePort
  let store: Store
  let reads: ReadBudgetMeter

  private var pull: Pull { Pull(port: port, store: store, reads: reads) }

  /// Pulls new documents, and all documents if the count shows that an older one arrived late.
  ///
  /// A phone that was offline may deliver feedback days after the feedback's own time.
  func run(_ request: FeedbackPullRequest) async throws -> FeedbackPullResult {
    try store.write { try $0.forgetFeedback(outside: request.collection) }
    let isIncremental = try store.read { try request.pull.resumed(in: $0).isIncremental }
    var result = FeedbackPullResult(pull: try await pull.run(request.pull))
    guard isIncremental, result.pull.isComplete else { return result }
    let known = try store.read { try $0.mirrorCounts(of: .feedback) }
    let counted = try await pull.count(
      of: request.query, under: request.parent, readTime: result.pull.readTime)
    guard let counted else {
      result.pull.isComplete = false
      return result
    }
    result.lateCount = max(0, counted - known.rows - known.skipped)
    guard result.lateCount > 0 else { return result }
    var whole = request
    whole.startsOver = true
    let all = try await pull.run(whole.pull)
    result.pull.add(all)
    // The second load has seen the documents that the first one left unchanged or skipped.
    result.pull.counts.unchanged = all.counts.unchanged
    result.pull.counts.skipped = all.counts.skipped
    result.pull.notes = all.notes
    result.pull.readTime = all.readTime
    return result
  }
}
