package import Model
package import Store
import Sync
package import Workspace

/// How a job of kind `upload-outbox` works; see `docs/jobs/upload-outbox.md`.
package struct UploadOutboxOptions: JobKind {
  package static let kind = JobKindName("upload-outbox")

  /// The kinds of items to deliver; not empty.
  package var kinds = OutboxItem.Kind.allCases
  /// The largest number of items of each kind that one run delivers; 1 to 10,000.
  package var maxItems = 500

  package static let itemCounts = 1...10_000

  package static let options = OptionKeys(
    UploadOutboxOptions(),
    [
      .key("kinds", \.kinds, .choices(of: OutboxItem.Kind.self)),
      .key("max_items", \.maxItems, .integer(itemCounts)),
    ])

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    UploadOutboxWork(options: self, context: context)
  }
}

/// The work of the kind `upload-outbox`: delivers items of the outbox; see
/// `docs/jobs/upload-outbox.md`.
///
/// Each kind of item has its own server; a failing server does not delay the others.
struct UploadOutboxWork: JobWork {
  let options: UploadOutboxOptions
  let context: JobContext

  func plan() throws -> String {
    let counts = try options.kinds.map { "\(try dueCount(of: $0)) of kind \($0.rawValue)" }
    return "Would deliver items: \(counts.joined(separator: ", "))."
  }

  func plannedRequests() throws -> PlannedRequests {
    let uploads = try options.kinds.map {
      PlannedRequests.Upload(kind: $0, count: try dueCount(of: $0))
    }
    let readsBack = uploads.contains { $0.kind == .feedback && $0.count > 0 }
    return PlannedRequests(uploads: uploads, unknown: readsBack ? [.feedbackReadBack] : [])
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    var tally = DeliveryTally()
    for kind in options.kinds {
      let due = try dueCount(of: kind)
      guard due > 0 else { continue }
      context.observer.begin("\(kind.rawValue)", "items", total: due)
      let sender: any OutboxSender
      do {
        sender = try await self.sender(of: kind, &tally)
      } catch let error as CancellationError {
        throw error
      } catch {
        tally.stop(error)
        continue
      }
      let upload = OutboxUpload(
        sender, store: context.store, random: context.clock.random, elapsed: context.clock.elapsed,
        tried: { [observer = context.observer] in observer.advance(by: $0) })
      tally.add(try await upload.run(at: context.now, maxItems: options.maxItems))
    }
    return tally.result
  }

  private func sender(
    of kind: OutboxItem.Kind, _ tally: inout DeliveryTally
  ) async throws -> any OutboxSender {
    switch kind {
    case .feedback:
      return FeedbackSender(
        port: try await context.services.firestore.database(), store: context.store,
        bundleId: context.config.app.bundleId)
    case .moment:
      let (sender, warning) = try context.services.moments()
      if let warning { tally.warn(warning) }
      return sender
    case .event:
      let (sender, warning) = try context.services.analytics()
      if let warning { tally.warn(warning) }
      return sender
    }
  }

  /// Counts the items that are due or woken, and those that a dead process was sending.
  private func dueCount(of kind: OutboxItem.Kind) throws -> Int {
    try context.store.read { reader in
      let due = try reader.dueOutboxItems(kind: kind, at: context.now, limit: options.maxItems)
      let woken = kind == .moment ? try ParkedMoments.due(at: context.now, in: reader) : []
      return try due.count + woken.count + reader.sendingOutboxItems(kind: kind).count
    }
  }
}

/// The results of all kinds of items.
private struct DeliveryTally {
  private var sum = OutboxUploadResult()
  private var stops: [any Error] = []
  private var isFresh = true
  private var alerts: [RunWarning] = []

  mutating func add(_ result: OutboxUploadResult) {
    isFresh = false
    sum.delivered += result.delivered
    sum.requeued += result.requeued
    sum.parked += result.parked
    sum.rejected += result.rejected
    sum.problems += result.problems
    stops += [result.stoppedBy].compactMap(\.self)
  }

  /// Adds an alert about a secret that others can read.
  mutating func warn(_ warning: String) { alerts.append(.alert(warning)) }

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
    var result = JobResult(
      outcome, summary, counts: counts,
      warnings: sum.problems + stops.dropFirst().map { String(describing: $0) },
      problem: stops.first)
    result.warnings += alerts
    return result
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
