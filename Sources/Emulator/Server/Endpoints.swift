import Firestore
import Model

/// Firestore's REST API over a `DocumentStore`; see `docs/emulator.md#endpoints`.
struct Endpoints: Sendable {
  let documents: DocumentStore
  let remoteConfig = RemoteConfig()
  let moments: MomentEndpoints
  let reviews = ReviewStore()
  let accounts = AccountEndpoints()
  let expiry = ExpiryPolicies()

  init(clock: @escaping DocumentStore.Clock, edition: FirestoreEdition = .standard) {
    documents = DocumentStore(clock: clock, rules: edition.rules)
    moments = MomentEndpoints(
      store: MomentStore(clock: { Instant(microseconds: clock().microseconds) }))
  }

  var rules: EditionRules { documents.rules }

  /// Executes a request; every error becomes an error envelope.
  func response(to request: RequestRecord) -> ServerResponse {
    do {
      let target = try RequestTarget(parsing: request.target)
      var response = response(to: request, target)
      let isIndented = (target.first("prettyPrint") ?? target.first("$prettyPrint")) == "true"
      if isIndented { response.layOut() }
      return response
    } catch {
      return ServerResponse(error)
    }
  }

  private func response(to request: RequestRecord, _ target: RequestTarget) -> ServerResponse {
    do {
      return try route(request, request.method == "POST" ? target : target.withoutVerb)
    } catch let refusal as RefusedRequest {
      return ServerResponse(refusal)
    } catch {
      return ServerResponse(.invalid("Invalid JSON payload received. \(error)"))
    }
  }

  private func route(_ request: RequestRecord, _ target: RequestTarget) throws -> ServerResponse {
    if target.path == [""] { return ServerResponse(text: "Ok\n", type: "text/plain") }
    if let response = moments.response(to: request, target) { return response }
    if let response = reviews.response(to: request, target) { return response }
    if let response = accounts.response(to: request, target.withoutVerb) { return response }
    if request.method == "GET" {
      if let project = target.wildcards(of: "v1/projects/*/remoteConfig")?.first {
        return try remoteConfig.response(project: project)
      }
      if let ids = target.wildcards(of: "v1/projects/*/databases/*"), target.verb == nil {
        return database("projects/\(ids[0])/databases/\(ids[1])")
      }
      let fields = "v1/projects/*/databases/*/collectionGroups/-/fields"
      if let ids = target.wildcards(of: fields) {
        return try expiry.response("projects/\(ids[0])/databases/\(ids[1])", target)
      }
    }
    if let root = try target.wipedDatabase, request.method == "DELETE" {
      documents.wipe(databaseOf: root)
      return ServerResponse(json: .object([:]))
    }
    if request.method == "GET", let parent = try target.parentOfLists {
      return try list(nil, below: parent, target)
    }
    guard let name = try target.resource, !name.isRoot || target.verb != nil else {
      throw Endpoints.unknownMethod
    }
    switch (request.method, target.verb) {
    case ("GET", nil):
      if name.isDocument { return try get(name, target) }
      return try list(name.id, below: name.parent ?? name, target)
    case ("POST", nil): return try create(in: name, target, try request.message())
    case ("PATCH", nil): return try patch(name, target, try request.message())
    case ("DELETE", nil): return try delete(name, target)
    case ("POST", let verb?): return try perform(verb, on: name, try request.message())
    default: throw Endpoints.unknownMethod
    }
  }

  private func perform(_ verb: String, on name: ResourceName, _ body: JSON) throws -> ServerResponse
  {
    switch verb {
    case "runQuery": return try runQuery(below: name, body)
    case "runAggregationQuery": return try runAggregationQuery(below: name, body)
    case "listCollectionIds": return try listCollectionIds(below: name, body)
    case "partitionQuery": return try partitionQuery(below: name, body)
    case "batchGet" where name.isRoot: return try batchGet(name, body)
    case "batchWrite" where name.isRoot: return try batchWrite(name, body)
    case "commit" where name.isRoot: return try commit(name, body)
    case "beginTransaction" where name.isRoot: return try beginTransaction(name, body)
    case "rollback" where name.isRoot: return try rollback(body)
    case "executePipeline" where name.isRoot:
      throw RefusedRequest(
        .unimplemented, "The embedded server runs no pipelines: docs/decisions/042-pipelines.md.")
    case "listen" where name.isRoot, "write" where name.isRoot:
      throw RefusedRequest(.unimplemented, "Method \(verb) needs a stream: REST has none.")
    default: throw Endpoints.unknownMethod
    }
  }

  /// The Admin API's facts of a database, those of a new one; docs/emulator.md#editions.
  private func database(_ name: String) -> ServerResponse {
    ServerResponse(
      json: .object([
        "name": .string(name), "type": .string("FIRESTORE_NATIVE"),
        "locationId": .string("nam5"),
        "databaseEdition": .string(rules.edition.rawValue.uppercased()),
        "concurrencyMode": .string(
          rules.edition == .enterprise ? "OPTIMISTIC" : "PESSIMISTIC"),
        "pointInTimeRecoveryEnablement": .string("POINT_IN_TIME_RECOVERY_DISABLED"),
        "deleteProtectionState": .string("DELETE_PROTECTION_DISABLED"),
        "versionRetentionPeriod": .string("3600s"), "freeTier": .boolean(false),
        "firestoreDataAccessMode": .string("DATA_ACCESS_MODE_ENABLED"),
      ]))
  }

  /// The refusal of what the edition does not serve.
  static func unserved(_ method: String) -> RefusedRequest {
    RefusedRequest(.unimplemented, EditionRules.refusal(of: method))
  }

  static let unknownMethod = RefusedRequest(.notFound, "Method not found.")

  static func envelope(_ document: Document, readTime: Timestamp, as key: String) -> JSON {
    .object([key: document.json, "readTime": .string(readTime.rfc3339)])
  }
}

extension RequestRecord {
  /// The body with its members' names in camel case.
  fileprivate func message() throws -> JSON { try json().withCamelCaseNames() }
}

extension RequestTarget {
  /// The resource of a path below `/v1/projects/P/databases/D/documents`; nil for other paths.
  fileprivate var resource: ResourceName? {
    get throws(RefusedRequest) {
      guard path.count >= 6, path.starts(with: ["v1", "projects"]), path[3] == "databases",
        path[5] == "documents"
      else { return nil }
      return try name(project: path[2], database: path[4], ids: Array(path[6...]))
    }
  }

  /// The parent document or root of a path that ends with a slash; nil for other paths.
  fileprivate var parentOfLists: ResourceName? {
    get throws(RefusedRequest) {
      guard let parent = try withoutTrailingSlash?.resource else { return nil }
      return parent.isCollection ? nil : parent
    }
  }

  fileprivate var wipedDatabase: ResourceName? {
    get throws(RefusedRequest) {
      guard verb == nil,
        let ids = wildcards(of: "emulator/v1/projects/*/databases/*/documents")
      else { return nil }
      return try name(project: ids[0], database: ids[1], ids: [])
    }
  }

  private func name(
    project: String, database: String, ids: [String]
  ) throws(RefusedRequest) -> ResourceName {
    do {
      return try ResourceName(project: project, database: database).appending(ids)
    } catch {
      throw .invalid(error.problem)
    }
  }
}
