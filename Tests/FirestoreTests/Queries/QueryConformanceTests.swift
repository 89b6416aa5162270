import Foundation
import Testing

@testable import Firestore

/// Google's cross-language vectors (googleapis/conformance-tests), where a machine has them.
@Suite("Query conformance")
struct QueryConformanceTests {
  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .appending(path: "../../../../../shared/conformance/firestore-v1").standardized

  private static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  @Test(
    "every query of Google's vectors survives decoding and encoding",
    .enabled(if: isPresent, "Google's conformance data is not beside this checkout"))
  func queries() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    var checkedCount = 0
    for name in names.sorted() where name.hasPrefix("query-") {
      let file = try JSON(parsing: Data(contentsOf: Self.folder.appending(path: name)))
      for test in try file["tests"]?.elements() ?? [] {
        guard let expected = test["query"]?["query"] else { continue }
        let query = try StructuredQuery(json: expected)
        #expect(Self.normalized(query.json) == Self.normalized(expected), "\(name)")
        checkedCount += 1
      }
    }
    #expect(checkedCount >= 20)
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
