import Firestore

/// Something that a transaction has looked at.
enum Sight: Hashable, Sendable {
  case document(ResourceName)
  case query(StructuredQuery, below: ResourceName)

  /// The documents that were seen, each with the time of its last change.
  func versions(in view: View) throws(RefusedRequest) -> [Version] {
    switch self {
    case .document(let name): view.document(name).map { [Version($0)] } ?? []
    case .query(let query, let parent):
      try view.results(of: query, below: parent).documents.map(Version.init)
    }
  }

  struct Version: Equatable {
    let name: String
    let time: Timestamp?

    init(_ document: Document) {
      name = document.name
      time = document.updateTime
    }
  }
}
