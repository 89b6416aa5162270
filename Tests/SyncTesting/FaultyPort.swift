package import Firestore
import HTTP
import Synchronization

/// A port around another: one call fails, or `afterCall` runs after each.
package final class FaultyPort: FirestorePort {
  /// How a call fails.
  package enum Trouble: String, CaseIterable, Sendable {
    case transport, unavailable, malformed, cancelled, tooOld

    package var error: any Error {
      switch self {
      case .transport:
        FirestoreError.transport(
          request: "test", .cutShort(host: "localhost", reason: "reset by peer"))
      case .unavailable: FirestoreError.refusal(.unavailable)
      case .malformed:
        FirestoreError.malformedAnswer(request: "test", httpStatus: 200, problem: "no JSON")
      case .cancelled: CancellationError()
      case .tooOld:
        FirestoreError.refusal(.failedPrecondition, "The requested read_time is too old")
      }
    }
  }

  private let port: any FirestorePort
  private let failingCall: Int?
  private let trouble: Trouble
  private let isCarriedOut: Bool
  private let afterCall: @Sendable (Int) -> Void
  private let count = Mutex(0)

  /// - Parameters:
  ///   - port: the port that answers.
  ///   - failingCall: counts from 1; nil for none.
  ///   - trouble: how that call fails.
  ///   - isCarriedOut: whether the failing call reaches `port`, and only its answer is lost.
  ///   - afterCall: called after each successful call, with its number.
  package init(
    _ port: any FirestorePort, failingCall: Int? = nil, trouble: Trouble = .transport,
    isCarriedOut: Bool = false, afterCall: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.port = port
    self.failingCall = failingCall
    self.trouble = trouble
    self.isCarriedOut = isCarriedOut
    self.afterCall = afterCall
  }

  private func perform<T>(_ body: () async throws -> T) async throws -> T {
    let number = count.withLock { count in
      count += 1
      return count
    }
    guard number == failingCall else {
      let result = try await body()
      afterCall(number)
      return result
    }
    guard isCarriedOut else { throw trouble.error }
    do {
      _ = try await body()
    } catch is FirestoreError {
      throw trouble.error
    }
    throw trouble.error
  }

  package func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    try await perform {
      try await port.page(of: query, under: parent, readTime: readTime, scan: scan)
    }
  }

  package func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    try await perform { try await port.count(of: query, under: parent, readTime: readTime) }
  }

  package func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String] {
    try await perform { try await port.partitionPoints(of: query, count: count) }
  }

  package func document(at path: String, readTime: Timestamp?) async throws -> Document? {
    try await perform { try await port.document(at: path, readTime: readTime) }
  }

  package func documents(at paths: [String]) async throws -> [String: Document] {
    try await perform { try await port.documents(at: paths) }
  }

  package func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] {
    try await perform { try await port.create(documents) }
  }

  package func create(documentId: String, in collection: String, fields: [String: Value])
    async throws
  {
    try await perform {
      try await port.create(documentId: documentId, in: collection, fields: fields)
    }
  }
}

extension FirestorePort {
  /// What scripted servers answer that no test asks for a write of fields.
  package func update(
    _ path: String, fields: [String: Value], ifUnchangedSince updateTime: Timestamp
  ) async throws {
    throw FirestoreError.refusal(.unimplemented)
  }
}
