import Firestore
package import Model

/// Takes feedback to Firestore, as `Feedback/{bundle id}/Rating_Feedback/{second}`.
///
/// Several items are created by one request, and those whose ids are taken read back by another.
package struct FeedbackCarrier: OutboxCarrier {
  /// As many as Google's own bulk writer puts in a request; see `docs/firestore.md#ramp`.
  package static let batchSize = 20

  private let port: any FirestorePort
  private let collection: String

  /// - Parameters:
  ///   - port: where the documents go.
  ///   - bundleId: the app's document under `Feedback`.
  package init(port: any FirestorePort, bundleId: String) {
    self.port = port
    collection = "Feedback/\(bundleId)/Rating_Feedback"
  }

  package var kind: OutboxItem.Kind { .feedback }

  package var batchSize: Int { Self.batchSize }

  package func deliver(
    _ items: [OutboxItem], at now: Instant, credentialsKnownGood: Bool,
    sending: ([OutboxItem]) throws -> Void
  ) async throws -> [OutboxFate] {
    var deliveries = items.map { FeedbackDelivery($0, collection: collection) }
    let readable = zip(items, deliveries).filter { $1.fate == nil }.map(\.0)
    if !readable.isEmpty { try sending(readable) }
    var isKnownGood = credentialsKnownGood
    while deliveries.contains(where: { $0.fate == nil }) {
      try await create(&deliveries, &isKnownGood)
      try await read(&deliveries, isKnownGood)
    }
    return deliveries.compactMap(\.fate)
  }

  /// Creates the next document of each delivery; of those that want the same one, the first's.
  private func create(
    _ deliveries: inout [FeedbackDelivery], _ isKnownGood: inout Bool
  ) async throws {
    var documents: [String: [String: Value]] = [:]
    var owners: [String: Int] = [:]
    for (index, delivery) in deliveries.enumerated() {
      guard let wish = delivery.creation, owners[wish.path] == nil else { continue }
      (documents[wish.path], owners[wish.path]) = (wish.fields, index)
    }
    do {
      let failures = try await create(documents)
      isKnownGood = isKnownGood || failures.count < documents.count
      for (path, index) in owners {
        deliveries[index].created(failures[path], credentialsKnownGood: isKnownGood)
      }
    } catch let error as FirestoreError where documents.count > 1 && error.mayConcernBatch {
      for index in owners.values { deliveries[index].part() }
    } catch let error as FirestoreError {
      for index in owners.values {
        deliveries[index].created(error, credentialsKnownGood: isKnownGood)
      }
    }
  }

  /// One document goes the way that needs the fewest rights.
  private func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] {
    guard documents.count == 1, let (path, fields) = documents.first else {
      return documents.isEmpty ? [:] : try await port.create(documents)
    }
    let id = String(path.dropFirst(collection.count + 1))
    try await port.create(documentId: id, in: collection, fields: fields)
    return [:]
  }

  /// Reads the documents that hold the ids of deliveries.
  private func read(_ deliveries: inout [FeedbackDelivery], _ isKnownGood: Bool) async throws {
    let waiting = deliveries.indices.filter { deliveries[$0].reading != nil }
    guard !waiting.isEmpty else { return }
    do {
      let paths = Set(waiting.compactMap { deliveries[$0].reading })
      let found = try await port.documents(at: paths.sorted())
      for index in waiting {
        deliveries[index].read(deliveries[index].reading.flatMap { found[$0]?.fields })
      }
    } catch let error as FirestoreError {
      for index in waiting {
        deliveries[index].failed(error, credentialsKnownGood: isKnownGood)
      }
    }
  }
}

extension FirestoreError {
  /// Whether a document of the batch, or batches as such, may be what was refused.
  ///
  /// See `docs/firestore.md#writes`.
  fileprivate var mayConcernBatch: Bool { reason == .permissionDenied || reason == .invalid }
}
