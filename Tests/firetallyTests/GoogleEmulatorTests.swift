import Emulator
import Firestore
import Fixtures
import Foundation
import Jobs
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

/// The shipped jobs, as cron runs them, against our server and Google's emulator.
@Suite(.enabled(if: GoogleEmulator.isInstalled, Comment(rawValue: GoogleEmulator.absence)))
struct GoogleEmulatorTests {
  /// What `run --all` left in a database, as far as servers can make a difference.
  private struct Stored: Equatable {
    var users: [OnlineUser]
    var settings: [String: String]
    var counts: [String: RunCounts]
    var outcomes: [String: Run.Outcome]
    var outbox: [OutboxItem.State: Int]
  }

  @Test func `run --all brings the same rows and leaves the same feedback`() async throws {
    let ours = try await TemporaryWorkspace()
    let theirs = try await TemporaryWorkspace()
    let google = try await client(of: theirs)
    try await seed(google)

    let ourRun = try await runAll(
      ours, environment: ours.program.environment, project: "demo")
    let theirRun = try await runAll(theirs, environment: try await environment())
    #expect(ourRun == 3, "the made-up app has documents that are skipped")
    #expect(theirRun == ourRun)

    let expected = try stored(in: ours)
    #expect(expected.users.count == 60 - (expected.counts["online-users"]?.skippedTotal ?? 0))
    #expect(expected.settings.count > 5)
    #expect(expected.outbox == [.delivered: 3])
    #expect(try stored(in: theirs) == expected)
    let delivered = try await google.contents(of: Self.feedback)
    #expect(delivered.count == 3)
    #expect(
      delivered.sorted { $0.key < $1.key }.map(\.value)
        == (try ours.deliveredFeedback().sorted { $0.id < $1.id }.map(\.fields)))
    #expect(theirs.server.requests.isEmpty)
  }

  @Test
  func `staleness is the same: no request within 30 minutes, one load after them`() async throws {
    let workspace = try await TemporaryWorkspace()
    try await seed(try await client(of: workspace))
    let environment = try await environment()
    let morning = TemporaryWorkspace.morning
    _ = try await runAll(workspace, environment: environment)
    _ = try await runAll(workspace, environment: environment, at: morning + .seconds(1_800))
    #expect(try lastLoad(workspace)?.counts.requests == 0)
    _ = try await runAll(workspace, environment: environment, at: morning + .seconds(1_860))
    let run = try #require(try lastLoad(workspace))
    #expect(run.trigger == .stale)
    #expect(run.counts.fetched == 60)
    #expect(run.counts.unchanged == 60 - run.counts.skippedTotal)
  }

  private static let feedback = "Feedback/com.peppty.ChatApp/Rating_Feedback"

  private func environment() async throws -> [String: String] {
    ["FIRESTORE_EMULATOR_HOST": try await GoogleEmulator.shared().address]
  }

  /// A project that nobody else uses, named like the workspace's folder.
  private func project(of workspace: TemporaryWorkspace) -> String {
    "p" + workspace.folder.lastPathComponent.lowercased().suffix(12)
  }

  private func client(of workspace: TemporaryWorkspace) async throws -> FirestoreClient {
    try FirestoreClient(project: project(of: workspace), environment: try await environment())
  }

  /// Stores the app that a `TemporaryWorkspace`'s own server holds.
  private func seed(_ client: FirestoreClient) async throws {
    let sample = SampleApp(users: 60, seed: 7, now: TemporaryWorkspace.morning)
    let documents = sample.documents(in: client.endpoint.root.databaseName)
    _ = try await client.commit(documents.map { Write(.update($0, mask: nil)) })
  }

  /// Submits three ratings, then runs every job; the status of the run.
  private func runAll(
    _ workspace: TemporaryWorkspace, environment: [String: String], project name: String? = nil,
    at now: Instant = TemporaryWorkspace.morning
  ) async throws -> Int32 {
    let program = BuiltProgram(environment: environment)
    let project = name ?? project(of: workspace)
    let rest = ["-C", workspace.folder.path, "--project", project, "--now"]
    if now == TemporaryWorkspace.morning {
      for stars in 1...3 {
        let rating = ["rating", "submit", "\(stars)", "--feedback", "Ratings of \(stars) stars"]
        #expect(try await program.run(rating + rest + [now.description]).status == 0)
      }
    }
    return try await program.run(["run", "--all"] + rest + [now.description]).status
  }

  private func lastLoad(_ workspace: TemporaryWorkspace) throws -> Run? {
    try workspace.store().read { try $0.lastRuns() }["online-users"]
  }

  private func stored(in workspace: TemporaryWorkspace) throws -> Stored {
    try workspace.store().read { reader in
      let runs = try reader.lastRuns()
      let settings = try reader.fetchedSettings().map { ($0.wireName, $0.rawValue) }
      return Stored(
        users: try reader.users(limit: 10_000).users,
        settings: Dictionary(settings) { first, _ in first },
        counts: runs.mapValues(\.counts).mapValues(Self.withoutBytes),
        outcomes: runs.mapValues(\.outcome), outbox: try reader.outboxCounts())
    }
  }

  /// How the answers are laid out is the server's own affair.
  private static func withoutBytes(_ counts: RunCounts) -> RunCounts {
    var counts = counts
    counts.bytes = 0
    return counts
  }
}
