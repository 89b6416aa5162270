import Foundation
import Jobs
import Model
import Synchronization
import Testing

@testable import firetally

@Suite struct ProgressMeterTests {
  private func meter(
    total: Int? = nil, prices: [FirestoreEdition: ReadPrice] = [:],
    at start: Duration = .seconds(10)
  ) -> ProgressMeter {
    ProgressMeter(
      title: "users", unit: "documents", total: total, prices: prices, startedAt: start)
  }

  private static let prices: [FirestoreEdition: ReadPrice] = [
    .standard: .example, .enterprise: .unitExample,
  ]

  @Test(arguments: [
    (FirestoreEdition.standard, 1, "1 read, $0.000001"),
    (.standard, 1_000, "1,000 reads, $0.000600"),
    (.enterprise, 1, "1 read unit, $0.000000"),
    (.enterprise, 1_000, "1,000 read units, $0.000050"),
  ])
  func `the cost is that of the edition which the last step named`(
    edition: FirestoreEdition, reads: Int, end: String
  ) {
    var meter = meter(prices: Self.prices)
    let other: FirestoreEdition = edition == .standard ? .enterprise : .standard
    meter.advance(by: 1, reads: 1, on: other)
    meter.advance(by: 1, reads: reads, on: edition)
    #expect(meter.text(at: .seconds(10)) == "users: 2 documents, 0 s, \(end)")
  }

  @Test func `the line has count, rate, time, end, reads and cost`() {
    var meter = meter(total: 5_000, prices: Self.prices)
    meter.advance(by: 1_200, reads: 1_200)
    #expect(
      meter.text(at: .seconds(13))
        == "users: 1,200 of 5,000 documents (24%), 400/s, 3 s, 10 s left, 1,200 reads, "
        + "$0.000720")
  }

  @Test(arguments: [
    (0, "users: 0 documents, 0 s"), (999, "users: 7 documents, 0 s"),
    (1_000, "users: 7 documents, 7.0/s, 1 s"), (2_000, "users: 7 documents, 3.5/s, 2 s"),
    (70_000, "users: 7 documents, 0.1/s, 1:10"), (3_600_000, "users: 7 documents, 0.0/s, 1:00:00"),
  ])
  func `a rate is told once a second has passed`(milliseconds: Int, line: String) {
    var meter = meter()
    if milliseconds > 0 { meter.advance(by: 7) }
    #expect(meter.text(at: .seconds(10) + .milliseconds(milliseconds)) == line)
  }

  @Test func `an end is told while one is ahead`() {
    var meter = meter(total: 10)
    #expect(!meter.text(at: .seconds(20)).contains("left"))
    meter.advance(by: 9)
    #expect(meter.text(at: .seconds(19)).hasSuffix("9 s, 1 s left"))
    meter.advance(by: 1)
    #expect(meter.text(at: .seconds(20)) == "users: 10 of 10 documents (100%), 1.0/s, 10 s")
    meter.advance(by: 1)
    #expect(meter.text(at: .seconds(20)).contains("11 of 10 documents (100%)"))
  }

  @Test func `a better total replaces the one before, and reads never go back`() {
    var meter = meter(total: 10)
    meter.advance(by: 1, reads: 5, total: 100)
    meter.advance(by: 1, reads: 3)
    #expect(meter.text(at: .seconds(10)) == "users: 2 of 100 documents (2%), 0 s, 5 reads")
  }

  @Test func `nothing of nothing has no percentage`() {
    #expect(meter(total: 0).text(at: .seconds(10)) == "users: 0 of 0 documents, 0 s")
  }

  @Test func `a new line comes at most five times a second`() {
    var meter = meter()
    let times = [0, 1, 199, 200, 399, 400, 1_000]
    let shown = times.filter {
      meter.nextLine(at: .seconds(10) + .milliseconds($0), columns: 80) != nil
    }
    #expect(shown == [0, 200, 400, 1_000])
  }

  @Test(arguments: [10, 20, 21, 79])
  func `no line is wider than the terminal`(columns: Int) {
    var meter = ProgressMeter(
      title: "é\u{1B}[2J", unit: "documents", total: 5, prices: [:], startedAt: .zero)
    let line = meter.nextLine(at: .zero, columns: columns) ?? ""
    #expect(!line.isEmpty)
    #expect(line.count <= columns && !line.contains("\u{1B}"))
  }
}

@Suite struct ProgressLineTests {
  private final class Terminal: Sendable {
    private let state = Mutex((written: [String](), elapsed: Duration.zero))

    var written: [String] { state.withLock(\.written) }
    func write(_ text: String) { state.withLock { $0.written.append(text) } }
    func pass(_ duration: Duration) { state.withLock { $0.elapsed += duration } }

    func line(isEnabled: Bool) -> ProgressLine {
      ProgressLine(
        isEnabled: isEnabled, elapsed: { [self] in state.withLock(\.elapsed) }, columns: { 60 },
        write: { [self] in write($0) })
    }
  }

  private let terminal = Terminal()

  @Test func `the line is rewritten in place, and gone at the end`() {
    let line = terminal.line(isEnabled: true)
    line.begin("a", "lines", total: 4)
    for _ in 0..<3 {
      line.advance(by: 1)
      terminal.pass(.milliseconds(100))
    }
    line.end()
    line.end()
    #expect(
      terminal.written == [
        "\r" + "a: 1 of 4 lines (25%), 0 s\u{1B}[K", "\r" + "a: 3 of 4 lines (75%), 0 s\u{1B}[K",
        "\r\u{1B}[K",
      ])
  }

  @Test func `who is no terminal, or quiet, is written nothing`() {
    let line = terminal.line(isEnabled: false)
    line.begin("a", "lines", total: nil)
    line.advance(by: 1)
    line.end()
    #expect(terminal.written.isEmpty)
  }

  @Test func `work that is never drawn leaves nothing to clear`() {
    let line = terminal.line(isEnabled: true)
    line.begin("a", "lines", total: nil)
    line.end()
    line.advance(by: 1)
    #expect(terminal.written.isEmpty)
  }
}

/// The built program on a terminal.
@Suite struct ProgressOnTerminalTests {
  private func drawn(_ more: [String]) async throws -> String {
    let workspace = try await TemporaryWorkspace(users: 60)
    let terminal = try PseudoTerminal(columns: 100)
    let process = try terminal.start(
      workspace.program,
      [
        "run", "online-users", "--force", "-C", workspace.folder.path, "--now",
        "2026-01-31T08:00:00Z",
      ]
        + more, showsErrors: true)
    return try await terminal.read(process)
  }

  @Test func `a load shows its line, and clears it before anything else is printed`() async throws {
    let text = try await drawn([])
    let line = try #require(text.range(of: "\ronline-users: 50 of 250 documents (20%)"))
    let cleared = try #require(text.range(of: "\r\u{1B}[K", range: line.upperBound..<text.endIndex))
    let summary = try #require(text.range(of: "60 fetched"))
    #expect(cleared.lowerBound < summary.lowerBound, "\(text)")
  }

  @Test(arguments: [["--quiet"], ["--json"], ["--log-format", "json"]])
  func `whoever wants no line sees none`(more: [String]) async throws {
    #expect(try await !drawn(more).contains("documents ("), "\(more)")
  }
}
