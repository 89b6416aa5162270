import Fixtures
import Foundation
import Glibc
import Model
import Testing

@testable import Feeds

@Suite("Writing a whole export")
struct GA4ExportWriterTests {
  private func write(_ events: [Event], to file: ExportFile, isGzip: Bool) throws {
    let descriptor = open(file.path, O_WRONLY | O_TRUNC)
    defer { close(descriptor) }
    let writer = try GA4ExportWriter(descriptor: descriptor, path: file.path, isGzip: isGzip)
    for event in events { try writer.write(event) }
    try writer.finish()
  }

  @Test(arguments: [false, true], [0, 1, 2_000])
  func `what was written is read back, plain or gzip`(isGzip: Bool, count: Int) throws {
    var random = SeededRandom(seed: 11)
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
    let writer = try GA4ExportWriter(descriptor: descriptor, path: "/x", isGzip: false)
    let error = #expect(throws: FeedError.self) {
      for _ in 0..<10_000 { try writer.write(RandomEvent.sample) }
      try writer.finish()
    }
    #expect(error == .cannotWrite(path: "/x", reason: "No space left on device"))
  }

  @Test func `a closed descriptor is an error`() {
    #expect(throws: FeedError.self) {
      try GA4ExportWriter(descriptor: -1, path: "/x", isGzip: true)
    }
  }
}
