import Firestore
import Testing

@testable import CollectionMapping
@testable import Sync

@Suite struct SchemaDriftTests {
  /// The census of documents with these fields, each with its value's kind.
  private func census(_ documents: [[String: Value]]) throws -> FieldCensus {
    var scanner = DocumentScanner(fields: [WantedField](), extent: .init(hasCensus: true))
    let elements = documents.map { fields in
      JSON.object(["document": Document(name: "n", fields: fields).json])
    }
    let time = JSON.object(["readTime": .string("2026-01-31T08:00:00Z")])
    var bytes = JSON.array(elements + [time]).serialized()
    return try #require(try scanner.scan(&bytes) { _, _ in }.census)
  }

  private func drift(
    from known: SchemaDrift.Kinds, to documents: [[String: Value]], isComplete: Bool = true
  ) throws -> SchemaDrift {
    SchemaDrift(known: known, census: try census(documents), isComplete: isComplete)
  }

  @Test func `the first run finds nothing new and remembers what it met`() throws {
    let drift = try drift(from: [:], to: [["a": .integer(1)], ["b": .null]])
    #expect(drift.warnings.isEmpty)
    #expect(drift.known == ["a": [.integer], "b": [.null]])
  }

  @Test func `an unchanged schema is no news`() throws {
    let known: SchemaDrift.Kinds = ["a": [.integer, .null]]
    for documents in [
      [["a": Value.integer(1)]], [["a": .null]], [["a": .integer(1)], ["a": .null]],
    ] {
      #expect(try drift(from: known, to: documents).warnings.isEmpty)
    }
  }

  @Test func `a new field is told with its kinds`() throws {
    let drift = try drift(
      from: ["a": [.integer]], to: [["a": .integer(1), "b": .string("x")], ["b": .null]])
    #expect(drift.new == ["b": [.string, .null]])
    #expect(drift.warnings == ["New fields: b (null, string)."])
    #expect(drift.known["b"] == [.string, .null])
  }

  @Test(arguments: [true, false])
  func `a field has vanished only when every document was read`(isComplete: Bool) throws {
    let known: SchemaDrift.Kinds = ["a": [.integer], "b": [.string]]
    let drift = try drift(from: known, to: [["a": .integer(1)]], isComplete: isComplete)
    #expect(drift.vanished == (isComplete ? ["b"] : []))
    #expect(
      drift.warnings == (isComplete ? ["Fields that no document has now: b."] : []))
    #expect(drift.known.keys.sorted() == (isComplete ? ["a"] : ["a", "b"]))
  }

  @Test func `without a document nothing has vanished`() throws {
    let drift = try drift(from: ["a": [.integer]], to: [])
    #expect(drift.warnings.isEmpty)
    #expect(drift.known == ["a": [.integer]])
  }

  @Test func `several types in one field are counted, null is none of them`() throws {
    let drift = try drift(
      from: [:], to: [["a": .integer(1)], ["a": .string("x")], ["a": .string("y")], ["a": .null]])
    #expect(drift.mixed == ["a": [.integer: 1, .string: 2]])
    #expect(drift.warnings == ["Fields with values of several types: a (integer 1, string 2)."])
    #expect(try self.drift(from: [:], to: [["a": .integer(1)], ["a": .null]]).mixed.isEmpty)
  }

  @Test func `a type that no earlier run met is told, also when it is the only one now`() throws {
    let drift = try drift(from: ["a": [.string]], to: [["a": .integer(1)]])
    #expect(drift.changed == ["a": [.integer]])
    #expect(
      drift.warnings == ["Fields whose type changed: a (now also integer)."])
    #expect(try self.drift(from: ["a": [.null]], to: [["a": .integer(1)]]).changed.isEmpty)
  }

  @Test(arguments: [(10, false), (11, true)])
  func `ten fields are listed, the others counted`(fieldCount: Int, hasRest: Bool) throws {
    let names = (10..<10 + fieldCount).map { "f\($0)" }
    let fields = Dictionary(uniqueKeysWithValues: names.map { ($0, Value.null) })
    let warnings = try drift(from: ["a": [.null]], to: [fields], isComplete: false).warnings
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasSuffix(" and 1 more.") == hasRest)
    #expect(warnings.first?.contains("f19 (null)") == true)
    #expect(warnings.first?.contains("f20") == false)
  }
}
