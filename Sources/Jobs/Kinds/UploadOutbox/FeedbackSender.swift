package import Firestore
package import Model
package import Store
package import Sync

/// A sender of feedback to Firestore, as `Feedback/{bundle id}/Rating_Feedback/{second}`.
///
/// One request creates several items, and another one reads the documents of taken ids. An item's
/// next path is stored before the request is sent.
package struct FeedbackSender: OutboxSender {
  /// The batch size of Google's own bulk writer; see `docs/firestore.md#ramp`.
  package static let batchSize = 20

  static let collectionId = "Rating_Feedback"

  let port: any FirestorePort
  let store: Store
  let collection: String
  /// The parent document of the collection.
  let parent: String

  /// `bundleId` is the app's document under `Feedback`.
  package init(port: any FirestorePort, store: Store, bundleId: String) {
    self.port = port
    self.store = store
    parent = "Feedback/\(bundleId)"
    collection = "\(parent)/\(Self.collectionId)"
  }

  package var kind: OutboxItem.Kind { .feedback }

  package var batchSize: Int { Self.batchSize }

  package func deliver(
    _ items: [OutboxItem], at now: Instant, credentialsKnownGood: Bool,
    sending: ([OutboxItem]) throws -> Void
  ) async throws -> [DeliveryOutcome] {
    var deliveries = items.map { FeedbackDelivery($0, collection: collection) }
    let readable = zip(items, deliveries).filter { $1.outcome == nil }.map(\.0)
    if !readable.isEmpty { try sending(readable) }
    var isKnownGood = credentialsKnownGood
    while deliveries.contains(where: { $0.outcome == nil }) {
      try await find(&deliveries, isKnownGood)
      try await search(for: &deliveries, isKnownGood)
      try place(&deliveries)
      try await create(&deliveries, &isKnownGood)
      try await read(&deliveries, isKnownGood)
    }
    return deliveries.compactMap(\.outcome)
  }

  /// Creates the next document of each delivery; if several want the same path, that of the first.
  private func create(
    _ deliveries: inout [FeedbackDelivery], _ isKnownGood: inout Bool
  ) async throws {
    var documents: [String: [String: Value]] = [:]
    var owners: [String: Int] = [:]
    for (index, delivery) in deliveries.enumerated() {
      guard case .create(let id)? = delivery.next, let fields = delivery.feedback?.fields,
        owners["\(collection)/\(id)"] == nil
      else { continue }
      (documents["\(collection)/\(id)"], owners["\(collection)/\(id)"]) = (fields, index)
    }
    guard !owners.isEmpty else { return }
    let targets = owners.mapValues { deliveries[$0].itemId }
    try store.writeDurably { writer in
      for (path, item) in targets { try writer.setTarget(path, ofItem: item) }
    }
    do {
      let failures = try await create(documents)
      isKnownGood = isKnownGood || failures.count < documents.count
      for (path, index) in owners {
        deliveries[index].created(failures[path], credentialsKnownGood: isKnownGood)
      }
      try noteTaken(owners.keys.filter { failures[$0].map(\.isAboutTakenId) ?? true })
    } catch let error as FirestoreError where documents.count > 1 && error.mayConcernBatch {
      for index in owners.values { deliveries[index].splitFromBatch() }
    } catch let error as FirestoreError {
      if error.isAboutTakenId { try noteTaken(owners.keys) }
      for index in owners.values {
        deliveries[index].created(error, credentialsKnownGood: isKnownGood)
      }
    }
  }

  /// Creates documents; a single one uses the method that needs the fewest permissions.
  private func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] {
    guard documents.count == 1, let (path, fields) = documents.first else {
      return try await port.create(documents)
    }
    let id = String(path.dropFirst(collection.count + 1))
    try await port.create(documentId: id, in: collection, fields: fields)
    return [:]
  }

  /// Reads the documents with the ids that deliveries wait for.
  private func read(_ deliveries: inout [FeedbackDelivery], _ isKnownGood: Bool) async throws {
    var waiting: [Int: String] = [:]
    for (index, delivery) in deliveries.enumerated() {
      if case .read(let id)? = delivery.next { waiting[index] = "\(collection)/\(id)" }
    }
    guard !waiting.isEmpty else { return }
    do {
      let found = try await documents(at: Set(waiting.values))
      for (index, path) in waiting { deliveries[index].read(found[path]?.fields) }
    } catch let error as FirestoreError {
      for index in waiting.keys {
        deliveries[index].failed(error, credentialsKnownGood: isKnownGood)
      }
    }
  }

  /// Reads documents; a single one uses the method that needs the fewest permissions.
  func documents(at paths: Set<String>) async throws -> [String: Document] {
    guard paths.count == 1, let path = paths.first else {
      return try await port.documents(at: paths.sorted())
    }
    return try await port.document(at: path, readTime: nil).map { [path: $0] } ?? [:]
  }
}

extension FirestoreError {
  /// Whether the refusal may be about one document of the batch, or about batches in general.
  ///
  /// See `docs/firestore.md#writes`.
  fileprivate var mayConcernBatch: Bool { reason == .permissionDenied || reason == .invalid }

  fileprivate var isAboutTakenId: Bool { status == .alreadyExists }
}
