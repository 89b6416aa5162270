/// A TTL policy: Firestore deletes the documents of a group once the time in a field has passed.
///
/// See `docs/jobs/sync-collection.md#ttl-policies`.
package struct ExpiryPolicy: Hashable, Sendable {
  package enum State: String, Hashable, Sendable {
    case creating = "CREATING"
    case active = "ACTIVE"
    case needsRepair = "NEEDS_REPAIR"
    /// A state that this program does not know.
    case unknown = "STATE_UNSPECIFIED"
  }

  package var collectionId: String
  /// The field's path, as Firestore writes it.
  package var field: String
  package var state: State
  /// The seconds between the time in the field and the deletion.
  package var offset: Int?

  package init(collectionId: String, field: String, state: State, offset: Int? = nil) {
    self.collectionId = collectionId
    self.field = field
    self.state = state
    self.offset = offset
  }

  /// `Documents of Sessions expire by expires_at (TTL policy, active)`.
  package var clause: String {
    let word =
      switch state {
      case .creating: "being created"
      case .active: "active"
      case .needsRepair: "needs repair"
      case .unknown: "in an unknown state"
      }
    let later = offset.map { " and \($0) s" } ?? ""
    return "Documents of \(collectionId) expire by \(field)\(later) (TTL policy, \(word))"
  }
}

extension ExpiryPolicy {
  /// Reads a field of the Admin API, `projects/P/databases/D/collectionGroups/G/fields/F`; nil for
  /// a field without a policy.
  init?(json: JSON) throws(WireError) {
    let members = try json.members()
    guard let policy = try members.object("ttlConfig") else { return nil }
    let (state, offset) = try WireError.at("ttlConfig") { () throws(WireError) in
      (try policy.text("state") ?? "", try policy.text("expirationOffset"))
    }
    let name = try members.requiredText("name")
    let ids = ResourceName.ids(in: name)
    guard ids.count >= 8, ids[4] == "collectionGroups", ids[6] == "fields" else {
      throw WireError("`\(name)` is not the name of a field", at: ["name"])
    }
    // A field's name may have slashes.
    self.init(
      collectionId: ids[5], field: ids[7...].joined(separator: "/"),
      state: State(rawValue: state) ?? .unknown,
      offset: offset.flatMap { Duration(wire: $0) }.map { Int($0.components.seconds) })
  }
}

extension FirestoreClient {
  /// Returns the TTL policies of the database, by collection and field; nothing is billed.
  ///
  /// Google's emulator has no such method, and an account may lack the right to list indexes: see
  /// `FirestoreError.withholdsFacts`.
  package func expiryPolicies() async throws -> [ExpiryPolicy] {
    let fields = try await list("fields", ExpiryPolicy.init(json:)) { token in
      let query = [("filter", "ttlConfig:*")] + (token.map { [("pageToken", $0)] } ?? [])
      return FirestoreCall(
        url: endpoint.databaseURL("/collectionGroups/-/fields", query), repetition: .read,
        request: "list the TTL policies of \(endpoint.root.databaseName)")
    }
    return fields.compactMap(\.self)
      .sorted { ($0.collectionId, $0.field) < ($1.collectionId, $1.field) }
  }
}

extension FirestoreError {
  /// Whether the server does not answer this client's Admin API requests: it has no such method, or
  /// the account has no right to it.
  package var withholdsFacts: Bool {
    switch self {
    case .refused(let refusal):
      [.permissionDenied, .notFound, .unimplemented].contains(refusal.status)
    case .malformedAnswer(_, let httpStatus, _): (400..<500).contains(httpStatus)
    case .transport, .credentials, .invalidRequest: false
    }
  }

  /// Whether it is the server's answer, in whatever form.
  package var isAnswer: Bool {
    switch self {
    case .refused, .malformedAnswer: true
    case .transport, .credentials, .invalidRequest: false
    }
  }
}
