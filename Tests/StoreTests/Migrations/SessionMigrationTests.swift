import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct SessionMigrationTests {
  @Test func `the sessions of 0.1.0 go on with their numbers and counts`() throws {
    let file = try StoreFile()
    try SQLiteFile.execute(
      file.path,
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      \(Migration.release010.sql)
      INSERT INTO grdb_migrations VALUES ('\(Migration.release010.identifier)');
      INSERT INTO app_sessions VALUES ('default', 'a', \(Instant.morning.microseconds), 7);
      INSERT INTO app_sessions VALUES ('ana', 'b', 5, 1);
      INSERT INTO app_session_counts VALUES ('default', 'refresh', 2), ('default', 'search', 1);
      PRAGMA application_id = \(Schema.applicationId);
      PRAGMA user_version = \(Migration.release010.version);
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
