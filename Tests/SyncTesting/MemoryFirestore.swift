import Fixtures
import Model
import Sync
import Synchronization

@testable import Emulator
@testable package import Firestore

/// A Firestore in memory with what the embedded server lacks: it remembers every earlier state.
package final class MemoryFirestore: FirestorePort {
  package enum Call: Hashable, Sendable {
    case page(StructuredQuery, readTime: Timestamp?)
    case count(StructuredQuery, readTime: Timestamp?)
    case partitions(StructuredQuery, count: Int)
    case document(String)
    case documents([String])
    case create(String)
    case createAll([String])
  }

  private struct State {
    /// Every state since the beginning, by the microsecond in which it began.
    var history: [[String: Document]] = [[:]]
    var calls: [Call] = []
    /// The errors of creates, by path, and how often each is answered.
    var refusals: [String: (error: FirestoreError, times: Int)] = [:]
    /// The error of creates of several documents, and how many of them are carried out first.
    var batchTrouble: (error: FirestoreError, carriedOut: Int)?
  }

  private static let root = "projects/demo/databases/(default)/documents"
  private static let start = Instant.morning.microseconds

  private let state = Mutex(State())

  /// Starts with the documents, named by their paths.
  package init(_ documents: [String: [String: Value]] = [:]) {
    put(documents)
  }

  /// Holds the documents from its first state on, whose time is a whole minute.
  package init(atStart documents: [String: [String: Value]?]) {
    put(documents)
    state.withLock { _ = $0.history.removeFirst() }
  }

  package var calls: [Call] { state.withLock { $0.calls } }

  package func forgetCalls() { state.withLock { $0.calls.removeAll() } }

  /// Changes the documents at these paths, nil deletes; one new state.
  package func put(_ documents: [String: [String: Value]?]) {
    state.withLock { state in
      var present = state.history.last ?? [:]
      let time = Self.time(of: state.history.count)
      for (path, fields) in documents {
        present[path] = fields.map {
          Document(name: "\(Self.root)/\(path)", fields: $0, createTime: time, updateTime: time)
        }
      }
      state.history.append(present)
    }
  }

  /// What a collection holds now, by document id.
  package func contents(of collection: String) -> [String: [String: Value]] {
    let documents = state.withLock { $0.history.last ?? [:] }
      .filter { $0.key.hasPrefix("\(collection)/") }
    return Dictionary(documents.values.map { ($0.id, $0.fields) }) { _, last in last }
  }

  private static func time(of version: Int) -> Timestamp {
    Timestamp(microseconds: start + Int64(version))
  }

  /// The state at `readTime`, nil for the present one, and its time.
  private func snapshot(
    _ readTime: Timestamp?, _ call: Call
  ) -> (documents: [String: Document], time: Timestamp) {
    state.withLock { state in
      state.calls.append(call)
      let present = state.history.count - 1
      let version = readTime.map { Int($0.microseconds - Self.start) } ?? present
      return (state.history[version], Self.time(of: version))
    }
  }

  package func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    let snapshot = snapshot(readTime, .page(query, readTime: readTime))
    let found = try Self.results(of: query, under: parent, in: snapshot.documents)
    let time = JSON.string(snapshot.time.rfc3339)
    let elements: [JSON] = found.map { .object(["document": $0.json, "readTime": time]) }
    var bytes = JSON.array(elements.isEmpty ? [.object(["readTime": time])] : elements)
      .serialized()
    _ = try scan(&bytes)
  }

  package func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    let snapshot = snapshot(readTime, .count(query, readTime: readTime))
    return try Self.results(of: query, under: parent, in: snapshot.documents).count
  }

  package func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String] {
    let snapshot = snapshot(nil, .partitions(query, count: count))
    let names = try Self.results(of: query, under: nil, in: snapshot.documents).map(\.name)
    let cuts = min(count, names.count - 1)
    guard cuts > 0 else { return [] }
    return (1...cuts).map { names[$0 * names.count / (cuts + 1)] }
  }

  private static func results(
    of query: StructuredQuery, under parent: String?, in documents: [String: Document]
  ) throws -> [Document] {
    let collection = query.from.first
    let parentIds = parent.map { $0.split(separator: "/") } ?? []
    let selected = documents.filter { path, _ in
      let ids = path.split(separator: "/")
      return ids.dropLast().last.map(String.init) == collection?.collectionId
        && ids.starts(with: parentIds)
        && (collection?.allDescendants == true || ids.count == parentIds.count + 2)
    }
    return try QueryPlan(query).results(of: Array(selected.values)).documents
  }

  package func document(at path: String, readTime: Timestamp?) async throws -> Document? {
    snapshot(readTime, .document(path)).documents[path]
  }

  package func documents(at paths: [String]) async throws -> [String: Document] {
    snapshot(nil, .documents(paths)).documents.filter { paths.contains($0.key) }
  }

  /// Answers the next creates of the document with an error, without carrying them out.
  package func refuse(_ path: String, with error: FirestoreError, times: Int = .max) {
    state.withLock { $0.refusals[path] = (error, times) }
  }

  /// Fails creates of several documents from now on, after so many of them were carried out.
  ///
  /// Nil ends that.
  package func refuseBatches(with error: FirestoreError?, carriedOut: Int = 0) {
    state.withLock { $0.batchTrouble = error.map { ($0, carriedOut) } }
  }

  package func create(documentId: String, in collection: String, fields: [String: Value])
    async throws
  {
    let path = "\(collection)/\(documentId)"
    state.withLock { $0.calls.append(.create(path)) }
    if let error = create(path, fields) { throw error }
  }

  package func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] {
    let paths = documents.keys.sorted()
    let trouble = state.withLock { state in
      state.calls.append(.createAll(paths))
      return state.batchTrouble
    }
    var failures: [String: FirestoreError] = [:]
    for path in paths.prefix(trouble?.carriedOut ?? .max) {
      failures[path] = create(path, documents[path] ?? [:])
    }
    if let trouble { throw trouble.error }
    return failures
  }

  /// The error of a create; nil when the document was created.
  private func create(_ path: String, _ fields: [String: Value]) -> FirestoreError? {
    let refused = state.withLock { state -> FirestoreError? in
      guard let refusal = state.refusals[path], refusal.times > 0 else {
        return state.history.last?[path] == nil ? nil : .refusal(.alreadyExists)
      }
      state.refusals[path]?.times -= 1
      return refusal.error
    }
    if refused == nil { put([path: fields]) }
    return refused
  }
}

extension FirestoreError {
  package static func refusal(
    _ status: RPCStatus, _ message: String = "", request: String = "test"
  ) -> FirestoreError {
    .refused(
      Refusal(
        ErrorEnvelope(status: status, message: message), httpStatus: status.httpStatus,
        request: request))
  }
}
