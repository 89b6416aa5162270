import Emulator
import Firestore
import Foundation
import Model
import Store
import StoreTesting

/// A workspace whose Firestore holds a few users that every filter tells apart.
struct FilterStage {
  let workspace: TemporaryWorkspace

  /// Id, gender, country, language, age, city.
  static let users: [[String]] = [
    ["ann", "Female", "United States", "English", "25", "Berlin"],
    ["bea", "Female", "United States", "Spanish", "35", "Boston"],
    ["cat", "female", "Germany", "German", "24", "Berlin"],
    ["dan", "Male", "Germany", "English", "30", "Berlin"],
    ["eli", "Male", "United States", "English", "36", "Boston"],
    ["fay", "Female", "United States", "English", "old", "berlin"],
    ["gus", "", "Kosovo", "Albanian", "", ""],
  ]

  /// `isLoaded` says whether the users are in the local copy already.
  init(isLoaded: Bool = true) async throws {
    workspace = try await TemporaryWorkspace(users: 0)
    try put(Self.users)
    if isLoaded { _ = try await workspace.run("run", "online-users") }
  }

  private func put(_ users: [[String]]) throws {
    let documents = try users.enumerated().map { index, user in
      try document(
        user[0], name: "Name of \(user[0])", secondsAgo: 60 * (index + 1),
        [
          "User_gender": .string(user[1]), "User_country": .string(user[2]),
          "user_language": .string(user[3]), "User_age": .string(user[4]),
          "user_city": .string(user[5]),
        ])
    }
    try workspace.server.documents.seed(documents)
  }

  /// A user as Firestore holds one.
  func document(
    _ id: String, name: String, secondsAgo: Int, _ others: [String: Value] = [:]
  ) throws -> Document {
    let seen = TemporaryWorkspace.morning - .seconds(secondsAgo)
    let fields: [String: Value] = [
      "User_id": .string(id), "User_name": .string(name),
      "last_time_seen": .timestamp(Timestamp(microseconds: seen.microseconds)),
    ]
    return Document(
      name: try ResourceName(project: "demo").appending(path: "Users/\(id)").description,
      fields: fields.merging(others) { $1 })
  }

  /// Runs the program so many seconds after the morning.
  func run(_ arguments: String..., after seconds: Double = 0) async throws -> BuiltProgram.Result {
    let now = TemporaryWorkspace.morning + .milliseconds(Int(seconds * 1_000))
    return try await workspace.run(arguments, at: now)
  }

  /// Requests of any kind that the server has seen.
  var requestCount: Int { workspace.server.requests.count }

  /// The ids of the local copy, sorted.
  func ids() throws -> [String] { try workspace.userIds() }

  func profile() throws -> Profile {
    try workspace.store().read { try $0.profile(named: "default") } ?? Profile()
  }

  func usage(_ feature: Feature = .filter) throws -> Int {
    try workspace.store().read { try $0.limitState(profile: "default", feature: feature) }.usage
  }

  func lastRun() throws -> Run? {
    try workspace.store().read { try $0.lastRuns() }["online-users"]
  }

  func events() throws -> [Event] {
    var events: [Event] = []
    try workspace.store().read { reader in try reader.forEachEvent { events.append($0) } }
    return events
  }

  func eventNames() throws -> [String] { try events().map(\.name) }

  /// Everything that a load which fails must leave as it was.
  func state() throws -> State {
    let users = try workspace.store().read { try $0.users(limit: 250).users }
    return State(users: users, profile: try profile(), usage: try usage())
  }

  struct State: Equatable {
    var users: [OnlineUser]
    var profile: Profile
    var usage: Int
  }

  static func objects(_ lines: String) throws -> [[String: Any]] {
    try lines.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }
}
