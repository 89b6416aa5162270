import JobsTesting
import Firestore
import Fixtures
import Model
import Testing

@testable import CollectionMapping
@testable import Sync

/// A page becomes the same rows in every legal spelling.
@Suite struct EqualRowsTests {
  private static let page = #"""
    [{"document":{"name":"projects/p/databases/d/documents/Users/u-1","updateTime":
    "2026-01-31T08:00:00.5Z","fields":{"User_id":{"stringValue":"u-1"},
    "User_name":{"stringValue":"Zoë \"Z\" \\ 🤩"},"User_age":{"integerValue":"42"},
    "User_gender":{"stringValue":"Female"},"IamDecentTime":{"integerValue":"7"},
    "last_time_seen":{"timestampValue":"2026-01-31T07:59:58Z"},"isAd":{"booleanValue":false},
    "address":{"mapValue":{"fields":{"city":{"stringValue":"Köln"},
    "geo":{"mapValue":{"fields":{"lat":{"doubleValue":50.9}}}}}}}}},"readTime":"2026-01-31T09:00:00Z"},
    {"document":{"name":"projects/p/databases/d/documents/Users/u-2","updateTime":
    "2026-01-31T08:00:01Z","fields":{"User_name":{"stringValue":"Bob"},"User_age":{"stringValue":"31"},
    "address":{"mapValue":{}}}}},{"readTime":"2026-01-31T09:00:01Z"}]
    """#

  /// Every cell, texts in place of ranges.
  private func rows(of bytes: [UInt8], by mapping: some DocumentMapping) throws -> [String] {
    var bytes = bytes
    var page = PullPage(TableRows(width: mapping.width), limit: 10)
    _ = try page.scan(&bytes, by: mapping)
    let rows = page.mapped.rows
    return rows.cells.map { cell in
      switch cell {
      case .text(let range), .blob(let range): String(decoding: rows.bytes[range], as: UTF8.self)
      default: "\(cell)"
      }
    }
  }

  @Test(arguments: 0..<200)
  func `nested columns, JSON columns and whole documents`(seed: UInt64) throws {
    let columns =
      try [
        ("city", "address.city", .text), ("lat", "address.geo.lat", .real),
        ("address", "address", .json), ("age", "User_age", .json), ("name", "User_name", .text),
      ].map { name, path, kind in
        MappedColumn(name: name, path: try FieldPath(parsing: path), kind: kind)
      } as [MappedColumn]
    let mapping = ColumnMapping(
      columns: columns, hasDocument: true, orderField: FieldPath(segments: ["last_time_seen"]))
    let expected = try rows(of: Array(Self.page.utf8), by: mapping)
    #expect(expected.contains("Köln"))
    let form = try JSONForms.form(of: Self.page, seed: seed)
    #expect(try rows(of: form, by: mapping) == expected, "seed \(seed)")
  }

  @Test(arguments: 0..<100)
  func `the keys of a sweep`(seed: UInt64) throws {
    let mapping = KeyMapping(pathsOrderedBy: nil)
    let expected = try rows(of: Array(Self.page.utf8), by: mapping)
    let form = try JSONForms.form(of: Self.page, seed: seed)
    #expect(try rows(of: form, by: mapping) == expected, "seed \(seed)")
  }
}
