import Fixtures
import Foundation
import Model
import Store
import Testing

/// Events on their way to Google Analytics, through the built program.
@Suite struct AnalyticsTests {
  private let collector: ScriptedServer
  private let workspace: TemporaryWorkspace

  init() async throws {
    collector = try ScriptedServer(answers: [.response(204)])
    workspace = try await TemporaryWorkspace()
    try workspace.write(
      """
      app: {name: ChatHub, bundle_id: com.peppty.ChatApp}
      firestore: {project: demo}
      analytics:
        firebase_app_id: '1:2:ios:3'
        app_instance_id: 0123456789abcdef0123456789abcdef
        api_secret_file: ga4-secret
        base_url: \(collector.url)
      """, to: "firetally.yml")
    try workspace.write("very-secret\n", to: "ga4-secret")
  }

  private func items() throws -> [OutboxItem] {
    try workspace.store().read { try $0.outboxItems(kind: .event, limit: 10) }
  }

  @Test
  func `the events of a command are delivered once, and the secret stays where it was`()
    async throws
  {
    #expect(try await workspace.run("limits", "use", "refresh").status == 0)
    #expect(try items().map(\.state) == [.queued])
    for _ in 0..<2 { _ = try await workspace.run("run", "upload-feedback") }
    #expect(try items().map(\.state) == [.delivered])
    let request = try #require(collector.requests.first)
    #expect(collector.requests.count == 1)
    #expect(request.target.hasSuffix("api_secret=very-secret"))
    #expect(request.text.contains(#""name":"ios_refresh_performed""#))
    #expect(try items().allSatisfy { !$0.payload.contains("secret") })
  }

  @Test
  func `a peek queues nothing; a secret that is missing ends the delivery and keeps the items`()
    async throws
  {
    #expect(try await workspace.run("limits", "show").status == 0)
    _ = try await workspace.run("limits", "check", "refresh")
    try workspace.write(" \n", to: "ga4-secret")
    let result = try await workspace.run("run", "upload-feedback")
    #expect(result.status == 78)
    #expect(result.errors.contains("The file that analytics.api_secret_file names is empty."))
    #expect(!result.errors.contains("ga4-secret"))
    #expect(try items().map(\.state) == [.queued])
    #expect(collector.requests.isEmpty)
  }

  @Test
  func `what may have arrived waits for the operator, who may send it all the same`() async throws {
    let cutting = try ScriptedServer(answers: [ScriptedAnswer([.close]), .response(204)])
    let configuration = try String(
      contentsOf: workspace.folder.appending(path: "firetally.yml"), encoding: .utf8)
    try workspace.write(
      configuration.replacing(collector.url, with: cutting.url), to: "firetally.yml")
    _ = try await workspace.run("limits", "use", "refresh")
    for _ in 0..<2 { _ = try await workspace.run("run", "upload-feedback") }
    let parked = try #require(try items().first)
    #expect(parked.state == .parked)
    #expect(cutting.requests.count == 1)
    #expect(try await workspace.run("outbox", "retry", String(parked.id)).status == 0)
    #expect(try await workspace.run("run", "upload-feedback").status == 0)
    #expect(try items().map(\.state) == [.delivered])
    #expect(cutting.requests.count == 2)
  }
}
