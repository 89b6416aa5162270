import Feeds
import Fixtures
import Foundation
import JobsTesting
import Model
import Store
import Synchronization
import Testing

@testable import Jobs
@testable import Workspace

/// Downloads of Apple's reports; docs/purchases.md#download.
struct AppStoreFetchTests {
  private typealias Response = AppStoreConnectClient.Response

  /// Fetches at noon of 1 February 2026, and says what was asked for.
  private static func run(
    _ workspace: TestWorkspace, days: Int = 3,
    _ answer: @escaping (AppStoreConnectReport, String) throws -> Response
  ) async throws -> (outcome: AppStoreFetch.Outcome, asked: [String]) {
    var asked: [String] = []
    let fetch = AppStoreFetch(
      folder: workspace.folder.path("data/app-store"), vendor: "8", reports: [.sales, .subscriber],
      days: days, store: workspace.store
    ) { report, day in
      asked.append("\(report.rawValue) \(day)")
      return try answer(report, day)
    }
    let outcome = try await fetch.run(at: Instant(unixSeconds: 1_769_947_200))
    return (outcome, asked)
  }

  private static func files(_ workspace: TestWorkspace) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path("data/app-store"))
      .sorted()
  }

  @Test func `each day before today is asked for once, the oldest first`() async throws {
    let workspace = try TestWorkspace(jobs: [:])
    let first = try await Self.run(workspace, days: 2) { _, _ in .report([1, 2]) }
    #expect(
      first.asked == [
        "sales 2026-01-30", "subscriber 2026-01-30", "sales 2026-01-31", "subscriber 2026-01-31",
      ])
    #expect(first.outcome.files == 4 && first.outcome.requests == 4)
    #expect(
      try Self.files(workspace) == [
        "sales_8_20260130.txt.gz", "sales_8_20260131.txt.gz", "subscriber_8_20260130.txt.gz",
        "subscriber_8_20260131.txt.gz",
      ])
    #expect(try await Self.run(workspace, days: 2) { _, _ in .none }.asked.isEmpty)
  }

  @Test func `a day without a report is asked for again for eight days`() async throws {
    let workspace = try TestWorkspace(jobs: [:])
    #expect(try await Self.run(workspace, days: 9) { _, _ in .none }.asked.count == 18)
    let again = try await Self.run(workspace, days: 9) { _, _ in .none }.asked
    #expect(again.count == 16 && again.first == "sales 2026-01-24")
  }

  @Test func `a run that died, or met a busy server, goes on with what is missing`() async throws {
    struct Dead: Error {}
    for step in 1...4 {
      let workspace = try TestWorkspace(jobs: [:])
      let count = Mutex(0)
      await #expect(throws: Dead.self) {
        _ = try await Self.run(workspace, days: 2) { _, _ in
          if count.withLock({
            $0 += 1; return $0
          }) == step {
            throw Dead()
          }
          return .report([1])
        }
      }
      let busy = try await Self.run(workspace, days: 2) { _, _ in
        .later(FeedError.busy(feed: "App Store Connect", status: 429))
      }
      #expect(busy.asked.count == 1 && busy.outcome.warning?.contains("status 429") == true)
      let rest = try await Self.run(workspace, days: 2) { _, _ in .report([1]) }
      #expect(rest.asked.count == 5 - step)
      #expect(try Self.files(workspace).count == 4)
    }
  }

  @Test func `a job that fetches needs a key, and says which keys are missing`() throws {
    let text = "kind: import-purchases\nfetch: app-store-connect\nkey_id: A\n"
    let file = SourceFile(path: "jobs/p.yml", text: text)
    let error = #expect(throws: ConfigurationError.self) { try JobFiles.jobs(in: [file]) }
    #expect(error?.problems.count == 3)
  }

  @Test func `a file that is no key is refused before anything is asked`() async throws {
    let job = """
      kind: import-purchases
      fetch: app-store-connect
      key_id: A
      issuer_id: b-c
      key_file: AuthKey.p8
      vendor: "8"

      """
    let workspace = try TestWorkspace(jobs: ["purchases": job])
    try workspace.write("no key", to: "AuthKey.p8")
    let report = try #require(try await workspace.run(.all).first)
    #expect(report.run.outcome == .failed)
    #expect(report.run.error?.contains("is no private key") == true)
  }
}
