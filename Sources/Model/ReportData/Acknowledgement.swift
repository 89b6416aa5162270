/// A finding that a person knows of and need not be told again: docs/findings.md#acknowledge.
package struct Acknowledgement: Codable, Hashable, Sendable {
  /// The id of the finding, such as `usage-outage-2026-11-20`.
  package let id: String
  package let at: Instant
  /// The day on which it is listed again, as `2026-12-01`; nil until the finding is over.
  package let until: String?

  package init(id: String, at: Instant, until: String? = nil) {
    self.id = id
    self.at = at
    self.until = until
  }

  /// Whether it keeps the finding quiet at an instant of a day, as `2026-11-30`.
  ///
  /// Of an earlier instant, as a past day is judged, it knows nothing.
  package func isInForce(at now: Instant, on day: String) -> Bool {
    at <= now && until.map { day < $0 } ?? true
  }
}
