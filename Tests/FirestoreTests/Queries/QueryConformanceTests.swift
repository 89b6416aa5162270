import Foundation
import Testing

@testable import Firestore

/// Google's cross-language vectors (googleapis/conformance-tests), where a machine has them.
@Suite("Query conformance")
struct QueryConformanceTests {
  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .appending(path: "../../../../../shared/conformance/firestore-v1").standardized

  private static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  private static let absence: Comment = "Google's conformance data is not beside this checkout"

  /// The vectors of queries, by the names of their files.
  private static func vectors() throws -> [(name: String, query: JSON)] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.filter { $0.hasPrefix("query-") }.sorted().flatMap { name in
      let file = try JSON(parsing: Data(contentsOf: folder.appending(path: name)))
      return try (file["tests"]?.elements() ?? []).compactMap { test in
        test["query"].map { (name, $0) }
      }
    }
  }

  @Test(.enabled(if: isPresent, absence))
  func `the clauses of every vector become the query that Google's clients send`() throws {
    var builtCount = 0
    for (name, vector) in try Self.vectors() {
      guard let expected = vector["query"] else { continue }
      let built = try VectorQuery(vector).query
      #expect(Self.normalized(built.json) == Self.normalized(expected), "\(name)")
      builtCount += 1
    }
    #expect(builtCount == 24)
  }

  @Test(.enabled(if: isPresent, absence))
  func `clauses that are wrong are refused`() throws {
    var refusedCount = 0
    for (name, vector) in try Self.vectors() where vector["isError"] == .boolean(true) {
      #expect(throws: WireError.self, "\(name)") { try VectorQuery(vector) }
      refusedCount += 1
    }
    #expect(refusedCount == 18)
  }

  @Test(.enabled(if: isPresent, absence))
  func `every query of the vectors survives decoding and encoding`() throws {
    for (name, vector) in try Self.vectors() {
      guard let expected = vector["query"] else { continue }
      let query = try StructuredQuery(json: expected)
      #expect(Self.normalized(query.json) == Self.normalized(expected), "\(name)")
    }
  }

  /// The vectors write an empty map with its inner key, Firestore's REST API without.
  private static func normalized(_ json: JSON) -> JSON {
    switch json {
    case .object(let members):
      if members == ["fields": .object([:])] { return .object([:]) }
      return .object(members.mapValues(normalized))
    case .array(let elements): return .array(elements.map(normalized))
    default: return json
    }
  }
}
