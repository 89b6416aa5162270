import Foundation
import Testing

@testable import firetally

/// Commands that only read change nothing beside the database: docs/commands.md#readers.
@Suite struct ReadersTests {
  /// They only read what is stored, each with the words that it needs.
  private static let readers: [String: [String]] = [
    "plan": ["online-users"], "run": ["--all", "--dry-run"], "jobs": [], "outbox list": [],
    "limits show": [], "limits peek": ["refresh"], "limits replay": ["--from-events"],
    "limits what-if": ["--set", "refresh.limit=5"], "filter show": [], "filter preview": [],
    "filter suggest": ["country", "Ger"], "profile show": [], "profile list": [], "tier show": [],
    "settings show": [], "settings history": [], "rating status": [],
    "rating what-if": ["--set", "rating.threshold=15"], "feedback list": [], "feedback themes": [],
    "feedback export": [], "moment list": [], "users list": [], "users show": ["nobody"],
    "users count": [], "users exists": ["nobody"], "users latest": [], "events list": [],
    "events count": [], "events export": [], "export": ["SELECT 1"], "sql": ["SELECT 1"],
    "schema": [], "report": ["--summary"], "findings list": [], "status": [], "overview": [],
    "runs list": [],
    "runs show": ["1"], "incidents list": [], "config show": [], "config schema": [], "doctor": [],
    "schedule next": [], "backup list": [], "hooks test": [],
  ]

  /// They store something, ask a server for it, or need no workspace.
  private static let others: Set<String> = [
    "refresh", "outbox retry", "shard plan", "shard run", "shard gather", "shard export", "inspect",
    "get", "count", "limits check", "limits use", "limits reset", "limits dismiss",
    "limits subscribe", "filter set", "filter apply", "filter clear", "profile set",
    "profile create", "profile locate", "profile sign-out", "tier set", "settings sync",
    "settings propose", "rating record", "rating prompt", "rating submit", "rating later",
    "feedback tag", "feedback done", "moment add", "paywall show", "users clear", "users erase",
    "search", "query", "events import", "findings ack", "findings unack", "incidents ack",
    "incidents unack", "runs forget", "runs import-audit", "init", "demo", "backup create",
    "verify", "restore", "load", "emulator",
  ]

  /// Every file below `data/`, with its time of change.
  private static func data(of workspace: TemporaryWorkspace) throws -> [String: Date] {
    let folder = workspace.folder.appending(path: "data")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try names.reduce(into: [:]) { times, name in
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.appending(path: name).path)
      times[name] = attributes[.modificationDate] as? Date
    }
  }

  @Test func `each command is known to read alone or not`() {
    let names = Set(LeafCommand.all.map(\.name))
    #expect(Self.others.isDisjoint(with: Self.readers.keys))
    #expect(names.symmetricDifference(Self.others.union(Self.readers.keys)) == [])
  }

  @Test func `a command that only reads makes no database`() async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    let before = try Self.data(of: workspace).keys
    for (command, words) in Self.readers {
      _ = try await workspace.run(command.split(separator: " ").map(String.init) + words)
      #expect(try Self.data(of: workspace).keys == before, "\(command)")
    }
  }

  @Test func `a command that only reads leaves nothing beside a database, and changes nothing`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 5)
    _ = try await workspace.run("run", "online-users")
    let before = try Self.data(of: workspace)
    for (command, words) in Self.readers {
      let arguments = command.split(separator: " ").map(String.init) + words
      let result = try await workspace.run(arguments)
      #expect(result.status != 64, "\(command): \(result.errors)")
      #expect(try Self.data(of: workspace) == before, "\(command)")
    }
  }
}
