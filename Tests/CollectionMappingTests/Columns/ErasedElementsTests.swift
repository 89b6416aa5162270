import JobsTesting
import Firestore
import Model
import Store
import Testing

@testable import CollectionMapping
@testable import Sync

/// Erased people whom only an element of an array names.
@Suite struct ErasedElementsTests {
  private static let document = #"""
    {"document":{"name":"projects/p/databases/d/documents/Orders/ID","fields":{"items":
      {"arrayValue":{"values":[{"mapValue":{"fields":{"by":{"stringValue":"one"}}}},
        {"mapValue":{"fields":{"by":{"stringValue":"BY"}}}}]}}},
      "updateTime":"1970-01-01T00:00:01Z"}}
    """#

  @Test
  func `the document is left out with all its child rows, and the others keep theirs`() throws {
    let hash = KeyedHash(low: 1, high: 2)
    let person = Array("person-1".utf8)
    let exploded = ExplodedField(
      tableName: "Orders_items", path: ValuePath(FieldPath(segments: ["items"])),
      columns: [MappedColumn(name: "by", path: FieldPath(segments: ["by"]), kind: .text)])
    let mapping = ErasureMapping(
      base: ColumnMapping(
        columns: [], exploded: [exploded], hasDocument: false, orderField: nil),
      erased: ErasedPeople(hash, hashes: [Int64(bitPattern: hash.of(person))]))
    let documents = [("a", "two"), ("b", "person-1"), ("c", "three")].map { id, by in
      Self.document.replacing("ID", with: id).replacing("BY", with: by)
    }
    var bytes = Array("[\(documents.joined(separator: ","))]".utf8)
    var collected = MappedRows(TableRows(width: mapping.width))
    var scanner = mapping.scanner
    _ = try scanner.scan(&bytes) { document, page in
      mapping.add(document, in: page, to: &collected)
    }
    #expect(collected.rows.count == 2)
    #expect(collected.skipped == [ErasedPeople.countedAs: 1])
    let children = try #require(collected.children.first)
    #expect(children.ends == [2, 4])
    #expect(children.rows.count == 4)
  }
}
