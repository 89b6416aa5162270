import Feeds
import Firestore
package import Model
package import Store
package import Sync

/// A sender of events to Google Analytics, each at most once; see `docs/jobs.md#analytics`.
///
/// Google counts an event each time it arrives and cannot be asked whether it has one. So an item
/// with an unknown outcome is sent again only on the operator's request.
package struct EventSender: SingleItemSender {
  /// The age up to which Google Analytics accepts an event, in hours.
  package static let longestDelayHours = 72

  let client: MeasurementClient
  /// The app installation that events are reported for.
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
