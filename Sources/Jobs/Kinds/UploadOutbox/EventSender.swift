import Feeds
import Firestore
package import Model
package import Store
package import Sync

/// Takes events to Google Analytics, each at most once; see `docs/jobs.md#analytics`.
///
/// Google counts an event as often as it arrives, and cannot be asked whether it has one. So an
/// item whose outcome is unknown is only sent again when the operator says so.
package struct EventSender: SingleItemSender {
  /// The age up to which Google Analytics accepts an event, in hours.
  package static let longestDelayHours = 72

  let client: MeasurementClient
  /// The installation that events are reported for.
  let appInstanceId: String

  package var kind: OutboxItem.Kind { .event }

  package func deliver(
    _ item: OutboxItem, at now: Instant, credentialsKnownGood: Bool, sending: () throws -> Void
  ) async throws -> DeliveryOutcome {
    guard !item.mayHaveArrived else {
      return Self.unknown(item, because: "Its sender was stopped.")
    }
    guard now - item.createdAt <= .seconds(Self.longestDelayHours * 3_600) else {
      return .rejected(
        reason:
          "Google Analytics accepts events up to \(Self.longestDelayHours) hours old; "
          + "this one is older."
      )
    }
    let body: [UInt8]
    do {
      var members = try JSON(parsing: Array(item.payload.utf8)).members()
      members["app_instance_id"] = .string(appInstanceId)
      body = JSON.object(members).serialized()
    } catch {
      return .rejected(reason: "The payload holds no readable events: \(error)")
    }
    try sending()
    return outcome(of: item, after: try await client.send(body))
  }

  private func outcome(of item: OutboxItem, after outcome: MeasurementClient.Outcome)
    -> DeliveryOutcome
  {
    switch outcome {
    case .received: .delivered(remoteName: nil)
    case .tryLater(let error): .retryLater(Self.failure(error))
    case .refused(let error): .rejected(reason: "\(error)")
    case .unreachable(let error): .stopped(Self.failure(error))
    case .unknown(let error): Self.unknown(item, because: "\(error)")
    }
  }

  private static func failure(_ error: any Error) -> OutboxFailure {
    OutboxFailure(error, isAbsent: true, isSilence: FeedError.isSilence(error))
  }

  private static func unknown(_ item: OutboxItem, because reason: String) -> DeliveryOutcome {
    .parked(
      until: nil,
      reason: "It may have reached Google Analytics, and sending it again would count it twice. "
        + "\(reason) `firetally outbox retry \(item.id)` sends it anyway.")
  }
}

/// Events in the form of Google Analytics, without the ids that the delivery adds.
///
/// See `docs/jobs.md#analytics`, and "Measurement Protocol reference" at developers.google.com.
struct MeasurementBody: Encodable {
  private let userId: String?
  private let timestampMicros: Int64
  private let events: [AnalyticsEvent]

  /// Nil when Google Analytics would accept none of the events.
  ///
  /// - Precondition: all events have the time `now`.
  init?(_ events: [Event], userId: String?, at now: Instant) {
    self.events = events.compactMap(AnalyticsEvent.init)
    guard !self.events.isEmpty else { return nil }
    self.userId = userId
    timestampMicros = now.microseconds
  }

  /// The most characters of an event's or a parameter's name; Google drops longer ones.
  static let longestName = 40

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
