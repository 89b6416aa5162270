import Firestore
import Model
import Store
import Sync

/// Which app's feedback is pulled; see `docs/jobs/sync-feedback.md`.
struct FeedbackPullRequest: Sendable {
  var bundleId: String
  /// How much later than others a document may become visible.
  var overlap: Duration
  /// Whether to read everything, whatever was reached.
  var startsOver: Bool
  var options: PullOptions

  /// The document that the collection belongs to.
  var parent: String { "Feedback/\(bundleId)" }
  var collection: String { "\(parent)/\(Self.collectionId)" }
  var query: StructuredQuery { source.query(selecting: nil) }
  var keys: KeyMapping { source.keys }

  static let collectionId = "Rating_Feedback"
  private var source: CollectionSource {
    CollectionSource(collectionId: Self.collectionId, parent: parent)
  }

  /// All documents by name at first, then the new ones by time and name.
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
  /// Of both loads, where a second one was needed.
  var pull: PullResult
  /// Documents that the new ones did not account for, so that everything was read again.
  var lateCount = 0
}

/// Mirrors the app's own feedback, reading only what is new.
struct FeedbackPull: Sendable {
  let port: any FirestorePort
  let store: Store
  let reads: ReadBudgetMeter

  private var pull: Pull { Pull(port: port, store: store, reads: reads) }

  /// Pulls what is new, and everything when the count shows that an older text has come late.
  ///
  /// A phone that was offline delivers a text days after the time that the text names.
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
    // It has met again the documents that the first load left unchanged, or out.
    result.pull.counts.unchanged = all.counts.unchanged
    result.pull.counts.skipped = all.counts.skipped
    result.pull.notes = all.notes
    result.pull.readTime = all.readTime
    return result
  }
}
