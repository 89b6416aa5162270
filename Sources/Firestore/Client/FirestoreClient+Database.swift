package import Model
import Synchronization

/// What a database says of itself; see `docs/editions.md#knowing-the-edition`.
package struct DatabaseFacts: Codable, Hashable, Sendable {
  package var edition: FirestoreEdition
  /// Such as `nam5`; nil when the server does not tell it, as for each member below.
  package var location: String?
  package var pointInTimeRecovery: Bool?
  package var deleteProtection: Bool?
  /// Whether it is the project's one database with a free quota.
  package var freeTier: Bool?
  /// Whether the Firestore API may read and write documents.
  package var firestoreAccess: Bool?
  /// Whether the MongoDB API may.
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
  /// Whether an enum such as `DELETE_PROTECTION_ENABLED` says so; nil when unspecified or absent.
  fileprivate func isEnabled(_ key: String) throws(WireError) -> Bool? {
    switch try text(key) {
    case let name? where name.hasSuffix("_ENABLED"): true
    case let name? where name.hasSuffix("_DISABLED"): false
    default: nil
    }
  }
}

/// What the client has learned of its database.
struct DatabaseKnowledge: Sendable {
  var edition: FirestoreEdition?
  /// What the database said when it was asked; nil before.
  var facts: Result<DatabaseFacts, FirestoreError>?
  /// Nil before they were asked for.
  var indexes: [StoredIndex]?
  var accesses: [QueryShape: QueryAccess] = [:]
}

extension FirestoreClient {
  package var edition: FirestoreEdition { knowledge.withLock(\.edition) ?? .standard }

  /// Takes the edition for known; what an error has told stays.
  package func learn(_ edition: FirestoreEdition) {
    knowledge.withLock { $0.edition = edition }
  }

  /// What the database says of itself, and with it the edition.
  ///
  /// It is asked once, and nothing is billed.
  /// The account needs `datastore.databases.getMetadata`; see `FirestoreError.withholdsFacts`.
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
  /// The composite indexes of the database, as the Admin API lists them.
  ///
  /// They are asked for once, and nothing is billed; empty where the account may not list them.
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
  /// Without the name at the end.
  package var fields: [QueryIndex.IndexField]
  package var isReady: Bool
}

extension StoredIndex {
  /// Reads an index of the Admin API; nil for one whose fields are of another kind, such as
  /// vectors, which serves no query of ours.
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
  /// Whether the database has it: the compared fields in any order, then those of the order, and
  /// perhaps the name.
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
