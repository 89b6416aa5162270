package import Firestore

/// Writes into a Firestore, for `firetally load`.
package protocol DocumentTarget: Sendable {
  var root: ResourceName { get }

  /// Carries out each write on its own; one result per write, in order.
  func batchWrite(_ writes: [Write]) async throws -> [Result<WriteResult, FirestoreError>]

  /// The documents at these paths as they are now, by path; those that are missing are absent.
  func documents(at paths: [String]) async throws -> [String: Document]
}

extension FirestoreClient: DocumentTarget {}
