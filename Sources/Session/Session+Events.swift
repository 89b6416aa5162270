import Model
import Store

extension Session {
  /// Appends events of one instant to the ledger, and queues them for Google Analytics where the
  /// workspace delivers them; see `docs/jobs.md#analytics`.
  func append(
    _ events: [Event], of profile: Profile, now: Instant, in writer: Writer
  ) throws {
    try writer.append(events, source: eventSource)
    guard deliversEvents,
      let body = MeasurementBody(events, userId: profile.userId, at: now)
    else { return }
    _ = try writer.enqueue(.event, profile: profileName, payload: try body.payload(), at: now)
  }

  /// Where the ledger says that the events of commands came from.
  private var eventSource: String { "session" }
}
