import Feeds
import Fixtures
import Foundation
import Glibc
import Model
import Synchronization
import Testing

@Suite("Reading while somebody writes")
struct StreamingTests {
  @Test func `of thirty thousand lines only a few buffers are read ahead`() throws {
    let line = Array((GA4Export.line(for: RandomEvent.sample) + "\n").utf8)
    let pipe = try NamedPipe()
    pipe.write(line, count: 30_000)
    let export = try GA4Export(path: pipe.path)
    let expected = EventRows([RandomEvent.sample]).columns[0]
    var page = GA4Export.Page()
    var count = 0
    var furthestLead = 0
    repeat {
      try export.read(into: &page)
      if count == 0 { #expect(page.events.columns.allSatisfy { $0 == expected }) }
      count += page.events.count
      furthestLead = max(furthestLead, pipe.writtenBytes - count * line.count)
    } while page.lineCount > 0
    #expect(count == 30_000)
    #expect(furthestLead < 2 << 20)
    #expect(pipe.writtenBytes == 30_000 * line.count)
  }

  @Test func `a device is not read`() {
    let error = #expect(throws: FeedError.self) { try GA4Export(path: "/dev/zero") }
    #expect(error == .cannotOpen(path: "/dev/zero", reason: "it is a device"))
  }
}

/// A FIFO in a folder of its own, written to from a thread.
private final class NamedPipe: Sendable {
  private let folder: TemporaryFolder
  private let written = Atomic(0)
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "events.ndjson")
    try #require(mkfifo(path, 0o600) == 0)
  }

  var writtenBytes: Int { written.load(ordering: .sequentiallyConsistent) }

  /// Writes the line so many times, then closes the pipe.
  func write(_ line: [UInt8], count: Int) {
    Thread.detachNewThread { [self] in
      var signals = sigset_t()
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      let descriptor = open(path, O_WRONLY)
      defer { close(descriptor) }
      for _ in 0..<count {
        guard Glibc.write(descriptor, line, line.count) == line.count else { return }
        written.add(line.count, ordering: .sequentiallyConsistent)
      }
    }
  }
}
