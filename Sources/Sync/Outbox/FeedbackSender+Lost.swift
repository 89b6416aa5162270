import Firestore
import Model

/// Items that may have arrived under an unknown name; see `docs/outbox.md#after-a-restore`.
extension FeedbackSender {
  /// Looks for the document of each lost item by its content.
  ///
  /// A server that refuses such a query leaves the item to a walk over the seconds.
  func find(_ deliveries: inout [FeedbackDelivery], _ isKnownGood: Bool) async throws {
    for index in deliveries.indices {
      guard let fields = deliveries[index].finding else { continue }
      do {
        deliveries[index].found(try await id(ofDocumentWith: fields))
      } catch let error as FirestoreError where error.forbidsQuery {
        deliveries[index].cannotFind()
      } catch let error as FirestoreError {
        deliveries[index].failed(error, credentialsKnownGood: isKnownGood)
      }
    }
  }

  /// Billed as one read for each feedback of the same user and second, and one more to compare it.
  private func id(ofDocumentWith fields: [String: Value]) async throws -> String? {
    var paths: Set<String> = []
    let query = StructuredQuery(
      from: [.init(collectionId: Self.collectionId)], select: [.documentName],
      filter: Self.filter(fields))
    try await port.page(of: query, under: parent, readTime: nil) { bytes in
      paths = []
      var scanner = DocumentScanner(fields: [])
      return try scanner.scan(&bytes) { document, page in
        let path = KeyMapping.path(of: document.name, in: page)
        paths.insert(String(decoding: page[path], as: UTF8.self))
      }
    }
    guard !paths.isEmpty else { return nil }
    let found = try await documents(at: paths).filter { $0.value.fields == fields }
    return found.keys.min().map { String($0.dropFirst(collection.count + 1)) }
  }

  /// Equal in the fields that are few in a collection; Firestore has an index of each.
  private static func filter(_ fields: [String: Value]) -> StructuredQuery.Filter {
    .composite(
      .and,
      ["timestamp", "userId"].compactMap { name in
        fields[name].map { .field(FieldPath(segments: [name]), .equal, $0) }
      })
  }
}

extension FirestoreError {
  /// Whether the server refuses to run the query, rather than to be asked at all.
  fileprivate var forbidsQuery: Bool {
    switch reason {
    case .permissionDenied, .invalid, .missingIndex, .buildingIndex: true
    default: false
    }
  }
}
