import Emulator
import Firestore
import Foundation
import Testing

/// Every command whose query lacks an index says how to make it; see `docs/firestore.md#indexes`.
@Suite struct MissingIndexTests {
  private static let link =
    "https://console.firebase.google.com/v1/r/project/demo/firestore/indexes?create_composite=A"
  private static let entry =
    #"{"collectionGroup":"Users","fields":[{"fieldPath":"User_gender","order":"ASCENDING"},"#
    + #"{"fieldPath":"last_time_seen","order":"DESCENDING"}],"queryScope":"COLLECTION"}"#

  private static let commands = [
    ["filter", "apply", "--gender", "female"], ["run", "online-users", "--force"], ["refresh"],
  ]

  /// A workspace with a filter that asks for one gender, and a server that has no index for it.
  private func workspace(saying message: String) async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace()
    let applied = try await workspace.run("filter", "apply", "--gender", "female")
    #expect(applied.status == 0 || applied.status == 3)
    workspace.server.inject(
      .status(.failedPrecondition, message: message, insideArray: true), times: nil,
      matching: ":runQuery")
    return workspace
  }

  @Test(arguments: commands)
  func `a query without its index ends with 78, the link and the entry`(command: [String])
    async throws
  {
    let message = "The query requires an index. You can create it here: \(Self.link)"
    let workspace = try await workspace(saying: message)
    let before = try workspace.userIds()
    let result = try await workspace.run(command)
    #expect(result.status == 78)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("Create the index at \(Self.link), or add"))
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.contains("    indexes: \(Self.entry)"))
    #expect(try workspace.userIds() == before)
  }

  @Test func `without a link there is still the entry`() async throws {
    let workspace = try await workspace(saying: "no matching index found.")
    let result = try await workspace.run("refresh")
    #expect(result.status == 78)
    #expect(result.errors.contains("  indexes: \(Self.entry)\n"))
    #expect(!result.errors.contains("https://console"))
  }

  @Test(arguments: commands)
  func `with --json the error carries the whole file`(command: [String]) async throws {
    let workspace = try await workspace(saying: "no matching index found.")
    let result = try await workspace.run(command + ["--json"])
    #expect(result.status == 78)
    let line = try #require(result.errors.split(separator: "\n").first)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(object?["message_type"] as? String == "error")
    #expect(object?["code"] as? Int == 78)
    let file = try #require(object?["firestore_indexes"] as? [String: Any])
    let indexes = try #require(file["indexes"] as? [[String: Any]])
    #expect(indexes.count == 1)
    #expect(indexes.first?["queryScope"] as? String == "COLLECTION")
    #expect((file["fieldOverrides"] as? [Any])?.isEmpty == true)
  }

  @Test func `other errors carry no file`() async throws {
    let workspace = try await workspace(saying: "The requested snapshot version is too old.")
    let result = try await workspace.run("refresh", "--json")
    #expect(result.status != 0)
    #expect(!result.errors.contains("firestore_indexes"))
  }
}
