import Model
import Store
import Sync

/// What follows the last rows of a sync, and what is said of it.
extension UsersSync {
  /// The counts of a sync, which it stores, and the sentences about it.
  func result(
    of pulled: PullResult, _ request: SyncUsersRequest, _ checked: Reconciler.Result
  ) throws -> JobResult {
    try countOnline(pulled, request)
    var pulled = pulled
    pulled.add(checked.refreshed)
    var counts = pulled.counts
    counts.deleted += checked.deleted
    if checked.deleted > 0 { try context.store.write { try $0.recordWhetherEmpty() } }
    return JobResult(
      pulled.isComplete && checked.isComplete ? outcome(of: counts, checked) : .blocked,
      summary(of: counts, pulled), counts: counts, readTime: pulled.readTime,
      warnings: warnings(about: pulled) + checked.warnings)
  }

  /// Records how many users are online; a sync by a filter, or one that is not over, says nothing
  /// of that.
  private func countOnline(_ pulled: PullResult, _ request: SyncUsersRequest) throws {
    guard pulled.isComplete, request.filter.isEmpty else { return }
    let documents = pulled.counts.fetched + (pulled.resumedAfter ?? 0)
    try context.store.write { writer in
      let count = OnlineCount(
        at: context.now, online: try writer.usersOnline(at: context.now), documents: documents,
        skipped: pulled.counts.skippedTotal, limit: request.options.maxDocuments)
      try writer.record(count, job: job)
    }
  }

  /// Reports a sync that stored nothing; `siblings` is nil where nothing may be asked.
  func report(
    of pulled: PullResult, _ request: SyncUsersRequest, among siblings: SiblingCollections?,
    to result: inout JobResult
  ) async throws {
    guard pulled.storedNothing else { return }
    result.reportEmptiness(
      try await emptiness(of: pulled, request, among: siblings), isExpected: options.allowsEmpty)
  }

  /// Why a sync stored nothing, in a sentence.
  private func emptiness(
    of pulled: PullResult, _ request: SyncUsersRequest, among siblings: SiblingCollections?
  ) async throws -> String {
    let collection = "the collection \(options.collection)"
    // Where documents came, or nobody wonders, nobody pays for a look around.
    let names =
      options.allowsEmpty || pulled.counts.fetched > 0
      ? nil : try await siblings?.collections(under: nil)
    let isThere = names?.contains(options.collection)
    guard request.filter.isEmpty || isThere == false else {
      return EmptyLoad.sentence(about: request.filter, city: request.city)
    }
    guard pulled.counts.fetched == 0 else {
      return "Nothing was stored: no document of \(collection) is a user that is listed."
    }
    if isThere == true, let field = request.pull.query.orderField {
      return
        "Nothing was stored: no document of \(collection) has the field \(field), by which the "
        + "load is ordered."
    }
    return EmptyLoad.sentence(
      aboutEmpty: collection, id: options.collection, siblings: names,
      of: siblings?.place(under: nil) ?? "")
  }

  /// Documents that a rule leaves out are as they should be; unreadable ones are not.
  private func outcome(of counts: RunCounts, _ checked: Reconciler.Result) -> Run.Outcome {
    checked.isPartial || counts.skipped.keys.contains { $0.hasPrefix("bad-field") }
      ? .partial : .ok
  }

  private func summary(of counts: RunCounts, _ pulled: PullResult) -> String {
    let emptied = pulled.emptiedFields.values.reduce(0, +)
    return "\(counts.fetched) fetched: \(counts.inserted) new, \(counts.updated) changed, "
      + "\(counts.unchanged) unchanged, \(counts.skippedTotal) skipped"
      + (emptied > 0 ? ", \(emptied) \(emptied == 1 ? "field" : "fields") left empty" : "")
      + (counts.deleted > 0 ? ", \(counts.deleted) removed." : ".")
  }

  private func warnings(about pulled: PullResult) -> [String] {
    var warnings = [pulled.resumption].compactMap(\.self)
    if pulled.correctedTimes > 0 {
      warnings.append(
        "Last-seen times in the future, stored as 30 days ago "
          + "(clock-ahead): \(pulled.correctedTimes).")
    }
    let emptied = pulled.emptiedFields.sorted { $0.key < $1.key }
    if !emptied.isEmpty {
      warnings.append(
        "Unreadable, and left empty: "
          + emptied.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + ".")
    }
    return warnings
  }
}
