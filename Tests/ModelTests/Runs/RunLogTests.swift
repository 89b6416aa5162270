import Fixtures
import Testing

@testable import Model

/// The bounds of `docs/runs.md#log`.
@Suite struct RunLogTests {
  private func log(of messages: [String]) -> RunLog {
    messages.reduce(into: RunLog()) { log, message in
      log.append(RunLog.LoggedLine(at: .morning, level: .info, message: message))
    }
  }

  @Test func `lines stay in their order`() {
    #expect(log(of: ["a", "b"]).lines.map(\.message) == ["a", "b"])
    #expect(log(of: []).lines.isEmpty)
  }

  @Test(arguments: [-1, 0, 1, 500])
  func `of more lines than are kept the oldest go`(surplus: Int) {
    let count = RunLog.maxLines + surplus
    let log = log(of: (1...count).map { "\($0)" })
    #expect(log.lines.count == min(count, RunLog.maxLines))
    #expect(log.omittedCount == max(0, surplus))
    #expect(log.lines.last?.message == "\(count)")
    #expect(log.lines.first?.message == "\(max(0, surplus) + 1)")
  }

  @Test func `of more bytes than are kept the oldest lines go`() {
    let line = String(repeating: "x", count: RunLog.maxMessageBytes)
    let room = RunLog.maxBytes / RunLog.maxMessageBytes
    #expect(log(of: Array(repeating: line, count: room)).omittedCount == 0)
    let full = log(of: Array(repeating: line, count: room) + ["last"])
    #expect(full.omittedCount == 1)
    #expect(full.lines.count == room)
    #expect(full.lines.last?.message == "last")
  }

  @Test(arguments: ["x", "ü", "👩‍🚀"])
  func `a message longer than one may be is cut between two characters`(character: String) {
    let exact = String(repeating: "x", count: RunLog.maxMessageBytes)
    #expect(log(of: [exact]).lines.first?.message == exact)
    let cut = log(of: [String(repeating: character, count: 5_000)]).lines[0].message
    #expect(cut.utf8.count <= RunLog.maxMessageBytes)
    #expect(cut.utf8.count > RunLog.maxMessageBytes - 20)
    #expect(cut.hasSuffix("…"))
    #expect(Set(cut.dropLast()) == [Character(character)])
  }

  @Test func `a NUL, at which SQLite's tools stop, becomes a sign`() {
    #expect(log(of: ["a\0b"]).lines.first?.message == "a␀b")
  }
}
