import FoundationEssentials
import Model

/// Events as Google Analytics takes them, but for the ids that the delivery adds.
///
/// See `docs/jobs.md#analytics`, and "Measurement Protocol reference" at developers.google.com.
struct MeasurementBody: Encodable {
  private let userId: String?
  private let timestampMicros: Int64
  private let events: [Entry]

  /// Nil when Google Analytics would take none of the events.
  ///
  /// - Precondition: all events are of the instant `now`.
  init?(_ events: [Event], userId: String?, at now: Instant) {
    self.events = events.compactMap(Entry.init)
    guard !self.events.isEmpty else { return nil }
    self.userId = userId
    timestampMicros = now.microseconds
  }

  /// JSON with sorted keys, as the outbox keeps it.
  func payload() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  private enum CodingKeys: String, CodingKey {
    case userId = "user_id"
    case timestampMicros = "timestamp_micros"
    case events
  }

  private struct Entry: Encodable {
    /// Characters of an event's or a parameter's name; what is longer would be dropped by Google.
    static let longestName = 40
    /// Characters of a parameter's text; the rest is cut off.
    static let longestText = 100
    static let mostParameters = 25

    let name: String
    let params: [String: Value]

    init?(_ event: Event) {
      guard event.name.count <= Self.longestName else { return nil }
      name = event.name
      let sendable = event.parameters.filter { $0.key.count <= Self.longestName }
        .sorted { $0.key < $1.key }.prefix(Self.mostParameters)
      params = Dictionary(uniqueKeysWithValues: sendable.map { ($0.key, Value(value: $0.value)) })
    }
  }

  private struct Value: Encodable {
    let value: EventValue

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .string(let text): try container.encode(String(text.prefix(Entry.longestText)))
      case .integer(let number): try container.encode(number)
      case .double(let number): try container.encode(number)
      }
    }
  }
}
