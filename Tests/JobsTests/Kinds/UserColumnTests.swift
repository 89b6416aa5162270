import Emulator
import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Store
import SyncTesting
import Testing

/// What follows from the declaration of a column of users: docs/guides/add-a-column.md.
@Suite struct UserColumnTests {
  /// A field of a document, and what the column then holds.
  private static func example(_ column: UserColumn) -> (field: Value, value: UserValue) {
    switch column.descriptor.form {
    case .text: (.string(column.stringValue), .text(column.stringValue))
    case .age: (.integer(31), "31")
    case .integer: (.integer(7), 7)
    case .lastSeen:
      (
        .timestamp(Timestamp(microseconds: Instant.morning.microseconds)),
        .integer(Instant.morning.unixSeconds)
      )
    case .flag: (.boolean(true), 1)
    }
  }

  @Test func `each name of a field fills its column, from the document to the user`() async throws {
    let names = UserColumn.ofUsers.map { column in
      column.descriptor.wireNames.map { (column: column, name: $0) }
    }
    for choice in 0..<(names.map(\.count).max() ?? 0) {
      let chosen = names.compactMap { choice < $0.count ? $0[choice] : $0.last }
      let workspace = try TestWorkspace(jobs: ["users": "kind: sync-users\n"])
      let fields = chosen.map { ($0.name, Self.example($0.column).field) }
      workspace.firestore.put(["Users/u1": Dictionary(uniqueKeysWithValues: fields)])
      let report = try #require(try await workspace.run(.all).first)
      #expect(report.run.counts.inserted == 1)
      let user = try #require(try workspace.store.read { try $0.users(limit: 2).users }.first)
      for column in UserColumn.ofUsers {
        #expect(user[column] == Self.example(column).value, "\(column.stringValue)")
      }
    }
  }

  @Test func `both tables have each column, with its type and its meaning`() throws {
    let workspace = try TestWorkspace(jobs: [:])
    let tables = try workspace.store.read { try $0.describedTables() }
    for (name, meaning) in [("OnlineUsers", nil), ("OnlineUsers_staging", "As in OnlineUsers.")] {
      let table = try #require(tables.first { $0.name == name })
      for column in UserColumn.allCases.map(\.descriptor) {
        let stored = try #require(table.columns.first { $0.name == column.name }, "\(column.name)")
        #expect(stored.type == (column.isInteger ? "INTEGER" : "TEXT"), "\(column.name)")
        #expect(stored.meaning == meaning ?? column.note, "\(column.name)")
      }
    }
  }

  @Test func `the sample app's users have each field`() {
    let users = SampleApp(users: 100, now: .morning).documents(in: "projects/p/databases/d")
      .filter { $0.name.contains("/Users/") }
    #expect(users.count == 100)
    for column in UserColumn.ofUsers.map(\.descriptor) {
      for name in column.wireNames {
        #expect(users.contains { $0.fields[name] != nil }, "\(name)")
      }
    }
  }
}
