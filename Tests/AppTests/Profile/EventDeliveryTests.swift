import Foundation
import Jobs
import Model
import Store
import Testing
@testable import App

struct EventDeliveryTests {
  private struct Body: Decodable {
    struct Entry: Decodable {
      let name: String
      let params: [String: Param]
    }

    let user_id: String?
    let timestamp_micros: Int64
    let events: [Entry]
  }

  private enum Param: Decodable, Equatable {
    case text(String)
    case number(Double)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        self = .number(try container.decode(Double.self))
      } catch {
        self = .text(try container.decode(String.self))
      }
    }
  }

  private func bodies(_ workspace: SessionStore) throws -> [Body] {
    try workspace.outbox().reversed().map { item in
      #expect(item.kind == .event && item.state == .queued)
      return try JSONDecoder().decode(Body.self, from: Data(item.payload.utf8))
    }
  }

  @Test func `without a delivery the ledger is all there is`() throws {
    let workspace = try SessionStore()
    _ = try workspace.session().use(.refresh, now: SessionStore.start)
    #expect(try workspace.outbox().isEmpty)
    #expect(try !workspace.events().isEmpty)
  }

  @Test func `one verb queues its events as one item, in their order and with their instant`()
    throws
  {
    let workspace = try SessionStore()
    let session = workspace.session(deliversEvents: true)
    try session.updateProfile { $0.userId = "u1" }
    _ = try session.use(.refresh, now: SessionStore.start)
    let body = try #require(try bodies(workspace).first)
    #expect(body.events.map(\.name) == (try workspace.eventNames()))
    #expect(body.timestamp_micros == SessionStore.start.microseconds)
    #expect(body.user_id == "u1")
    #expect(body.events[0].params["ios_user_type"] == .text("free_user"))
    #expect(body.events[0].params["ios_usage_limit"] == .number(2))
  }

  @Test func `a peek queues nothing, each verb after it one item`() throws {
    let workspace = try SessionStore()
    let session = workspace.session(deliversEvents: true)
    _ = try session.peek(.refresh, now: SessionStore.start)
    #expect(try workspace.outbox().isEmpty)
    _ = try session.check(.refresh, now: SessionStore.start)
    try session.reset([.filter], now: SessionStore.start)
    _ = try session.submitRating(.four, feedback: nil, now: SessionStore.start)
    #expect(try bodies(workspace).count == 3)
    #expect(try bodies(workspace).allSatisfy { $0.user_id == nil })
  }

  @Test func `what Google Analytics would drop is not sent, and long texts are cut`() throws {
    let workspace = try SessionStore()
    let session = workspace.session(
      set: [.conversationLimit: "1", .conversationCooldown: "60"], deliversEvents: true)
    let long = String(repeating: "é", count: 101)
    var details: [String: EventValue] = [
      "note": .string(long), String(repeating: "k", count: 37): .integer(1),
    ]
    for number in 0..<30 { details["zz\(number)"] = .integer(Int64(number)) }
    _ = try session.use(.conversation, now: SessionStore.start, details: details)
    let body = try #require(try bodies(workspace).first)
    for event in body.events {
      #expect(event.name.count <= 40)
      #expect(event.params.count == 25)
      #expect(event.params["ios_note"] == .text(String(long.prefix(100))))
      #expect(event.params.keys.allSatisfy { $0.count <= 40 })
    }
  }
}
