package import Firestore

/// A Firestore database that `firetally load` writes into.
package protocol DocumentTarget: Sendable {
  var root: ResourceName { get }

  /// Carries out each write on its own; one result per write, in order.
  func batchWrite(_ writes: [Write]) async throws -> [Result<WriteResult, FirestoreError>]

  /// Returns the current documents at these paths, by path; missing documents are absent.
  func documents(at paths: [String]) async throws -> [String: Document]
}

extension FirestoreClient: DocumentTarget {}
