import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct UsersTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// The ids of all pages of the size, page by page; `between` runs after each page.
  private func pages(
    of size: Int, _ question: UsersQuery = .everyone, between: (Int) throws -> Void = { _ in }
  ) throws -> [[String]] {
    var pages: [[String]] = []
    var cursor: UserCursor?
    repeat {
      let page = try store.read { try $0.users(matching: question, after: cursor, limit: size) }
      pages.append(page.users.map(\.userId))
      cursor = page.next
      try between(pages.count)
    } while cursor != nil
    return pages
  }

  private func matching(_ question: UsersQuery) throws -> Set<String> {
    let found = try store.read { reader in
      #expect(
        try reader.usersCount(matching: question)
          == reader.users(matching: question, limit: 100).users.count)
      return try reader.users(matching: question, limit: 100).users
    }
    return Set(found.map(\.userId))
  }

  @Test func `an empty table is one empty page`() throws {
    #expect(try pages(of: 10) == [[]])
  }

  @Test func `users come newest first, of one second the later row first`() throws {
    try store.merge([.numbered(1, seen: 5), .numbered(2, seen: 9), .numbered(3, seen: 5)])
    #expect(try pages(of: 10) == [["user-2", "user-3", "user-1"]])
  }

  @Test(arguments: [(9, [9]), (10, [10]), (11, [10, 1]), (20, [10, 10]), (25, [10, 10, 5])])
  func `pages of ten cover everybody, and no empty page follows`(
    users: Int, sizes: [Int]
  ) throws {
    try store.merge((0..<users).map { .numbered($0, seen: Int64($0 / 3)) })
    let pages = try pages(of: 10)
    #expect(pages.map(\.count) == sizes)
    #expect(Set(pages.flatMap { $0 }).count == users)
  }

  @Test func `nobody is met twice while a sync inserts newer users and moves old ones up`() throws {
    try store.merge((0..<60).map { .numbered($0, seen: Int64($0 / 4)) })
    let met = try pages(of: 7) { page in
      try store.merge([.numbered(1_000 + page, seen: 100)], updateTime: 2)
      try store.merge([.numbered(page, seen: 200)], updateTime: Int64(page + 2))
    }.flatMap { $0 }
    #expect(Set(met).count == met.count)
    #expect(met.count >= 50)
  }

  private func fill() throws {
    try store.merge([
      OnlineUser([
        .userId: "ann", .name: "Ann Émile", .gender: "Female", .country: "Germany",
        .language: "German", .age: "25", .city: "Berlin",
      ]),
      OnlineUser([
        .userId: "bob", .name: "Bob", .gender: "MALE", .country: "Germany", .language: "English",
        .age: "30", .city: "Bonn",
      ]),
      OnlineUser([
        .userId: "cleo", .name: "クレオ", .gender: "female", .country: "Japan", .language: "Japanese",
        .age: "", .city: "",
      ]),
      OnlineUser([
        .userId: "dan", .name: "Dan", .gender: "", .country: "germany", .language: "German",
        .age: "thirty", .city: "Berlin",
      ]),
    ])
  }

  @Test func `each criterion narrows, and all of them hold together`() throws {
    try fill()
    #expect(try matching(.everyone) == ["ann", "bob", "cleo", "dan"])
    #expect(try matching(UsersQuery(UserFilter(gender: .female))) == ["ann", "cleo"])
    #expect(try matching(UsersQuery(UserFilter(gender: .male))) == ["bob"])
    #expect(try matching(UsersQuery(UserFilter(country: "Germany"))) == ["ann", "bob"])
    #expect(try matching(UsersQuery(UserFilter(language: "German"))) == ["ann", "dan"])
    #expect(
      try matching(UsersQuery(UserFilter(country: "Germany", language: "German"))) == ["ann"])
    #expect(try matching(UsersQuery(UserFilter(country: "' OR 1 = 1 --"))) == [])
  }

  @Test func `nearby compares the city, and matches nobody without one`() throws {
    try fill()
    let nearby = UserFilter(isNearbyOnly: true)
    #expect(try matching(UsersQuery(nearby, nearCity: "Berlin")) == ["ann", "dan"])
    #expect(try matching(UsersQuery(nearby, nearCity: "Paris")) == [])
    #expect(try matching(UsersQuery(nearby, nearCity: nil)) == [])
    #expect(try matching(UsersQuery(.none, nearCity: "Berlin")).count == 4)
  }

  static let ages: [(Int?, Int?, [String])] = [
    (24, nil, ["ann", "bob"]), (25, nil, ["ann", "bob"]), (26, nil, ["bob"]),
    (nil, 24, []), (nil, 25, ["ann"]), (nil, 30, ["ann", "bob"]), (25, 30, ["ann", "bob"]),
    (26, 29, []),
  ]

  @Test(arguments: ages)
  func `ages are inclusive, and who has no readable age never matches`(
    minAge: Int?, maxAge: Int?, expected: [String]
  ) throws {
    try fill()
    let filter = UserFilter(minAge: minAge, maxAge: maxAge)
    #expect(try matching(UsersQuery(filter)) == Set(expected))
  }

  @Test(arguments: [
    "25", "025", "+25", "-25", "", " 25", "25 ", "2 5", "25.0", "2e1", "0x19", "٢٥", "-", "+",
    "--2", "25\u{0}", "99999999999999999999",
  ])
  func `an age is readable in SQL when it is digits that Swift reads`(age: String) throws {
    let user = OnlineUser([.userId: "age", .name: "Age", .age: .text(age)])
    try store.merge([user])
    let isFound = try matching(UsersQuery(UserFilter(minAge: -1_000))) == ["age"]
    let hasSign = ["+", "-"].contains(age.first)
    #expect(isFound == (Int(age) != nil && !hasSign))
  }

  static let names: [(String, [String])] = [
    ("ann", ["ann"]), ("ANN É", ["ann"]), ("émile", ["ann"]), ("ÉMILE", ["ann"]), ("b", ["bob"]),
    ("レ", ["cleo"]),
    ("%", []), ("_", []), ("'", []), ("an", ["ann", "dan"]), ("zoe", []),
  ]

  @Test(arguments: names)
  func `a name is searched in any case and any script, without wildcards`(
    text: String, expected: [String]
  ) throws {
    try fill()
    #expect(try matching(UsersQuery(nameContaining: text)) == Set(expected))
  }

  @Test(arguments: [
    ("ΣΊΣΥΦΟΣ", "σίσυφος", true), ("Σίσυφος", "ΊΣΥΦΟΣ", true), ("STRASSE", "straße", true),
    ("Łódź", "łÓDŹ", true), ("Łódź", "łodź", false),
  ])
  func `letters with several small forms are one letter`(
    name: String, text: String, isFound: Bool
  ) throws {
    try store.merge([OnlineUser([.userId: "one", .name: .text(name)])])
    #expect(try matching(UsersQuery(nameContaining: text)).isEmpty == !isFound)
  }

  @Test func `area, city and state each ask for their own column`() throws {
    try store.merge([
      OnlineUser([.userId: "one", .name: "One", .area: "X", .city: "Y", .state: "Z"]),
      OnlineUser([
        .userId: "two", .name: "Two", .area: "Y", .city: "Z", .state: "X", .lastSeenAtSeconds: 5,
      ]),
      OnlineUser([
        .userId: "six", .name: "Six", .area: "X", .city: "Q", .state: "Q", .lastSeenAtSeconds: 9,
      ]),
    ])
    let places: [(WritableKeyPath<UsersQuery, String?>, String, [[String]])] = [
      (\.area, "X", [["six"], ["one"]]), (\.city, "Z", [["two"]]), (\.state, "X", [["two"]]),
      (\.state, "x", [[]]),
    ]
    for (place, name, expected) in places {
      var question = UsersQuery.everyone
      question[keyPath: place] = name
      #expect(try pages(of: 1, question) == expected)
    }
  }

  @Test func `a single user is found by its id, or is nil`() throws {
    try store.merge([.numbered(1, seen: 77), .numbered(2, seen: 33)])
    try store.read { reader throws in
      #expect(try reader.user(id: "user-1") == .numbered(1, seen: 77))
      #expect(try reader.user(id: "user-3") == nil)
      #expect(try reader.userExists(id: "user-2"))
      #expect(try !reader.userExists(id: "USER-2"))
      #expect(try reader.latestLastSeen() == Instant(unixSeconds: 77))
    }
  }

  @Test func `an empty table has no latest user`() throws {
    #expect(try store.read { try $0.latestLastSeen() } == nil)
  }

  @Test func `the names in use are sorted, each once, without the empty one`() throws {
    try fill()
    try store.read { reader throws in
      #expect(try reader.countriesInUse() == ["Germany", "Japan", "germany"])
      #expect(try reader.languagesInUse() == ["English", "German", "Japanese"])
    }
  }
}
