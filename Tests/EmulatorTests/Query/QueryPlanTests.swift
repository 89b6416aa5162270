import Firestore
import Fixtures
import Model
import Testing

@testable import Emulator

@Suite struct QueryPlanTests {
  private static let root = "projects/p/databases/d/documents"

  private func document(_ id: String, _ fields: [String: Value]) -> Document {
    Document(name: "\(Self.root)/c/\(id)", fields: fields)
  }

  private func path(_ name: String) -> FieldPath { FieldPath(segments: [name]) }

  private func query(
    filter: StructuredQuery.Filter? = nil, _ orders: StructuredQuery.Order...
  ) -> StructuredQuery {
    StructuredQuery(from: [.init(collectionId: "c")], filter: filter, orderBy: orders)
  }

  private var numbered: [Document] {
    [5, 3, 1, 4, 2].map { document("d\($0)", ["n": .integer(Int64($0)), "same": .integer(1)]) }
  }

  private func ids(_ query: StructuredQuery, of documents: [Document]) throws -> [String] {
    try QueryPlan(query).results(of: documents).documents.map(\.id)
  }

  @Test func `without an order documents come by name`() throws {
    #expect(try ids(query(), of: numbered) == ["d1", "d2", "d3", "d4", "d5"])
  }

  @Test func `the implied name order takes the last direction`() throws {
    let descending = StructuredQuery.Order(field: path("same"), direction: .descending)
    #expect(try ids(query(descending), of: numbered) == ["d5", "d4", "d3", "d2", "d1"])
    let plan = try QueryPlan(query(descending))
    #expect(plan.orders.map(\.field) == [path("same"), .documentName])
    #expect(plan.orders.map(\.direction) == [.descending, .descending])
  }

  @Test func `inequality fields are appended in their own order before the name`() throws {
    let filter = StructuredQuery.Filter.composite(
      .and,
      [
        .field(path("z"), .lessThan, .integer(9)), .field(path("b"), .notEqual, .integer(9)),
        .field(path("e"), .equal, .integer(9)), .field(path("a"), .greaterThan, .integer(0)),
      ])
    let plan = try QueryPlan(query(filter: filter, .init(field: path("z"))))
    #expect(plan.orders.map(\.field) == [path("z"), path("a"), path("b"), .documentName])
  }

  @Test func `a document without the ordered field is left out`() throws {
    let documents = numbered + [document("none", ["same": .integer(1)])]
    let order = StructuredQuery.Order(field: path("n"))
    #expect(try ids(query(order), of: documents) == ["d1", "d2", "d3", "d4", "d5"])
    #expect(try ids(query(), of: documents).count == 6)
  }

  /// Cursor values, before or after, and what of d1...d5 is left when it starts or ends there.
  static let cursors: [(Int64, Bool, String, String)] = [
    (3, true, "345", "12"), (3, false, "45", "123"), (0, true, "12345", ""),
    (6, false, "", "12345"), (1, true, "12345", ""), (5, false, "", "12345"),
  ]

  @Test(arguments: cursors)
  func `cursors cut just before or just after their position`(
    row: (Int64, Bool, String, String)
  ) throws {
    var start = query(.init(field: path("n")))
    start.startAt = .init(values: [.integer(row.0)], before: row.1)
    #expect(try ids(start, of: numbered).map { $0.dropFirst() }.joined() == row.2)
    var end = query(.init(field: path("n")))
    end.endAt = .init(values: [.integer(row.0)], before: row.1)
    #expect(try ids(end, of: numbered).map { $0.dropFirst() }.joined() == row.3)
  }

  @Test func `a cursor of fewer values covers all that begin with them`() throws {
    var query = query(.init(field: path("same")), .init(field: path("n")))
    query.startAt = .init(values: [.integer(1)], before: false)
    #expect(try ids(query, of: numbered) == [])
    query.startAt = .init(values: [.integer(1)], before: true)
    #expect(try ids(query, of: numbered).count == 5)
  }

  @Test(arguments: [nil, "d0", "d1", "d3", "d5", "d9"], [true, false])
  func `documents in the order of names are cut where others are`(
    id: String?, isBefore: Bool
  ) throws {
    let cursor = StructuredQuery.Cursor(
      values: id.map { [.reference("\(Self.root)/c/\($0)")] } ?? [], before: isBefore)
    let sorted = numbered.sorted { $0.name < $1.name }
    for isStart in [true, false] {
      var query = query(.init(field: .documentName))
      if isStart { query.startAt = cursor } else { query.endAt = cursor }
      for limit in [nil, 1, 2] {
        query.limit = limit
        let found = try QueryPlan(query).results(ofSorted: sorted)?.documents.map(\.id)
        #expect(found == (try ids(query, of: numbered)), "\(query)")
      }
    }
  }

  @Test func `offset and limit count after the cursors`() throws {
    var query = query(.init(field: path("n"), direction: .descending))
    query.startAt = .init(values: [.integer(4)], before: true)
    query.offset = 1
    query.limit = 2
    #expect(try ids(query, of: numbered) == ["d3", "d2"])
    query.limit = 0
    #expect(try ids(query, of: numbered) == [])
    query.limit = nil
    query.offset = 4
    #expect(try ids(query, of: numbered) == [])
  }

  @Test(arguments: [1, 7, 50, 199, 200, 201])
  func `a limit gives the head of what no limit gives`(limit: Int) throws {
    var random = SeededGenerator(seed: 7)
    let documents = (0..<200).map {
      document("d\($0)", ["n": .integer(Int64(random.integer(0...20)))])
    }
    var query = query(.init(field: path("n"), direction: .descending))
    let all = try ids(query, of: documents)
    query.limit = limit
    #expect(try ids(query, of: documents.shuffled(using: &random)) == Array(all.prefix(limit)))
  }

  @Test func `a projection goes into maps and drops the rest`() throws {
    var query = query()
    query.select = [FieldPath(segments: ["m", "a"]), path("n"), path("none")]
    let whole = document(
      "x", ["n": .integer(1), "m": .map(["a": .null, "b": .null]), "o": .integer(2)])
    let projected = try QueryPlan(query).results(of: [whole]).documents
    #expect(projected.map(\.fields) == [["n": .integer(1), "m": .map(["a": .null])]])
    query.select = [.documentName]
    #expect(try QueryPlan(query).results(of: [whole]).documents.map(\.fields) == [[:]])
    #expect(try QueryPlan(query).results(of: [whole]).documents.map(\.name) == [whole.name])
  }

  @Test func `sums stay integers while they fit`() throws {
    let sum = Aggregation.sum(path("n"))
    let standard = FirestoreEdition.standard.rules
    func of(_ values: Value..., on rules: EditionRules? = nil) throws -> Value {
      try sum.value(
        over: values.enumerated().map { document("\($0)", ["n": $1]) }, rules ?? standard)
    }
    #expect(try of() == .integer(0))
    #expect(try of(.integer(1), .integer(2)) == .integer(3))
    #expect(try of(.integer(1), .double(0.5), .string("7")) == .double(1.5))
    #expect(try of(.integer(.max), .integer(1)) == .double(9_223_372_036_854_775_808))
    #expect(try of(.integer(1), .double(.nan)) == .double(.nan))
    #expect(try Aggregation.average(path("n")).value(over: [], standard) == .null)
    #expect(try Aggregation.count(upTo: 2).value(over: numbered, standard) == .integer(2))
    #expect(try Aggregation.count(upTo: 6).value(over: numbered, standard) == .integer(5))
    let enterprise = FirestoreEdition.enterprise.rules
    #expect(try of(on: enterprise) == .null)
    #expect(try of(.integer(.max), .integer(0), on: enterprise) == .integer(.max))
    #expect(
      try of(.integer(.max), .double(1), on: enterprise) == .double(9_223_372_036_854_775_808))
    #expect(throws: RefusedRequest.self) {
      try of(.integer(.max), .integer(1), on: enterprise)
    }
  }
}
