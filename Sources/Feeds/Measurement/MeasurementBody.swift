package import Model

/// Events in the form of Google Analytics, without the ids that the delivery adds.
///
/// See `docs/jobs.md#analytics`, and "Measurement Protocol reference" at developers.google.com.
package struct MeasurementBody: Encodable {
  private let userId: String?
  private let timestampMicros: Int64
  private let events: [AnalyticsEvent]

  /// Nil when Google Analytics would accept none of the events.
  ///
  /// - Precondition: all events have the time `now`.
  package init?(_ events: [Event], userId: String?, at now: Instant) {
    self.events = events.compactMap(AnalyticsEvent.init)
    guard !self.events.isEmpty else { return nil }
    self.userId = userId
    timestampMicros = now.microseconds
  }

  /// The most characters of an event's or a parameter's name; Google drops longer ones.
  package static let longestName = 40

  private enum CodingKeys: String, CodingKey {
    case userId = "user_id"
    case timestampMicros = "timestamp_micros"
    case events
  }

  private struct AnalyticsEvent: Encodable {
    /// The most characters of a parameter's text; the rest is cut.
    static let longestText = 100
    static let mostParameters = 25

    let name: String
    let params: [String: AnalyticsValue]

    init?(_ event: Event) {
      guard event.name.count <= MeasurementBody.longestName else { return nil }
      name = event.name
      let sendable = event.parameters.filter { $0.key.count <= MeasurementBody.longestName }
        .sorted { $0.key < $1.key }.prefix(Self.mostParameters)
      params = Dictionary(
        uniqueKeysWithValues: sendable.map { ($0.key, AnalyticsValue(value: $0.value)) })
    }
  }

  private struct AnalyticsValue: Encodable {
    let value: EventValue

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .string(let text): try container.encode(String(text.prefix(AnalyticsEvent.longestText)))
      case .integer(let number): try container.encode(number)
      case .double(let number): try container.encode(number)
      }
    }
  }
}
