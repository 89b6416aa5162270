import EventEncoding
import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct M009EventsInOrderTests {
  @Test func `the events of an older ledger are carried over, and stay the same events`() throws {
    let folder = try StoreFile()
    let before = Schema.migrations.prefix { $0.identifier != M009EventsInOrder.identifier }
    let steps = before.map {
      "\($0.sql)\nINSERT INTO grdb_migrations VALUES ('\($0.identifier)');"
    }
    let tap = Event(
      name: "ios_refresh_button_tapped", at: .morning, userId: "u1",
      parameters: ["ios_user_type": .string("free_user"), "ios_current_usage": .integer(1)],
      country: "Germany", appVersion: "2.0")
    let row = EventRows.columns(of: tap)
    try SQLiteFile.execute(
      folder.path,
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      BEGIN;
      \(steps.joined(separator: "\n"))
      INSERT INTO events VALUES (7, 'ios_refresh_button_tapped', \(tap.at.microseconds), 'u1',
        'ios', 'refresh', 'button_tapped', 'free_user', NULL, '\(row.parameters)', 'Germany', '2.0',
        'old.ndjson', \(row.fingerprint), 1966496);
      PRAGMA application_id = \(Schema.applicationId);
      PRAGMA user_version = \(before.count);
      COMMIT;
      """)
    let store = try folder.open()
    var events: [Event] = []
    try store.read { try $0.forEachEvent { events.append($0) } }
    #expect(events == [tap])
    #expect(try store.write { try $0.append([tap], source: "x") } == AppendCounts(duplicates: 1))
    #expect(try store.read { try $0.text("SELECT id || source FROM events") } == "7old.ndjson")
    try store.close()
    #expect(
      try SQLiteFile.text(
        folder.path, "SELECT name FROM sqlite_schema WHERE tbl_name = 'events' AND type = 'index'"
      ).sorted() == [
        "events_content", "events_own", "events_rating_prompts", "events_rating_visits",
        "events_ratings",
        "events_usage",
      ])
  }
}

extension EventRows {
  fileprivate static func columns(of event: Event) -> (parameters: String, fingerprint: Int64) {
    var rows = EventRows()
    var encoder = EventRowEncoder()
    encoder.append(event, to: &rows)
    rows.seal()
    return (rows.text(rows.rows[0].parameters) ?? "", rows.fingerprints[0])
  }
}
