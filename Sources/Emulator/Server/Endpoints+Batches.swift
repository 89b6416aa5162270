import Firestore

/// The endpoints for several documents and for transactions.
extension Endpoints {
  /// Answers a repeated name once.
  func batchGet(_ database: ResourceName, _ body: JSON) throws -> ServerResponse {
    let message = try Message(
      request: body, "documents", "mask", "readTime", "transaction", "newTransaction", "database")
    let mask = try message.mask("mask")
    var seen: Set<NameKey> = []
    let names = try message.list("documents").map { json in
      let name = try ResourceName(requested: json.text())
      try name.requireDocument()
      try name.require(database)
      return name
    }.filter { seen.insert(NameKey($0)).inserted }
    let found = try documents.read(database.databaseName, try message.consistency) { reader in
      names.map { reader.document($0) }
    }
    let elements = zip(names, found.content).map { name, document in
      guard let document else {
        return JSON.object([
          "missing": .string(name.description), "readTime": .string(found.readTime.rfc3339),
        ])
      }
      return Endpoints.envelope(document.masked(by: mask), readTime: found.readTime, as: "found")
    }
    return ServerResponse(streaming: found.begunElement + elements)
  }

  func commit(_ database: ResourceName, _ body: JSON) throws -> ServerResponse {
    let message = try Message(request: body, "writes", "transaction", "database", "labels")
    let writes = try message.list("writes").map { try StoredWrite(json: $0, rules) }
    let transaction = try message.text("transaction").map { text in
      try TransactionID(wire: text)
    }
    let done = try documents.commit(writes, in: transaction, of: database.databaseName)
    var members = ["commitTime": JSON.string(done.commitTime.rfc3339)]
    if !writes.isEmpty { members["writeResults"] = .array(done.results.map(\.json)) }
    return ServerResponse(json: .object(members))
  }

  /// Applies each write on its own, with its own status; one write per document.
  func batchWrite(_ database: ResourceName, _ body: JSON) throws -> ServerResponse {
    let message = try Message(request: body, "writes", "labels", "database")
    let writes = try message.list("writes").map { try StoredWrite(json: $0, rules) }
    let names = try writes.documentNames()
    for name in names { try name.require(database) }
    guard Set(names.map(NameKey.init)).count == names.count else {
      throw RefusedRequest.invalid(
        "the same document cannot be written more than once in a single request")
    }
    var results: [JSON] = []
    var statuses: [JSON] = []
    for write in writes {
      do throws(RefusedRequest) {
        results += try documents.commit([write]).results.map(\.json)
        statuses.append(.object([:]))
      } catch {
        results.append(.object([:]))
        statuses.append(
          .object(["code": .integer(error.code.number), "message": .string(error.message)]))
      }
    }
    guard !writes.isEmpty else { return ServerResponse(json: .object([:])) }
    return ServerResponse(
      json: .object(["writeResults": .array(results), "status": .array(statuses)]))
  }

  /// Begins a read-write transaction unless the options request another mode.
  func beginTransaction(_ database: ResourceName, _ body: JSON) throws -> ServerResponse {
    let message = try Message(request: body, "options", "database")
    let options = try TransactionOptions(message["options"] ?? .object([:]), or: .readWrite)
    let id = try documents.begin(options.mode, of: database.databaseName, retrying: options.retried)
    return ServerResponse(json: .object(["transaction": .string(id.text)]))
  }

  func rollback(_ body: JSON) throws -> ServerResponse {
    let message = try Message(request: body, "transaction", "database")
    try documents.rollBack(TransactionID(wire: try message.text("transaction") ?? ""))
    return ServerResponse(json: .object([:]))
  }
}

struct TransactionOptions {
  let mode: TransactionMode
  let retried: TransactionID?

  /// `fallback` is the mode of options without one.
  init(_ json: JSON, or fallback: TransactionMode) throws {
    let message = try Message(json, "readOnly", "readWrite")
    switch (message["readOnly"], message["readWrite"]) {
    case (nil, nil): (mode, retried) = (fallback, nil)
    case (let options?, nil):
      mode = .readOnly(at: try Message(options, "readTime").time("readTime"))
      retried = nil
    case (nil, let options?):
      mode = .readWrite
      retried = try Message(options, "retryTransaction", "concurrencyMode")
        .text("retryTransaction").map { text in try TransactionID(wire: text) }
    default:
      throw RefusedRequest.invalid("a transaction is one of readOnly and readWrite")
    }
  }
}

extension TransactionID {
  init(wire text: String) throws(RefusedRequest) {
    guard let id = TransactionID(text) else { throw Transactions.unknown }
    self = id
  }
}

extension Message {
  /// Reads `readTime`, `transaction` or `newTransaction`, which is read-only by default.
  var consistency: Consistency {
    get throws {
      let keys = ["readTime", "transaction", "newTransaction"].filter { self[$0] != nil }
      guard keys.count <= 1 else {
        throw RefusedRequest.invalid(
          "a request has at most one of readTime, transaction and newTransaction")
      }
      if let moment = try time("readTime") { return .past(moment) }
      if let text = try text("transaction") { return .transaction(try TransactionID(wire: text)) }
      guard let options = self["newTransaction"] else { return .present }
      return .beginning(try TransactionOptions(options, or: .readOnly(at: nil)).mode)
    }
  }
}

extension ResourceName {
  fileprivate func require(_ database: ResourceName) throws(RefusedRequest) {
    guard databaseName == database.databaseName else {
      throw .invalid("\"\(self)\" is not in the database \"\(database.databaseName)\"")
    }
  }
}

extension AppliedWrite {
  fileprivate var json: JSON {
    var members: [String: JSON] = [:]
    members["updateTime"] = (document?.updateTime).map { .string($0.rfc3339) }
    if !transformResults.isEmpty {
      members["transformResults"] = .array(transformResults.map(\.json))
    }
    return .object(members)
  }
}
