package import Firestore

/// What a port of the tests tells when nobody scripts it.
extension FirestorePort {
  package var root: ResourceName { ResourceName(project: "demo") }

  package func origin(of query: StructuredQuery, under parent: String?) -> DocumentOrigin? { nil }

  package func prefetch(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) -> Int { 0 }

  package func dropPrefetched() -> Int { 0 }

  package func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String] {
    []
  }

  package func collectionPage(
    under parent: ResourceName?, after token: String?
  ) async throws -> CollectionPage {
    throw FirestoreError.refusal(.permissionDenied)
  }

  package func documentIds(in collection: ResourceName, count: Int) async throws -> [String] { [] }

  package func documents(
    of query: StructuredQuery, under parent: ResourceName?
  ) async throws -> [Document] {
    throw FirestoreError.refusal(.permissionDenied)
  }

  package func explain(
    _ query: StructuredQuery, under parent: ResourceName?
  ) async throws -> [UsedIndex]? { nil }

  package func expiryPolicies() async throws -> [ExpiryPolicy] { [] }
}
