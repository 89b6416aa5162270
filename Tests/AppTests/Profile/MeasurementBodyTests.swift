import Feeds
import Model
import Testing

@testable import Jobs

struct MeasurementBodyTests {
  private func payload(_ events: [Event], userId: String? = nil) throws -> String? {
    try MeasurementBody(events, userId: userId, at: Instant(microseconds: 7))
      .map { try StoredJSON.text(of: $0) }
  }

  private func event(named name: String, _ parameters: [String: EventValue] = [:]) -> Event {
    Event(name: name, at: Instant(microseconds: 7), userId: "", parameters: parameters)
  }

  @Test(arguments: [(39, true), (40, true), (41, false)])
  func `names have at most 40 characters`(length: Int, isSent: Bool) throws {
    let name = String(repeating: "n", count: length)
    #expect((try payload([event(named: name)]) != nil) == isSent)
    let text = try #require(try payload([event(named: "e", [name: .integer(1)])]))
    #expect(text.contains(name) == isSent)
  }

  @Test(arguments: [(99, 99), (100, 100), (101, 100)])
  func `texts are cut after 100 characters`(length: Int, sent: Int) throws {
    let text = String(repeating: "§", count: length)
    let payload = try #require(try payload([event(named: "e", ["p": .string(text)])]))
    #expect(payload.filter { $0 == "§" }.count == sent)
  }

  @Test(arguments: [(24, 24), (25, 25), (26, 25)])
  func `an event has at most 25 parameters, the first by name`(count: Int, sent: Int) throws {
    let names = (0..<count).map { "p\(100 + $0)" }
    let parameters = Dictionary(uniqueKeysWithValues: names.map { ($0, EventValue.integer(1)) })
    let payload = try #require(try payload([event(named: "e", parameters)]))
    #expect(names.filter { payload.contains($0) } == Array(names.prefix(sent)))
  }

  @Test func `the body is what the protocol asks for, but for the ids of app and installation`()
    throws
  {
    let sent = try payload(
      [event(named: "a", ["x": .double(1.5), "y": .string("é\u{1}")]), event(named: "b")],
      userId: "u1")
    #expect(
      sent == #"""
        {"events":[{"name":"a","params":{"x":1.5,"y":"é\u0001"}},{"name":"b","params":{}}],\#
        "timestamp_micros":7,"user_id":"u1"}
        """#)
  }

  @Test func `without an event that may be sent there is no body`() throws {
    #expect(try payload([]) == nil)
  }
}
