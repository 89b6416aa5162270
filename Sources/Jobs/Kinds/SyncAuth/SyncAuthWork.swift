import Firestore
import Model
import Sync

/// The kind `sync-auth`: reads all accounts of Firebase Authentication;
/// docs/jobs/sync-auth.md.
struct SyncAuthWork: JobWork {
  private let options: SyncAuthOptions
  private let job: String
  private let context: JobContext

  init(_ options: SyncAuthOptions, job: String, _ context: JobContext) {
    self.options = options
    self.job = job
    self.context = context
  }

  func plan() throws -> String {
    "Would read all accounts of Firebase Authentication into the table auth_users, "
      + "\(options.pageSize) a page. Accounts are not billed as reads; each page is one request of "
      + "the project's quota."
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    let port = try await context.services.accounts.accounts()
    let key = options.hashesContacts ? try ContactKey.made(in: context.folder) : nil
    let result = try await AccountsPull(port: port, store: context.store).run(
      AccountsPullRequest(
        job: job, mapping: options.mapping(key.map { ContactHash($0.hash) }),
        pageSize: options.pageSize, maxDelete: options.maxDelete,
        startsOver: context.options.isFull, now: context.now, onPage: observePages(within: budget)))
    let counts = result.counts
    let isWhole = counts.skippedTotal == counts.skipped[ErasedPeople.countedAs, default: 0]
    var ended = JobResult(
      isWhole && result.notes.isEmpty && result.kept == nil ? .ok : .partial, summary(of: counts),
      counts: counts, warnings: warnings(about: result, key))
    if result.passCount == 0, result.kept == nil {
      ended.reportEmptiness(
        "Nothing was stored: the project has no accounts.", isExpected: options.allowsEmpty)
    }
    return ended
  }

  private func observePages(within budget: RunBudget) -> @Sendable (Int) -> Void {
    context.observePages(of: job, "accounts", total: nil, within: budget)
  }

  private func summary(of counts: RunCounts) -> String {
    "\(counts.fetched) accounts read: \(counts.inserted) new, \(counts.updated) changed, "
      + "\(counts.unchanged) unchanged"
      + (counts.deleted > 0 ? ", \(counts.deleted) removed." : ".")
  }

  private func warnings(about result: AccountsPullResult, _ key: ContactKey?) -> [String] {
    var warnings = [result.resumption].compactMap(\.self)
    if result.startedOver {
      warnings.append(
        "Firebase Authentication no longer takes the position of the interrupted load, so it began "
          + "again.")
    }
    if !result.notes.isEmpty {
      let notes = result.notes.sorted { $0.key < $1.key }
      warnings.append(
        "Left empty, because it cannot be read: "
          + notes.map { "\($0.key) (\($0.value))" }.joined(separator: ", ") + ".")
    }
    if let kept = result.kept {
      warnings.append(
        "\(kept.missing) of \(kept.rows) rows have lost their account, but max_delete "
          + "(\(options.maxDelete.text)) allows \(kept.allowed): nothing was deleted. If that many "
          + "are gone, raise max_delete and run the job again.")
    }
    if let key { warnings += key.warnings(in: context.folder) }
    return warnings
  }
}
