package import Model
import Synchronization

/// The facts that a database reports about itself; see `docs/editions.md#knowing-the-edition`.
package struct DatabaseFacts: Codable, Hashable, Sendable {
  package var edition: FirestoreEdition
  /// The location, such as `nam5`; like the members below, nil when the server does not report it.
  package var location: String?
  package var pointInTimeRecovery: Bool?
  package var deleteProtection: Bool?
  /// Whether it is the project's one database with a free quota.
  package var freeTier: Bool?
  /// Whether the Firestore API may read and write documents.
  package var firestoreAccess: Bool?
  /// Whether the MongoDB API may read and write documents.
  package var mongodbAccess: Bool?
  package var realtimeUpdates: Bool?

  /// Facts of a database, when only its edition is known.
  package init(edition: FirestoreEdition) {
    self.edition = edition
  }
}

extension DatabaseFacts {
  /// Reads `projects.databases`; an unspecified edition is Standard, which all databases were.
  init(json: JSON) throws(WireError) {
    let members = try json.members()
    _ = try members.requiredText("name")
    self.init(
      edition: try members.text("databaseEdition") == "ENTERPRISE" ? .enterprise : .standard)
    location = try members.text("locationId")
    freeTier = try members.flag("freeTier")
    pointInTimeRecovery = try members.isEnabled("pointInTimeRecoveryEnablement")
    deleteProtection = try members.isEnabled("deleteProtectionState")
    firestoreAccess = try members.isEnabled("firestoreDataAccessMode")
    mongodbAccess = try members.isEnabled("mongodbCompatibleDataAccessMode")
    realtimeUpdates = try members.isEnabled("realtimeUpdatesMode")
  }
}

extension [String: JSON] {
  /// Whether an enum such as `DELETE_PROTECTION_ENABLED` is enabled; nil when unspecified or
  /// absent.
  fileprivate func isEnabled(_ key: String) throws(WireError) -> Bool? {
    switch try text(key) {
    case let name? where name.hasSuffix("_ENABLED"): true
    case let name? where name.hasSuffix("_DISABLED"): false
    default: nil
    }
  }
}

/// The client's cached knowledge of its database.
struct DatabaseKnowledge: Sendable {
  var edition: FirestoreEdition?
  /// The database's answer about itself; nil before it was requested.
  var facts: Result<DatabaseFacts, FirestoreError>?
  /// The composite indexes; nil before they were requested.
  var indexes: [StoredIndex]?
  var accesses: [QueryShape: QueryAccess] = [:]
  /// How far each query with the access `.pass` has come.
  var passes: [QueryShape: CollectionPass] = [:]
  var samples: [SampledSource: CollectionSample] = [:]
}

extension FirestoreClient {
  package var edition: FirestoreEdition { knownEdition ?? .standard }

  /// The edition; nil until it is known.
  package var knownEdition: FirestoreEdition? { knowledge.withLock(\.edition) }

  /// Sets the edition, which a later error may change to Enterprise.
  package func learn(_ edition: FirestoreEdition) {
    knowledge.withLock { $0.edition = edition }
  }

  /// Returns the facts that the database reports about itself, and learns the edition from them.
  ///
  /// They are requested once, and nothing is billed. The account needs
  /// `datastore.databases.getMetadata`; see `FirestoreError.withholdsFacts`.
  package func databaseFacts() async throws -> DatabaseFacts? {
    if let known = knowledge.withLock(\.facts) { return try known.get() }
    let call = FirestoreCall(
      url: endpoint.databaseURL(), repetition: .read,
      request: "describe \(endpoint.root.databaseName)")
    do {
      let facts = try await perform(call) { body in
        BilledResult(
          result: try DatabaseFacts(json: StreamedResponse.object(body)), billedReadCount: 0)
      }
      learn(facts.edition)
      knowledge.withLock { $0.facts = .success(facts) }
      return facts
    } catch let error as FirestoreError where error.withholdsFacts {
      knowledge.withLock { $0.facts = .failure(error) }
      throw error
    }
  }

  /// Learns the edition from an error that only an Enterprise database sends.
  func learn(from failure: FirestoreError) {
    guard failure.reason == .notInEdition else { return }
    let isNews = knowledge.withLock { knowledge in
      defer { knowledge.edition = .enterprise }
      return knowledge.edition != .enterprise
    }
    if isNews { onEdition?(.enterprise) }
  }
}

extension FirestoreClient {
  /// Returns the composite indexes of the database, as the Admin API lists them.
  ///
  /// They are requested once, and nothing is billed; the result is empty if the account may not
  /// list them.
  package func storedIndexes() async throws -> [StoredIndex] {
    if let known = knowledge.withLock(\.indexes) { return known }
    var indexes: [StoredIndex] = []
    do {
      indexes = try await list("indexes", StoredIndex.init(json:)) { token in
        FirestoreCall(
          url: endpoint.databaseURL(
            "/collectionGroups/-/indexes", token.map { [("pageToken", $0)] } ?? []),
          repetition: .read, request: "list the indexes of \(endpoint.root.databaseName)")
      }.compactMap(\.self)
    } catch let error as FirestoreError where error.withholdsFacts {}
    knowledge.withLock { $0.indexes = indexes }
    return indexes
  }
}

/// An index that the database has; see `docs/editions.md#indexes`.
package struct StoredIndex: Hashable, Sendable {
  package var collectionId: String
  package var isGroup: Bool
  /// The fields, without the name at the end.
  package var fields: [QueryIndex.IndexField]
  package var isReady: Bool
}

extension StoredIndex {
  /// Reads an index of the Admin API; nil for an index with fields of another kind, such as
  /// vectors, which serves none of this program's queries.
  init?(json: JSON) throws(WireError) {
    let members = try json.members()
    let ids = ResourceName.ids(in: try members.requiredText("name"))
    guard ids.count == 8, ids[4] == "collectionGroups", ids[6] == "indexes" else {
      throw WireError("is not the name of an index", at: ["name"])
    }
    var fields: [QueryIndex.IndexField] = []
    let list = try members.list("fields") { json throws(WireError) in try json.members() }
    for field in list {
      let elements = try field.text("arrayConfig")
      guard
        let mode = (try field.text("order") ?? elements).flatMap(
          QueryIndex.IndexMode.init(rawValue:))
      else { return nil }
      fields.append(.init(path: try field.required("fieldPath", FieldPath.init(json:)), mode: mode))
    }
    if fields.last?.path == .documentName { fields.removeLast() }
    self.init(
      collectionId: ids[5], isGroup: try members.text("queryScope") != "COLLECTION",
      fields: fields, isReady: try members.text("state") == "READY")
  }
}

extension QueryIndex {
  /// Returns whether the database has this index: with the compared fields in any order, then those
  /// of the order, and optionally the name.
  func isServed(by indexes: [StoredIndex]) -> Bool {
    let ordered = ordered.filter { $0.path != .documentName }
    return indexes.contains { index in
      index.isReady && index.collectionId == collectionId && index.isGroup == isGroup
        && index.fields.count == matched.count + ordered.count
        && Set(index.fields.prefix(matched.count)) == Set(matched)
        && Array(index.fields.dropFirst(matched.count)) == ordered
    }
  }
}
