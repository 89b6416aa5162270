import Emulator
import Firestore
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// Every row of the table of `docs/firestore.md#errors`, as the program ends.
///
/// The server asks for a longer wait than a job may keep, so nothing is tried again.
@Suite struct ServerErrorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var status: RPCStatus
    var message = "said so"
    /// How a run ends that only reads, and one that delivers three texts.
    var reading: Int32
    var writing: Int32
    /// What becomes of each of the texts.
    var state = OutboxItem.State.queued
    /// What is said in place of the message; nil for the message itself.
    var told: String?

    var testDescription: String { "\(status.rawValue): \(message)" }
  }

  private static let rows = [
    Row(status: .unavailable, reading: 69, writing: 69),
    Row(status: .deadlineExceeded, reading: 69, writing: 69),
    Row(status: .internal, reading: 69, writing: 69),
    Row(status: .unknown, reading: 69, writing: 69),
    Row(status: .aborted, reading: 69, writing: 69),
    Row(status: .resourceExhausted, message: "Bandwidth exhausted", reading: 75, writing: 75),
    Row(status: .resourceExhausted, message: "Quota exceeded.", reading: 75, writing: 75),
    Row(status: .unauthenticated, reading: 77, writing: 77),
    Row(status: .permissionDenied, reading: 77, writing: 77),
    Row(
      status: .notFound, message: "The database (default) does not exist for project demo",
      reading: 78, writing: 78),
    Row(status: .failedPrecondition, message: "requires an index", reading: 78, writing: 78),
    Row(
      status: .failedPrecondition, message: "Datastore Mode", reading: 78, writing: 78,
      told: "This database is in Datastore mode; Firetally needs Native mode."),
    Row(
      status: .failedPrecondition, message: "The requested snapshot version is too old.",
      reading: 75, writing: 75),
    Row(status: .invalidArgument, reading: 1, writing: 3, state: .rejected),
    Row(status: .outOfRange, reading: 1, writing: 3, state: .rejected),
    Row(status: .unimplemented, reading: 1, writing: 1),
    Row(status: .cancelled, reading: 1, writing: 1),
    Row(status: .dataLoss, reading: 1, writing: 1),
  ]

  @Test(arguments: rows)
  func `a refused read ends with its status, one clear sentence, and the rows as they were`(
    row: Row
  ) async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users")
    let before = try workspace.userIds()
    #expect(!before.isEmpty)
    workspace.server.inject(
      .status(row.status, message: row.message, retryAfterSeconds: 121), times: nil,
      matching: ":runQuery")
    let result = try await workspace.run("run", "online-users", "--force")
    #expect(result.status == row.reading)
    #expect(result.output.isEmpty)
    let sentence = row.told ?? "\(row.message) (\(row.status.rawValue), HTTP"
    #expect(result.errors.contains(sentence))
    #expect(try workspace.userIds() == before)
  }

  @Test(arguments: [false, true])
  func `what a server says cannot act on a terminal, and has an end`(isJSON: Bool) async throws {
    let workspace = try await TemporaryWorkspace()
    let message = "\u{1B}[2J\u{202E}\u{7F}\r" + String(repeating: "a", count: 1_000_000)
    workspace.server.inject(
      .status(.invalidArgument, message: message), times: nil, matching: ":runQuery")
    let arguments = ["run", "online-users"] + (isJSON ? ["--json"] : [])
    let result = try await workspace.run(arguments)
    #expect(result.status == 1)
    #expect(result.errors.utf8.count < 20_000)
    #expect(!result.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    if !isJSON { #expect(!result.errors.unicodeScalars.contains { $0 == "\u{202E}" }) }
    #expect(result.errors.contains("aaaa"))
    let run = try #require(try workspace.store().read { try $0.lastRuns() }["online-users"])
    #expect((run.error ?? "").utf8.count < 10_000)
  }

  @Test(arguments: rows)
  func `what cannot be delivered stays or is rejected, and none of it is lost`(row: Row)
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    for stars in 1...3 {
      _ = try await workspace.run(
        "rating", "submit", "\(stars)", "--feedback", "The limits stop me, number \(stars)")
    }
    workspace.server.inject(
      .status(row.status, message: row.message, retryAfterSeconds: 121), times: nil,
      matching: "POST")
    let result = try await workspace.run("run", "upload-feedback")
    #expect(result.status == row.writing)
    #expect(result.errors.contains(row.told ?? row.message))
    #expect(try workspace.store().read { try $0.outboxCounts() } == [row.state: 3])
    workspace.server.clearFaults()
    if row.state == .rejected {
      #expect(try await workspace.run("outbox", "retry", "--all-rejected").status == 0)
    }
    let later = TemporaryWorkspace.morning + .seconds(86_400)
    #expect(try await workspace.run("run", "upload-feedback", at: later).status == 0)
    #expect(try workspace.deliveredFeedback().count == 3)
    #expect(try workspace.store().read { try $0.outboxCounts() } == [.delivered: 3])
  }
}
