import Emulator
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// What a run may read, seen from outside; see `docs/costs.md#read-budget`.
@Suite struct BudgetTests {
  private static let sample = 60

  private static func job(_ more: String) -> String {
    "kind: sync-users\npage_size: 25\nmax_documents: all\n\(more)\n"
  }

  private static func lastRun(_ workspace: TemporaryWorkspace) throws -> Run? {
    try workspace.store().read { try $0.lastRuns() }["online-users"]
  }

  @Test
  func `a run that reaches its budget stops with 75, and the next ones go on to the end`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: Self.sample)
    try workspace.write(Self.job("max_reads: 40"), to: "jobs/online-users.yml")
    let first = try await workspace.run("run", "online-users")
    #expect(first.status == 75)
    #expect(
      first.errors.dropFirst("2026-01-31T08:00:00Z".count)
        == " error: online-users: Stopped at the read budget: this run used 40 "
        + "billed reads; max_reads in the job file allows 40. What it read is "
        + "stored, and the next run continues from there.\n")
    let run = try #require(try Self.lastRun(workspace))
    #expect(run.outcome == .blocked)
    #expect(run.counts.billedReads == 40)
    #expect(run.counts.fetched == 40)
    #expect(run.error?.hasPrefix("Stopped at the read budget") == true)
    let stored = try workspace.userIds().count
    #expect(stored == run.counts.inserted)
    let second = try await workspace.run("run", "online-users")
    #expect([0, 3].contains(second.status))
    #expect(try Self.lastRun(workspace)?.counts.fetched == Self.sample - 40)
    #expect(try workspace.userIds().count > stored)
    let third = try await workspace.run("run", "online-users")
    #expect(third.status == 0)
    #expect(try Self.lastRun(workspace)?.outcome == .fresh)
  }

  @Test
  func `a day's budget is for all its runs, and ends at midnight Pacific time`() async throws {
    let workspace = try await TemporaryWorkspace(users: Self.sample)
    try workspace.write(Self.job(""), to: "jobs/online-users.yml")
    try workspace.add("cost: {max_reads_per_day: 41}")
    let midnight = TemporaryWorkspace.morning + .seconds(86_400)
    let settings = try await workspace.run("run", "settings")
    #expect(settings.status == 0)
    let first = try await workspace.run("run", "online-users")
    #expect(first.status == 75)
    #expect(first.errors.contains("used 40 billed reads; cost.max_reads_per_day"))
    #expect(first.errors.contains("allows 41 a day; other runs used 1"))
    #expect(first.errors.contains("after \(midnight), midnight Pacific time."))
    let requests = workspace.server.requests.count
    for job in ["online-users", "settings"] {
      let late = try await workspace.run("run", job, at: midnight - .microseconds(1))
      #expect(late.status == 75)
    }
    #expect(workspace.server.requests.count == requests)
    let next = try await workspace.run("run", "online-users", at: midnight)
    #expect([0, 3].contains(next.status))
    #expect(try Self.lastRun(workspace)?.counts.fetched == Self.sample - 40)
  }

  @Test
  func `what needs a job that stopped at its budget waits, and nothing else does`() async throws {
    let workspace = try await TemporaryWorkspace(users: Self.sample)
    try workspace.write(Self.job("max_reads: 1"), to: "jobs/online-users.yml")
    try workspace.write("kind: maintain\nneeds: [online-users]\n", to: "jobs/maintain.yml")
    let result = try await workspace.run("run", "--all")
    #expect(result.status == 75)
    let runs = try workspace.store().read { try $0.lastRuns() }
    #expect(runs["maintain"]?.outcome == .blocked)
    #expect(runs["maintain"]?.error?.contains("needs the job 'online-users'") == true)
    #expect(runs["settings"]?.outcome == .ok)
    #expect(runs["upload-feedback"]?.outcome == .fresh)
  }

  @Test func `a refresh that stops at the budget is not counted as a use`() async throws {
    let workspace = try await TemporaryWorkspace(users: Self.sample)
    try workspace.write(Self.job("max_reads: 30"), to: "jobs/online-users.yml")
    let result = try await workspace.run("refresh")
    #expect(result.status == 75)
    #expect(result.errors.contains("Stopped at the read budget"))
    let shown = try await workspace.run("limits", "peek", "refresh", "--json")
    #expect(shown.output.contains(#""currentUsage":0"#))
  }

  @Test func `a replace does not begin when the budget could end it`() async throws {
    let workspace = try await TemporaryWorkspace(users: Self.sample)
    try workspace.write(
      "kind: sync-users\nmax_documents: 50\nmax_reads: 50\n", to: "jobs/online-users.yml")
    let result = try await workspace.run("filter", "apply", "--gender", "female")
    #expect(result.status == 75)
    // One more than documents may ask whether the field has numbers, too: docs/loads.md#two-types.
    #expect(result.errors.contains("may need 51 billed reads"))
    #expect(workspace.userRequests == 0)
    #expect(try Self.lastRun(workspace)?.outcome == .blocked)
    try workspace.write(
      "kind: sync-users\nmax_documents: 50\nmax_reads: 51\n", to: "jobs/online-users.yml")
    let enough = try await workspace.run("filter", "apply", "--gender", "female")
    #expect([0, 3].contains(enough.status))
  }

  @Test
  func `a replace of all does not begin where there is a budget, however large`() async throws {
    let workspace = try await TemporaryWorkspace(users: Self.sample)
    try workspace.write(Self.job("max_reads: 1000000"), to: "jobs/online-users.yml")
    let result = try await workspace.run("filter", "apply", "--gender", "female")
    #expect(result.status == 75)
    #expect(result.errors.contains("any number of billed reads (max_documents: all)"))
    #expect(!result.errors.contains("is stored"))
    #expect(workspace.userRequests == 0)
    let shown = try await workspace.run("limits", "peek", "filter", "--json")
    #expect(shown.output.contains(#""currentUsage":0"#))
    try workspace.write(Self.job(""), to: "jobs/online-users.yml")
    let free = try await workspace.run("filter", "apply", "--gender", "female")
    #expect([0, 3].contains(free.status))
  }

  @Test func `a run says in its line and in the ledger what it cost`() async throws {
    let workspace = try await TemporaryWorkspace(users: Self.sample)
    try workspace.add("cost: {per_100k_reads: 50, currency: EUR}")
    let result = try await workspace.run("run", "online-users", "--verbose")
    #expect(result.output.contains(" 61 billed reads, about €0.03."))
    let cost = try #require(try Self.lastRun(workspace)?.estimatedCost)
    #expect(cost == Money(amount: 0.0305, currency: "EUR"))
    let again = try await workspace.run("run", "settings", "--json")
    #expect(again.output.contains(#""estimatedCost":{"amount":0.0005,"currency":"EUR"}"#))
  }
}
