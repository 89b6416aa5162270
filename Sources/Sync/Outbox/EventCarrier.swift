package import Feeds
import Firestore
package import Model

/// Takes events to Google Analytics, each at most once; see `docs/jobs.md#analytics`.
///
/// Google counts an event as often as it arrives and cannot be asked whether it did, so an item
/// whose fate is unknown is not sent again unless the operator says so.
package struct EventCarrier: SingleCarrier {
  /// How long after an event Google Analytics still takes it, in hours.
  package static let longestDelayHours = 72

  private let client: MeasurementClient
  private let appInstanceId: String

  /// - Parameters:
  ///   - client: where the events go.
  ///   - appInstanceId: the installation that they are reported for.
  package init(client: MeasurementClient, appInstanceId: String) {
    self.client = client
    self.appInstanceId = appInstanceId
  }

  package var kind: OutboxItem.Kind { .event }

  package func deliver(
    _ item: OutboxItem, at now: Instant, credentialsKnownGood: Bool, sending: () throws -> Void
  ) async throws -> OutboxFate {
    guard !item.mayHaveArrived else {
      return Self.unknown(item, because: "Its sender was stopped.")
    }
    guard now - item.createdAt <= .seconds(Self.longestDelayHours * 3_600) else {
      return .rejected(
        reason:
          "Google Analytics takes events for \(Self.longestDelayHours) hours; this one is older.")
    }
    let body: [UInt8]
    do {
      var members = try JSON(parsing: Array(item.payload.utf8)).members()
      members["app_instance_id"] = .string(appInstanceId)
      body = JSON.object(members).serialized()
    } catch {
      return .rejected(reason: "Its payload are no events that can be read: \(error)")
    }
    try sending()
    return fate(of: item, after: try await client.send(body))
  }

  private func fate(of item: OutboxItem, after outcome: MeasurementClient.Outcome) -> OutboxFate {
    switch outcome {
    case .received: .delivered(remoteName: nil)
    case .tryLater(let error): .retryLater(OutboxFailure(error, isAbsent: true))
    case .refused(let error): .rejected(reason: "\(error)")
    case .unreachable(let error): .stopped(OutboxFailure(error, isAbsent: true))
    case .unknown(let error): Self.unknown(item, because: "\(error)")
    }
  }

  private static func unknown(_ item: OutboxItem, because reason: String) -> OutboxFate {
    .parked(
      until: nil,
      reason: "It may have reached Google Analytics, where a second time would count twice. "
        + "\(reason) 'firetally outbox retry \(item.id)' sends it all the same.")
  }
}
