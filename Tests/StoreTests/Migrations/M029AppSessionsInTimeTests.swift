import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct M029AppSessionsInTimeTests {
  @Test func `the sessions of before go on with their numbers and counts`() throws {
    let file = try StoreFile()
    let before = Schema.migrations.prefix { $0.identifier != M029AppSessionsInTime.identifier }
    let steps = before.map {
      "\($0.sql)\nINSERT INTO grdb_migrations VALUES ('\($0.identifier)');"
    }
    try SQLiteFile.execute(
      file.path,
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      \(steps.joined(separator: "\n"))
      INSERT INTO app_sessions VALUES ('default', 'a', \(Instant.morning.microseconds), 7);
      INSERT INTO app_sessions VALUES ('ana', 'b', 5, 1);
      INSERT INTO app_session_counts VALUES ('default', 'refresh', 2), ('default', 'search', 1);
      PRAGMA application_id = \(Schema.applicationId);
      PRAGMA user_version = \(before.count);
      """)
    let store = try file.open()
    #expect(
      try store.read { try $0.appSessions(profile: "default") } == [
        AppSession(
          id: "a", startedAt: .morning, lastEventAt: .morning, eventCount: 7,
          performedCounts: [.refresh: 2, .search: 1])
      ])
    #expect(try store.read { try $0.appSessions(profile: "ana") }.map(\.id) == ["b"])
  }
}
