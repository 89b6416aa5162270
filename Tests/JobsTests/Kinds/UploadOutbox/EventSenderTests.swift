import Feeds
import Fixtures
import Foundation
import HTTP
import Model
import Store
import StoreTesting
import Sync
import Testing

@testable import Jobs

/// Deliveries of events to a scripted collector.
@Suite struct EventSenderTests {
  private static let payload = #"{"events":[{"name":"e","params":{}}],"timestamp_micros":7}"#
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private var store: Store { workspace.store }

  private func enqueue(_ payload: String = payload) throws -> Int64 {
    try store.write { try $0.enqueue(.event, profile: "p", payload: payload, at: .morning) }
  }

  private func item(_ id: Int64) throws -> OutboxItem {
    try #require(try store.read { try $0.outboxItem(id: id) })
  }

  private func upload(
    to url: String, at now: Instant = .morning
  ) async throws -> OutboxUploadResult {
    let timeouts = HTTPTimeouts(connect: .seconds(5), stall: .seconds(1), total: .seconds(2))
    let http = HTTPClient(configuration: .init(timeouts: timeouts))
    let client = MeasurementClient(
      http: http, baseURL: url, firebaseAppId: "app", apiSecret: "secret")
    return try await OutboxUpload(
      EventSender(client: client, appInstanceId: "abc"), store: store, random: { 0.5 },
      elapsed: { .zero }, sleep: { _ in }
    ).run(at: now, maxItems: 10)
  }

  @Test func `an item is sent once, with the installation's id`() async throws {
    let server = try ScriptedServer(answers: [.response(204)])
    let id = try enqueue()
    #expect(try await upload(to: server.url).delivered == 1)
    #expect(try await upload(to: server.url).delivered == 0)
    #expect(try item(id).state == .delivered)
    #expect(
      server.requests.map(\.text) == [
        #"{"app_instance_id":"abc","events":[{"name":"e","params":{}}],"timestamp_micros":7}"#
      ])
  }

  @Test
  func `an item whose outcome is unknown is not sent a second time until somebody says so`()
    async throws
  {
    let answers: [ScriptedAnswer] = [
      ScriptedAnswer([.reset]), ScriptedAnswer([.close]), .raw("no HTTP\r\n\r\n").then(.close),
      ScriptedAnswer([.wait(.seconds(4))]),
    ]
    for answer in answers {
      let server = try ScriptedServer(answers: [answer])
      let id = try enqueue()
      let result = try await upload(to: server.url)
      #expect(result.parked == 1 && result.delivered == 0 && result.stoppedBy == nil)
      #expect(try await upload(to: server.url, at: .morning + .seconds(86_400)).delivered == 0)
      #expect(server.requests.count == 1)
      #expect(try item(id).state == .parked)
      #expect(try item(id).lastError?.contains("outbox retry \(id)`") == true)
      let healthy = try ScriptedServer(answers: [.response(204)])
      try store.write { try $0.retry(id: id) }
      #expect(try await upload(to: healthy.url).delivered == 1)
      #expect(healthy.requests.count == 1)
    }
  }

  @Test func `an item of a process that died is parked, not sent`() async throws {
    let server = try ScriptedServer(answers: [.response(204)])
    let id = try enqueue()
    try store.write { try $0.markSending(id: id, at: .morning) }
    #expect(try await upload(to: server.url).parked == 1)
    #expect(server.requests.isEmpty)
    #expect(try item(id).state == .parked)
  }

  @Test(arguments: [408, 429, 500, 503])
  func `what the collector did not take is tried again`(status: Int) async throws {
    let server = try ScriptedServer(answers: [.response(status), .response(204)])
    let id = try enqueue()
    #expect(try await upload(to: server.url).requeued == 1)
    #expect(try item(id).state == .queued)
    #expect(try await upload(to: server.url).delivered == 0)
    #expect(try await upload(to: server.url, at: .morning + .seconds(3_600)).delivered == 1)
    #expect(server.requests.count == 2)
  }

  @Test func `a collector that nobody reaches leaves the item queued`() async throws {
    let socket = try LoopbackSocket()
    let id = try enqueue()
    #expect(try await upload(to: "http://127.0.0.1:\(socket.port)").requeued == 1)
    #expect(try item(id).state == .queued)
    #expect(try !item(id).mayHaveArrived)
  }

  @Test func `a request that is wrong is rejected, a wrong address stops the kind`() async throws {
    let server = try ScriptedServer(answers: [.response(400), .response(404)])
    let ids = [try enqueue(), try enqueue(), try enqueue("no JSON")]
    let result = try await upload(to: server.url)
    #expect(result.rejected == 1)
    #expect(result.stoppedBy is FeedError)
    #expect(try ids.map { try item($0).state } == [.rejected, .queued, .queued])
    let healthy = try ScriptedServer(answers: [.response(204)])
    #expect(try await upload(to: healthy.url).rejected == 1)
    #expect(try ids.map { try item($0).state } == [.rejected, .delivered, .rejected])
  }

  @Test(arguments: [(-1, true), (0, true), (1, false)])
  func `events are taken for 72 hours`(secondsBeyond: Int, isSent: Bool) async throws {
    let server = try ScriptedServer(answers: [.response(204)])
    let id = try enqueue()
    let now = Instant.morning + .seconds(72 * 3_600 + secondsBeyond)
    _ = try await upload(to: server.url, at: now)
    #expect(try item(id).state == (isSent ? .delivered : .rejected))
    #expect(server.requests.count == (isSent ? 1 : 0))
  }
}
