import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

/// A filter finds the same users in Firestore, in a full copy, and by the rule itself.
@Suite struct FilterAgreementTests {
  private static let genders: [Value] = [
    "Male", "Female", "male", "female", "MALE", "FEMALE", "", "Other", "Femalemale",
  ].map { .string($0) }
  private static let countries = [
    "Chile", "Germany", "germany", "R\u{E9}union", "Re\u{301}union", "",
  ]
  private static let languages = ["Spanish", "German", "", "ESPA\u{D1}OL"]
  private static let cities = ["Lima", "LIMA", "Bonn", "", " Lima"]
  private static let ages: [Value?] = [
    .string("17"), .string("18"), .string("25"), .string("35"), .string("99"), .string("+25"),
    .string("025"), .string("25.0"), .string("abc"), .string(""), .string(" 25"), .integer(25),
    .integer(36), .null, nil,
  ]

  /// A user whose fields are present, blank, null or missing at random.
  private static func user(
    _ id: String, _ random: inout SeededGenerator
  ) -> [String: Value] {
    func odd(_ values: [Value]) -> Value? {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: nil
      case 1: .null
      default: values.randomElement(using: &random)
      }
    }
    func texts(_ texts: [String]) -> Value? { odd(texts.map { .string($0) }) }
    var fields = [String: Value].user(id, seenAgo: Int64.random(in: 0..<50_000, using: &random))
    fields["User_gender"] = odd(genders)
    fields["User_country"] = texts(countries)
    fields["user_language"] = texts(languages)
    fields["user_city"] = texts(cities)
    fields["User_city"] = texts(cities)
    fields["User_age"] = ages.randomElement(using: &random) ?? nil
    return fields
  }

  private static func filter(_ random: inout SeededGenerator) -> (UserFilter, city: String) {
    func maybe<T>(_ values: [T]) -> T? {
      Bool.random(using: &random) ? values.randomElement(using: &random) : nil
    }
    let filter = UserFilter(
      gender: maybe(Gender.allCases), country: maybe(countries.filter { !$0.isEmpty }),
      language: maybe(languages.filter { !$0.isEmpty }), minAge: maybe([18, 25, 26]),
      maxAge: maybe([27, 35, 99]), isNearbyOnly: Bool.random(using: &random))
    return (filter, cities.filter { !$0.isEmpty }.randomElement(using: &random) ?? "Lima")
  }

  private static func request(
    _ mode: PullMode, _ filter: UserFilter, city: String
  ) -> SyncUsersRequest {
    var request = SyncUsersRequest.users(pageSize: 100)
    request.options.mode = mode
    request.filter = filter
    request.city = city
    return request
  }

  private static let trials = Backend.present.flatMap { backend in
    (1...(backend == .google ? 2 : 8)).map { (backend, UInt64($0)) }
  }

  @Test(arguments: trials)
  func `in Firestore, in a full copy and by the rule the same users match`(
    backend: Backend, seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let users = (1...120).map { number in
      ("Users/user-\(number)", Self.user("user-\(number)", &random))
    }
    let filters = (1...25).map { _ in Self.filter(&random) }
    try await backend.run("agreement-\(seed)") { client in
      try await client.put(Dictionary(uniqueKeysWithValues: users))
      let full = try TemporaryStore()
      _ = try await Pull(port: client, store: full.store)
        .run(Self.request(.merge, .none, city: ""))
      let everyone = try full.users()
      let found = try TemporaryStore()
      for (filter, city) in filters {
        _ = try await Pull(port: client, store: found.store)
          .run(Self.request(.replace, filter, city: city))
        let remote = Set(try found.userIds())
        let local = try full.store.read {
          try $0.users(matching: UsersQuery(filter, nearCity: city), limit: 1_000).users
        }
        let byRule = everyone.filter {
          FilterRule.matches(TableRows([$0]), row: 0, filter, profileCity: city)
        }
        #expect(remote == Set(local.map(\.userId)), "seed \(seed), \(filter), \(city)")
        #expect(remote == Set(byRule.map(\.userId)), "seed \(seed), \(filter), \(city)")
      }
    }
  }

  @Test
  func `the users of a city are found in either of its fields, the first of which counts`()
    async throws
  {
    try await withServer { _, client in
      try await client.put([
        "Users/first": .user("first", seenAgo: 1),
        "Users/second": .user(
          "second", seenAgo: 2, ["user_city": .null, "User_city": .string("Lima")]),
        "Users/moved": .user(
          "moved", seenAgo: 3, ["user_city": .string("Bonn"), "User_city": .string("Lima")]),
        "Users/other": .user("other", seenAgo: 4, ["user_city": .string("lima")]),
      ])
      let workspace = try TemporaryStore()
      _ = try await Pull(port: client, store: workspace.store)
        .run(Self.request(.replace, UserFilter(isNearbyOnly: true), city: "Lima"))
      #expect(try workspace.userIds() == ["first", "second"])
    }
  }
}
