import Feeds
import Fixtures
import Foundation
import Model
import Testing

@Suite("Writing the export")
struct GA4ExportWritingTests {
  @Test func `a line has the shape of BigQuery's own`() {
    var event = RandomEvent.sample
    event.parameters = ["b": .integer(-1), "a": .string("x\"\n\u{1}"), "c": .double(0.5)]
    #expect(
      GA4Export.line(for: event)
        == #"{"event_timestamp":"1767600000000000","event_name":"ios_refresh_performed","#
        + #""event_params":[{"key":"a","value":{"string_value":"x\"\n\u0001"}},"#
        + #"{"key":"b","value":{"int_value":"-1"}},{"key":"c","value":{"double_value":0.5}}],"#
        + #""user_id":"u1","geo":{"country":"Germany"},"app_info":{"version":"2.1.0"}}"#)
  }

  @Test func `what an event lacks its line lacks`() {
    let event = Event(name: "e", at: Instant(microseconds: 0), userId: "")
    #expect(
      GA4Export.line(for: event)
        == #"{"event_timestamp":"0","event_name":"e","event_params":[]}"#)
  }

  @Test func `a number that is not finite is written as a string`() throws {
    var event = Event(name: "e", at: Instant(microseconds: 0), userId: "")
    event.parameters = ["n": .double(.nan), "i": .double(-.infinity)]
    let content = try ExportFile.content(GA4Export.line(for: event))
    #expect(content.events.first?.parameters == ["n": .string("nan"), "i": .string("-inf")])
  }

  @Test(arguments: (1...20).map { UInt64($0) })
  func `what was written is read back`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let events = (0..<200).map { _ in RandomEvent.make(&random) }
    let text = events.map { GA4Export.line(for: $0) + "\n" }.joined()
    let content = try ExportFile(text, gzip: seed.isMultiple(of: 2)).content()
    #expect(content.events == events, "seed \(seed)")
    #expect(content.columns == EventRows(events).columns, "seed \(seed)")
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `Foundation reads every line as JSON`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let event = RandomEvent.make(&random)
      let line = GA4Export.line(for: event)
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["event_name"] as? String == event.name, "seed \(seed)")
    }
  }
}
