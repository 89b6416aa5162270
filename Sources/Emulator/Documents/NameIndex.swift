import Firestore
import Model
import Synchronization

/// The documents of a collection in the order of their names, sorted when a query first needs it.
///
/// Without it each page of a large collection looks at all documents.
final class NameIndex: Sendable {
  private let sorted = Mutex<[Document]?>(nil)

  func documents(of collection: Database.Collection, _ rules: EditionRules) -> [Document] {
    sorted.withLock { sorted in
      if let sorted { return sorted }
      let documents = collection.documents.values.sorted {
        rules.compareNames($0.name, $1.name) < 0
      }
      sorted = documents
      return documents
    }
  }

  /// Whether somebody sorted the documents since the index was made.
  var isUsed: Bool { sorted.withLock { $0 != nil } }
}

extension DatabaseSnapshot {
  /// The only collection that the selector selects, in the order of names.
  ///
  /// Nil when there are several, and for a past that differs from the present.
  func sortedDocuments(
    of selector: StructuredQuery.CollectionSelector?, below parent: ResourceName
  ) -> [Document]? {
    guard past.isEmpty else { return nil }
    let selected = database.collections.values.filter { selector.selects($0.name, below: parent) }
    guard selected.count == 1 else { return nil }
    return selected[0].index.documents(of: selected[0], database.rules)
  }
}

extension QueryPlan {
  /// The results from documents in the order of their names; nil for a query in another order.
  ///
  /// Looks at no document before the first cursor, nor after the last result.
  func results(ofSorted documents: [Document]) -> Results? {
    guard query.nearest == nil, orders == [.init(field: .documentName)] else { return nil }
    let start = query.startAt.map { position($0, in: documents) } ?? documents.startIndex
    let end = query.endAt.map { position($0, in: documents) } ?? documents.endIndex
    guard start < end else { return Results(documents: [], skipped: 0) }
    let most = query.limit.map { $0 + query.offset } ?? .max
    var found: [Document] = []
    var next = start
    while next < end, found.count < most {
      if matches(documents[next]) { found.append(documents[next]) }
      next += 1
    }
    return finished(found, processed: documents[start..<next])
  }

  /// The index of the first document after the cursor; one without values is beside all documents.
  private func position(_ cursor: StructuredQuery.Cursor, in documents: [Document]) -> Int {
    guard let value = cursor.values.first else {
      return cursor.before ? documents.startIndex : documents.endIndex
    }
    var (low, high) = (documents.startIndex, documents.endIndex)
    while low < high {
      let middle = (low + high) / 2
      let order = compare(.reference(documents[middle].name), value, by: .documentName)
      if order < 0 || order == 0 && !cursor.before { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
