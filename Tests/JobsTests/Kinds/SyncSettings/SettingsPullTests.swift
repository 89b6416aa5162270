import Emulator
import Firestore
import Fixtures
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

@Suite struct SettingsPullTests {
  private static let path = "AppSettings/com.example.app"

  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private func pull(
    _ client: FirestoreClient, at now: Instant = .morning
  ) async throws -> (changes: [SettingChange], fieldCount: Int?) {
    try await SettingsPull(port: client, store: workspace.store).run(document: Self.path, at: now)
  }

  private func values() throws -> [String: String] {
    let fetched = try workspace.store.read { try $0.fetchedSettings(from: .appSettings) }
    return Dictionary(fetched.map { ($0.wireName, $0.rawValue) }) { _, last in last }
  }

  @Test(
    arguments: [
      (.integer(3), "3"), (.integer(.min), "-9223372036854775808"), (.double(3), "3"),
      (.double(-0.0), "0"), (.double(2.5), "2.5"), (.double(1e300), "1e+300"),
      (.double(.infinity), "inf"), (.double(.nan), "nan"), (.string(""), ""), (.string("3"), "3"),
      (.string("ü \"quoted\""), "ü \"quoted\""), (.boolean(true), "true"),
      (.boolean(false), "false"), (.null, #"{"nullValue":null}"#),
      (
        .array([.string("US"), .integer(1)]),
        #"{"arrayValue":{"values":[{"stringValue":"US"},{"integerValue":"1"}]}}"#
      ),
      (
        .map(["b": .integer(2), "a": .null]),
        #"{"mapValue":{"fields":{"a":{"nullValue":null},"b":{"integerValue":"2"}}}}"#
      ),
    ] as [(Value, String)])
  func `a value is kept as its text, anything but numbers, texts and flags as JSON`(
    value: Value, text: String
  ) {
    #expect(SettingsPull.text(of: value) == text)
  }

  @Test
  func `the document's fields become the values of app-settings, with their changes`() async throws
  {
    try await withServer { _, client in
      try await client.put([Self.path: ["freeRefreshLimit": .integer(3), "kept": .string("x")]])
      let first = try await pull(client)
      #expect(first.fieldCount == 2)
      #expect(first.changes.map(\.wireName) == ["freeRefreshLimit", "kept"])
      #expect(first.changes.allSatisfy { $0.oldValue == nil })
      #expect(try values() == ["freeRefreshLimit": "3", "kept": "x"])
      #expect(try await pull(client, at: .morning + .seconds(60)).changes.isEmpty)
      try await client.put([Self.path: ["kept": .string("x"), "new": .boolean(true)]])
      let later = Instant.morning + .seconds(120)
      let second = try await pull(client, at: later)
      #expect(
        second.changes == [
          SettingChange(
            wireName: "freeRefreshLimit", source: .appSettings, oldValue: "3", newValue: nil,
            changedAt: later),
          SettingChange(
            wireName: "new", source: .appSettings, oldValue: nil, newValue: "true",
            changedAt: later),
        ])
      #expect(try values() == ["kept": "x", "new": "true"])
      let history = try workspace.store.read { try $0.settingChanges(limit: 10) }
      #expect(history.count == 4)
    }
  }

  @Test func `without a document no value remains, and that is a change`() async throws {
    try await withServer { _, client in
      let nothing = try await pull(client)
      #expect(nothing.fieldCount == nil)
      #expect(nothing.changes.isEmpty)
      try workspace.store.write {
        _ = try $0.record(
          fetched: [
            FetchedSetting(
              wireName: "a", rawValue: "1", source: .appSettings, fetchedAt: .morning)
          ], from: .appSettings, at: .morning)
      }
      let gone = try await pull(client)
      #expect(gone.changes.map(\.wireName) == ["a"])
      #expect(try values().isEmpty)
    }
  }

  @Test func `an empty document is a document`() async throws {
    try await withServer { _, client in
      try await client.put([Self.path: [:]])
      #expect(try await pull(client).fieldCount == 0)
    }
  }

  @Test func `a failed fetch leaves the values as they were`() async throws {
    try await withServer { server, client in
      try await client.put([Self.path: ["a": .integer(1)]])
      _ = try await pull(client)
      server.inject(.status(.permissionDenied), matching: "GET")
      await #expect(throws: FirestoreError.self) { try await pull(client) }
      #expect(try values() == ["a": "1"])
    }
  }
}
