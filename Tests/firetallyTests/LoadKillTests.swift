import Firestore
import Fixtures
import Foundation
import Testing

@testable import Emulator

/// `kill -9` at random points of `firetally load`: nothing is lost or doubled.
@Suite struct LoadKillTests {
  private static let documentCount = 6_000
  static let kills = 12

  @Test func `killed anywhere, a load that is repeated writes all documents once`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let path = workspace.folder.appending(path: "export").path
    var writer = try ExportWriter(to: path, begin: Timestamp(microseconds: 5))
    for index in 0..<Self.documentCount {
      try writer.add(
        Document(
          name: "projects/other/databases/(default)/documents/Orders/\(index)",
          fields: ["n": .integer(Int64(index))]))
    }
    _ = try writer.finish(end: Timestamp(microseconds: 9))
    workspace.server.inject(.delay(.milliseconds(30)), times: nil, matching: ":batchWrite")
    var pauses: [Int] = []
    for kill in 0..<Self.kills {
      let running = try workspace.start(["load", path, "--to", "emulator"])
      let pause = 30 + kill * 20 + Int.random(in: 0..<60)
      pauses.append(pause)
      try await Task.sleep(for: .milliseconds(pause))
      running.kill()
      _ = try await running.wait()
    }
    workspace.server.clearFaults()
    let last = try await workspace.run("load", path, "--to", "emulator")
    #expect(last.status == 0, "pauses \(pauses): \(last.errors)")
    let root = try ResourceName(project: "other").appending(path: "Orders")
    let documents = workspace.server.documents.documents(in: root)
    #expect(documents.count == Self.documentCount, "pauses \(pauses)")
    // A document that was written twice would have another time of update.
    #expect(documents.allSatisfy { $0.createTime == $0.updateTime }, "pauses \(pauses)")
    let numbers = documents.compactMap { document -> Int64? in
      if case .integer(let number)? = document.fields["n"] { number } else { nil }
    }
    #expect(Set(numbers).count == Self.documentCount, "pauses \(pauses)")
  }

  @Test func `anything but an emulator needs a confirmation`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.write(
      #"{"name": "projects/a/databases/(default)/documents/C/x", "fields": {}}"#, to: "d.ndjson")
    let path = workspace.folder.appending(path: "d.ndjson").path
    try workspace.write(
      """
      app: {name: Chat, bundle_id: com.example.app}
      firestore: {base_url: 'http://\(workspace.server.address)'}
      """, to: "firetally.yml")
    let program = BuiltProgram(environment: [:])
    let refused = try await program.run(["load", path, "--to", "b", "-C", workspace.folder.path])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("give --yes"))
    #expect(refused.errors.contains("about $0.000001"))
    let own = try await program.run(
      ["load", path, "--to", "a", "--yes", "-C", workspace.folder.path])
    #expect(own.status == 64)
    #expect(own.errors.contains("--into-source"))
    #expect(workspace.server.requests.isEmpty)
  }
}
