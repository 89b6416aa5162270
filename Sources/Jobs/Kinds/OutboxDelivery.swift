import Firestore
import Model
import Session
import Store
import Sync

/// The kind `upload-outbox`: delivers what waits in the outbox; see `docs/jobs.md#upload-outbox`.
///
/// Each kind of item has a server of its own; one that fails does not hold up the others.
struct OutboxDelivery: JobWork {
  private let options: UploadOutboxOptions
  private let context: JobContext

  init(_ options: UploadOutboxOptions, _ context: JobContext) {
    self.options = options
    self.context = context
  }

  func plan() throws -> String {
    let counts = try options.kinds.map { "\(try dueCount(of: $0)) of kind \($0.rawValue)" }
    return "Would deliver items: \(counts.joined(separator: ", "))."
  }

  func plannedRequests() throws -> PlannedRequests {
    let uploads = try options.kinds.map {
      PlannedRequests.Upload(kind: $0, count: try dueCount(of: $0))
    }
    let readsBack = uploads.contains { $0.kind == .feedback && $0.count > 0 }
    return PlannedRequests(
      uploads: uploads,
      unknown: readsBack
        ? ["Feedback whose id is taken is read back: at most one billed read an item, mostly none."]
        : [])
  }

  func perform() async throws -> JobResult {
    var tally = DeliveryTally()
    for kind in options.kinds where try dueCount(of: kind) > 0 {
      let carrier: any OutboxCarrier
      do {
        carrier = try await self.carrier(of: kind, &tally)
      } catch let error as CancellationError {
        throw error
      } catch {
        tally.stop(error)
        continue
      }
      let upload = OutboxUpload(
        carrier, store: context.store, random: context.random, elapsed: context.elapsed)
      tally.add(try await upload.run(at: context.now, maxItems: options.maxItems))
    }
    return tally.result
  }

  private func carrier(
    of kind: OutboxItem.Kind, _ tally: inout DeliveryTally
  ) async throws -> any OutboxCarrier {
    switch kind {
    case .feedback:
      return FeedbackCarrier(
        port: try await context.firestore(), bundleId: context.config.app.bundleId)
    case .moment:
      let (client, warning) = try context.moments()
      if let warning { tally.warn(warning) }
      return MomentCarrier(client: client, store: context.store)
    case .event:
      let (carrier, warning) = try context.analytics()
      if let warning { tally.warn(warning) }
      return carrier
    }
  }

  /// Items that wait for nothing, whose day has come, or that a dead process was sending.
  private func dueCount(of kind: OutboxItem.Kind) throws -> Int {
    try context.store.read { reader in
      let due = try reader.dueOutboxItems(kind: kind, at: context.now, limit: options.maxItems)
      let woken = kind == .moment ? try ParkedMoments.due(at: context.now, in: reader) : []
      return try due.count + woken.count + reader.sendingOutboxItems(kind: kind).count
    }
  }
}

/// What became of the items of all kinds.
private struct DeliveryTally {
  private var sum = OutboxUpload.Result()
  private var stops: [any Error] = []
  private var isFresh = true

  mutating func add(_ result: OutboxUpload.Result) {
    isFresh = false
    sum.delivered += result.delivered
    sum.requeued += result.requeued
    sum.parked += result.parked
    sum.rejected += result.rejected
    sum.problems += result.problems
    stops += [result.stoppedBy].compactMap(\.self)
  }

  mutating func warn(_ warning: String) { sum.problems.append(warning) }

  mutating func stop(_ error: any Error) {
    isFresh = false
    stops.append(error)
  }

  var result: JobResult {
    guard !isFresh else { return JobResult(.fresh, "Nothing to deliver.") }
    var counts = RunCounts(inserted: sum.delivered)
    let skipped = [
      "rejected": sum.rejected, "retry-later": sum.requeued, "parked": sum.parked,
    ]
    counts.skipped = skipped.filter { $0.value > 0 }
    return JobResult(
      outcome, summary, counts: counts,
      warnings: sum.problems + stops.dropFirst().map { String(describing: $0) },
      problem: stops.first)
  }

  private var outcome: Run.Outcome {
    if !stops.isEmpty { return .failed }
    return sum.requeued + sum.rejected > 0 ? .partial : .ok
  }

  private var summary: String {
    "\(sum.delivered) delivered, \(sum.requeued) to be tried again, \(sum.rejected) rejected"
      + (sum.parked > 0 ? ", \(sum.parked) parked." : ".")
  }
}
