import Firestore
import Model
import Session
import Store
import Sync

/// The kind `upload-outbox`: delivers queued feedback; see `docs/jobs.md#upload-outbox`.
struct OutboxDelivery: JobWork {
  private let options: UploadOutboxOptions
  private let context: JobContext

  init(_ options: UploadOutboxOptions, _ context: JobContext) {
    self.options = options
    self.context = context
  }

  func plan() throws -> String {
    "Would deliver \(try dueCount()) items of feedback."
  }

  func perform() async throws -> JobResult {
    guard try dueCount() > 0 else { return JobResult(.fresh, "Nothing to deliver.") }
    let client = try await context.firestore()
    let upload = OutboxUpload(
      port: client, store: context.store, bundleId: context.config.app.bundleId,
      random: context.random)
    let result = try await upload.run(at: context.now, maxItems: options.maxItems)
    var counts = RunCounts(inserted: result.delivered)
    counts.skipped["rejected"] = result.rejected > 0 ? result.rejected : nil
    counts.skipped["retry-later"] = result.requeued > 0 ? result.requeued : nil
    return JobResult(
      outcome(of: result), summary(of: result), counts: counts, warnings: result.problems,
      problem: result.stoppedBy)
  }

  /// Items that wait for nothing, or that a dead process was sending.
  private func dueCount() throws -> Int {
    try context.store.read { reader in
      let due = try reader.dueOutboxItems(
        kind: .feedback, at: context.now, limit: options.maxItems)
      return try due.count + reader.sendingOutboxItems(kind: .feedback).count
    }
  }

  private func outcome(of result: OutboxUpload.Result) -> Run.Outcome {
    if result.stoppedBy != nil { return .failed }
    return result.requeued + result.rejected > 0 ? .partial : .ok
  }

  private func summary(of result: OutboxUpload.Result) -> String {
    "\(result.delivered) delivered, \(result.requeued) to be tried again, "
      + "\(result.rejected) rejected."
  }
}
