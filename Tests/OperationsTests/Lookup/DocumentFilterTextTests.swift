import Firestore
import Model
import Sync
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Operations
@testable import Workspace

/// Filters of the command line.
@Suite struct DocumentFilterTextTests {
  @Test(
    arguments: [
      ("status == paid", .string("paid")), ("status == O: Brien # 3", .string("O: Brien # 3")),
      ("n == 10", .integer(10)), ("n == -7", .integer(-7)), ("n == 10.0", .double(10)),
      ("b == true", .boolean(true)), ("zip == \"01067\"", .string("01067")),
      ("zip == '10'", .string("10")), ("  a   ==   two words ", .string("two words")),
      (
        "at == {timestamp: \"2026-01-31T08:00:00Z\"}",
        .timestamp(Timestamp(microseconds: 1_769_846_400_000_000))
      ),
      ("u == {reference: Users/abc}", .reference("Users/abc")),
      ("big == 9007199254740993", .integer(9_007_199_254_740_993)),
    ] as [(String, Value)])
  func `values have the types of job files`(text: String, value: Value) throws {
    guard case .field(_, .equal, let found) = try DocumentFilter(parsing: text).filter else {
      Issue.record("\(text) is not an equality")
      return
    }
    #expect(found == value)
  }

  @Test func `lists, tests without a value and quoted names are read`() throws {
    let list = try DocumentFilter(parsing: "a.b in [1, x, \"2\"]")
    #expect(
      list.filter
        == .field(
          FieldPath(segments: ["a", "b"]), .in, .array([.integer(1), .string("x"), .string("2")])))
    let test = try DocumentFilter(parsing: "a is-not-null")
    #expect(test.filter == .unary(FieldPath(segments: ["a"]), .isNotNull))
    #expect(test.isInequality)
    let quoted = try DocumentFilter(parsing: "`odd `.`b\\` c` > 1")
    #expect(quoted.field == FieldPath(segments: ["odd ", "b` c"]))
    #expect(
      try DocumentFilter(parsing: "a == null").filter
        == .unary(FieldPath(segments: ["a"]), .isNull))
  }

  @Test(
    arguments: [
      ("", "is not FIELD OP VALUE"), ("status", "is not FIELD OP VALUE"),
      ("status==paid", "is not FIELD OP VALUE"),
      ("status = paid", "op: must be one of ==, !=, <"), ("status ==", "value: is missing"),
      ("a is-null 3", "'is-null' takes no value"), ("a in 3", "must be a list"),
      ("a in []", "must not be an empty list"), ("1a == 2", "is not a field path"),
      ("a == {timestamp: yesterday}", "must be a time such as"),
      ("a == {refernce: x}", "Did you mean 'reference'?"), ("a == [1", "the value is not valid"),
      ("a < null", "null and NaN are compared by == and != only"),
    ])
  func `a wrong filter is told in a sentence`(text: String, sentence: String) {
    let error = #expect(throws: WorkspaceError.self) { _ = try DocumentFilter(parsing: text) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    #expect(error?.description.hasPrefix("--where '\(text)'") == true)
  }
}

/// Paths as people type them.
@Suite struct TypedPathTests {
  @Test(
    arguments: [
      ("Users", "Users", false), ("/Users/abc", "Users/abc", true), ("Users/", "Users", false),
      ("projects/p/databases/(default)/documents/Users/abc", "Users/abc", true),
      ("projects/p/databases", "projects/p/databases", false),
      ("a/b/c", "a/b/c", false), ("Users/ä b", "Users/ä b", true),
    ])
  func `slashes around it and full names are the same path`(
    text: String, path: String, isDocument: Bool
  ) throws {
    let typed = try TypedPath(parsing: text)
    #expect(typed.path == path)
    #expect(typed.isDocument == isDocument)
  }

  @Test(arguments: ["", "/", "//", "Users//abc", "Users/..", "Users/__x__"])
  func `what cannot be a path is refused`(text: String) {
    #expect(throws: WorkspaceError.self) { _ = try TypedPath(parsing: text) }
  }

  @Test func `a collection is no document, and the other way round`() throws {
    let collection = try TypedPath(parsing: "Users")
    let document = try TypedPath(parsing: "Users/abc")
    let odd = #expect(throws: WorkspaceError.self) { _ = try collection.checkedAsDocument() }
    #expect(odd?.description.contains("`firetally query Users`") == true)
    let even = #expect(throws: WorkspaceError.self) { _ = try document.collection() }
    #expect(even?.description.contains("`firetally get Users/abc`") == true)
    let deep = try TypedPath(parsing: "a/b/c")
    #expect(throws: WorkspaceError.self) { _ = try deep.collection(isGroup: true) }
    #expect(try deep.collection().parent == "a/b")
    #expect(try collection.collection(isGroup: true).isGroup)
  }

  @Test func `a full name of another database is refused`() throws {
    let typed = try TypedPath(parsing: "projects/p/databases/(default)/documents/Users/abc")
    #expect(
      try typed.name(in: ResourceName(project: "p")).description
        == "projects/p/databases/(default)/documents/Users/abc")
    #expect(throws: WorkspaceError.self) { _ = try typed.name(in: ResourceName(project: "q")) }
  }
}

/// Orders and fields of the command line.
@Suite struct AdHocQueryTests {
  private let root = ResourceName(project: "p")

  @Test(
    arguments: [
      ([], ["a asc", "b asc", "__name__ asc"]),
      (["z desc"], ["z desc", "a desc", "b desc", "__name__ desc"]),
      (["b desc", "z asc"], ["b desc", "z asc", "a asc", "__name__ asc"]),
    ] as [([String], [String])])
  func `the order is completed as Firestore does: inequalities by name, in the last direction`(
    orders: [String], complete: [String]
  ) throws {
    let query = try AdHocQuery(
      "Users", filters: ["b > 1", "a != 2", "c == 3"], orders: orders
    ).query(in: root)
    let found = query.orderBy.map { "\($0.field) \($0.direction == .ascending ? "asc" : "desc")" }
    #expect(found == complete)
  }

  @Test func `fields are separated by commas, which back-ticks may hold`() throws {
    let query = try AdHocQuery("Users", fields: ["a, b.c", "`x,y`"])
    #expect(query.fields.map(\.description) == ["a", "b.c", "`x,y`"])
  }

  @Test(
    arguments: [
      (["a b"], [], "--order-by 'a b'"), ([""], [], "--order-by ''"), ([], ["a,"], "--select 'a,'"),
    ] as [([String], [String], String)])
  func `wrong orders and fields are told with their option`(
    orders: [String], fields: [String], start: String
  ) {
    let error = #expect(throws: WorkspaceError.self) {
      _ = try AdHocQuery("Users", orders: orders, fields: fields)
    }
    #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
  }
}
