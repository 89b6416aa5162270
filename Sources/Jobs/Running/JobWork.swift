import Model

/// The work of one job: what it would do, and doing it.
protocol JobWork: Sendable {
  /// Why the work would be done now; nothing is changed.
  func trigger() throws -> Run.Trigger

  /// What the work would do now, as a sentence; nothing is changed and nothing requested.
  func plan() throws -> String

  /// What it would ask servers for now; nothing is changed, and no document asked for.
  func plannedRequests() async throws -> PlannedRequests

  /// Does it.
  ///
  /// Dying anywhere inside must leave a state from which doing it again ends as if it had been
  /// done once.
  func perform() async throws -> JobResult
}

extension JobWork {
  func trigger() throws -> Run.Trigger { .scheduled }

  func plannedRequests() async throws -> PlannedRequests { PlannedRequests() }
}

extension Job {
  /// What the job does, as its kind does it.
  func work(_ context: JobContext) -> any JobWork {
    switch kind {
    case .syncSettings(let options): SettingsSync(options, context)
    case .syncUsers(let options): UsersSync(options, job: name, context)
    case .syncCollection(let options): CollectionSync(options, job: name, context)
    case .syncReviews(let options): ReviewsSync(options, context)
    case .importEvents(let options): EventsImport(options, context)
    case .uploadOutbox(let options): OutboxDelivery(options, context)
    case .report(let options): ReportWriting(options, context)
    case .maintain(let options): Maintenance(options, context)
    }
  }
}
