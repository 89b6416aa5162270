import Firestore
import Model
import Sync
import SyncTesting
import Synchronization

/// A port that holds nothing but names, many of them, and splits as it is told.
final class NamesPort: FirestorePort {
  static let root = "projects/demo/databases/(default)/documents/"

  let edition: FirestoreEdition
  private let names: [String]
  private let points: [String]
  private let probeCount = Mutex(0)
  private let countCount = Mutex(0)

  /// - Parameters:
  ///   - paths: the documents that pass the query's filter, in any order.
  ///   - points: the paths that `partitionQuery` answers, in their order.
  ///   - edition: the edition of the database.
  init(_ paths: [String], points: [String] = [], edition: FirestoreEdition = .standard) {
    self.edition = edition
    names = paths.map { Self.root + $0 }.sorted { NameOrder.compare($0, $1) < 0 }
    self.points = points.map { Self.root + $0 }
  }

  var count: Int { names.count }

  /// Requests for names so far.
  var probes: Int { probeCount.withLock(\.self) }

  /// Counts so far.
  var counts: Int { countCount.withLock(\.self) }

  /// Sizes of the parts between the split points.
  func sizes(splitAt points: [String]) -> [Int] {
    let places = [0] + points.map(place) + [names.count]
    return zip(places.dropFirst(), places).map { $0 - $1 }
  }

  private func place(of name: String) -> Int {
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if NameOrder.compare(names[middle], name) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    probeCount.withLock { $0 += 1 }
    let found = range(of: query).prefix(query.limit ?? .max)
    let time = JSON.string("2026-01-31T08:00:00Z")
    let elements = found.map { name -> JSON in
      .object(["document": .object(["name": .string(name)]), "readTime": time])
    }
    var bytes = JSON.array(elements.isEmpty ? [.object(["readTime": time])] : elements).serialized()
    _ = try scan(&bytes)
  }

  func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String] { points }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    countCount.withLock { $0 += 1 }
    return min(range(of: query).count, query.limit ?? .max)
  }

  /// The names between the cursors, which are before theirs.
  private func range(of query: StructuredQuery) -> ArraySlice<String> {
    let places = [query.startAt, query.endAt].map { cursor -> Int? in
      guard case .reference(let name)? = cursor?.values.first else { return nil }
      return place(of: name)
    }
    return names[(places[0] ?? 0)..<max(places[0] ?? 0, places[1] ?? names.count)]
  }

  func document(at path: String, readTime: Timestamp?) async throws -> Document? { nil }

  func documents(at paths: [String]) async throws -> [String: Document] { [:] }

  func create(_ documents: [String: [String: Value]]) async throws -> [String: FirestoreError] {
    [:]
  }

  func create(documentId: String, in collection: String, fields: [String: Value]) async throws {}
}
