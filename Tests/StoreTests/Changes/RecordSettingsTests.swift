import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct RecordSettingsTests {
  let folder: TemporaryStore
  let store: Store
  let later = Instant.morning + .seconds(60)

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func fetch(
    _ values: [String: String], from source: SettingSource = .appSettings, at now: Instant
  ) throws -> [SettingChange] {
    let fetched = values.map {
      FetchedSetting(wireName: $0, rawValue: $1, source: source, fetchedAt: now)
    }
    return try store.write { try $0.record(fetched: fetched, from: source, at: now) }
  }

  private func change(
    _ name: String, _ old: String?, _ new: String?, at now: Instant,
    from source: SettingSource = .appSettings
  ) -> SettingChange {
    SettingChange(
      wireName: name, source: source, oldValue: old, newValue: new, changedAt: now)
  }

  @Test func `a field appears, changes, vanishes, and every step makes one history row`() throws {
    #expect(
      try fetch(["limit": "2", "other": "x"], at: .morning) == [
        change("limit", nil, "2", at: .morning), change("other", nil, "x", at: .morning),
      ])
    #expect(
      try fetch(["limit": "5"], at: later) == [
        change("limit", "2", "5", at: later), change("other", "x", nil, at: later),
      ])
    #expect(
      try store.read { try $0.settingChanges(limit: 9) } == [
        change("limit", "2", "5", at: later), change("other", "x", nil, at: later),
        change("limit", nil, "2", at: .morning), change("other", nil, "x", at: .morning),
      ])
    #expect(try store.read { try $0.settingChanges(limit: 1).map(\.newValue) } == ["5"])
  }

  @Test func `an unchanged value makes no history, but is known to be fresh`() throws {
    _ = try fetch(["limit": "2"], at: .morning)
    #expect(try fetch(["limit": "2"], at: later) == [])
    #expect(
      try store.read { try $0.fetchedSettings() } == [
        FetchedSetting(wireName: "limit", rawValue: "2", source: .appSettings, fetchedAt: later)
      ])
  }

  @Test func `a name and a value with a NUL are whole, and unchanged the next time`() throws {
    let values = ["li\u{0}mit": "2\u{0}x", "other": "\u{0}"]
    let changes = try fetch(values, at: .morning)
    #expect(changes.map(\.wireName) == ["li\u{0}mit", "other"])
    #expect(try fetch(values, at: later) == [])
    #expect(try store.read { try $0.settingChanges(limit: 9) } == changes)
    let kept = try store.read { try $0.fetchedSettings() }
    #expect(Dictionary(uniqueKeysWithValues: kept.map { ($0.wireName, $0.rawValue) }) == values)
  }

  @Test func `the sources do not touch each other, and come weakest first`() throws {
    _ = try fetch(["limit": "2"], from: .appSettings, at: .morning)
    _ = try fetch(["limit": "3"], from: .remoteConfig, at: .morning)
    #expect(
      try fetch([:], from: .remoteConfig, at: later) == [
        change("limit", "3", nil, at: later, from: .remoteConfig)
      ])
    _ = try fetch(["limit": "4"], from: .remoteConfig, at: later)
    let found = try store.read { try $0.fetchedSettings() }
    #expect(found.map(\.source) == [.remoteConfig, .appSettings])
    #expect(found.map(\.rawValue) == ["4", "2"])
    #expect(try store.read { try $0.fetchedSettings(from: .appSettings).map(\.rawValue) } == ["2"])
  }

  @Test func `a cursor is kept per job and key until it is cleared`() throws {
    let cursor = SyncCursor(value: #"{"after":"a'b"}"#, startedAt: .morning)
    try store.write { try $0.setCursor(cursor, job: "online-users", key: "page") }
    try store.read { reader throws in
      #expect(try reader.cursor(job: "online-users", key: "page") == cursor)
      #expect(try reader.cursor(job: "online-users", key: "sweep") == nil)
      #expect(try reader.cursor(job: "events", key: "page") == nil)
    }
    let next = SyncCursor(value: "{}", startedAt: later)
    try store.write { try $0.setCursor(next, job: "online-users", key: "page") }
    #expect(try store.read { try $0.cursor(job: "online-users", key: "page") } == next)
    try store.write { try $0.clearCursor(job: "online-users", key: "page") }
    #expect(try store.read { try $0.cursor(job: "online-users", key: "page") } == nil)
  }
}
