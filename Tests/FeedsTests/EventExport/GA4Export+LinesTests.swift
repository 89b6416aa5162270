import Fixtures
import Foundation
import Glibc
import Model
import Testing

@testable import Feeds

@Suite("Writing a whole export")
struct GA4ExportTextTests {
  private func write(_ events: [Event], to file: ExportFile, isGzip: Bool) throws {
    let descriptor = open(file.path, O_WRONLY | O_TRUNC)
    defer { close(descriptor) }
    let writer = try OutputBytes(descriptor: descriptor, path: file.path, isGzip: isGzip)
    for event in events { try writer.write(event) }
    try writer.finish()
  }

  @Test(arguments: [false, true], [0, 1, 700])
  func `what was written is read back, plain or gzip`(isGzip: Bool, count: Int) throws {
    var random = SeededGenerator(seed: 11)
    let events = (0..<count).map { _ in RandomEvent.make(&random) }
    let file = try ExportFile("what stood there before")
    try write(events, to: file, isGzip: isGzip)
    #expect(try file.content().columns == EventRows(events).columns)
    #expect(try file.bytes().starts(with: [0x1F, 0x8B]) == isGzip)
  }

  @Test func `a plain export is the lines and nothing else`() throws {
    let file = try ExportFile("")
    try write([RandomEvent.sample, RandomEvent.sample], to: file, isGzip: false)
    let line = GA4Export.line(for: RandomEvent.sample) + "\n"
    #expect(try String(decoding: file.bytes(), as: UTF8.self) == line + line)
  }

  @Test func `a full disk is an error that names the file`() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    let writer = try OutputBytes(descriptor: descriptor, path: "/x", isGzip: false)
    let error = #expect(throws: FeedError.self) {
      for _ in 0..<10_000 { try writer.write(RandomEvent.sample) }
      try writer.finish()
    }
    #expect(error == .cannotWrite(path: "/x", reason: "no space left on device"))
  }

  @Test func `a closed descriptor is an error`() {
    #expect(throws: FeedError.self) {
      try OutputBytes(descriptor: -1, path: "/x", isGzip: true)
    }
  }
}

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

  @Test(
    arguments: [
      ("app_events", "IOS", "ios"), ("app_events", "ANDROID", "android"), ("app_events", "", nil),
      ("ios_refresh_performed", "ANDROID", nil),
    ] as [(String, String, String?)])
  func `the platform is the export's, unless the name begins with one`(
    name: String, platform: String, found: String?
  ) throws {
    let line =
      #"{"event_timestamp":1,"event_name":"\#(name)","platform":"\#(platform)"}"#
    let content = try ExportFile.content(line)
    #expect(content.events.map(\.platform) == [found])
    let again = try ExportFile.content(GA4Export.line(for: try #require(content.events.first)))
    #expect(again.events == content.events)
    let twice = try ExportFile.content(
      line.replacing("{", with: #"{"platform":"IOS","#))
    #expect(twice.events.isEmpty)
  }

  @Test func `a number that is not finite is written as a string`() throws {
    var event = Event(name: "e", at: Instant(microseconds: 0), userId: "")
    event.parameters = ["n": .double(.nan), "i": .double(-.infinity)]
    let content = try ExportFile.content(GA4Export.line(for: event))
    #expect(content.events.first?.parameters == ["n": .string("nan"), "i": .string("-inf")])
  }

  @Test(arguments: FuzzCases.seeds(6, orMany: 20))
  func `what was written is read back`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = (0..<200).map { _ in RandomEvent.make(&random) }
    let text = events.map { GA4Export.line(for: $0) + "\n" }.joined()
    let content = try ExportFile(text, gzip: seed.isMultiple(of: 2)).content()
    #expect(content.events == events, "seed \(seed)")
    #expect(content.columns == EventRows(events).columns, "seed \(seed)")
  }

  @Test(arguments: FuzzCases.seeds(2, orMany: 3))
  func `Foundation reads every line as JSON`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let event = RandomEvent.make(&random)
      let line = GA4Export.line(for: event)
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["event_name"] as? String == event.name, "seed \(seed)")
    }
  }
}
