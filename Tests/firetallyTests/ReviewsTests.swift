import Emulator
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// The kind `sync-reviews` as a user runs it, against the embedded server's feeds.
@Suite struct ReviewsTests {
  private static let job = """
    kind: sync-reviews
    app_id: \(SampleReviews.appId)
    countries: [us, gb]
    """

  private func workspace(_ job: String = job) async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace(users: 0)
    try workspace.add("reviews: {base_url: \"http://\(workspace.server.address)\"}")
    try workspace.write(job, to: "jobs/reviews.yml")
    workspace.server.reviews.publish(
      SampleReviews.all(seed: 1, now: TemporaryWorkspace.morning))
    return workspace
  }

  private func stored(_ workspace: TemporaryWorkspace) throws -> [AppReview] {
    try workspace.store().read { try $0.reviews(limit: 1_000) }
  }

  private func lastRun(_ workspace: TemporaryWorkspace) throws -> Run {
    try #require(try workspace.store().read { try $0.lastRuns() }["reviews"])
  }

  @Test func `the reviews of the named countries become rows, as they were written`() async throws {
    let workspace = try await workspace()
    #expect(try await workspace.run("run", "reviews").status == 0)
    let expected = SampleReviews.all(seed: 1, now: TemporaryWorkspace.morning)
      .filter { ["us", "gb"].contains($0.country) }
    #expect(Set(try stored(workspace)) == Set(expected))
    let run = try lastRun(workspace)
    #expect(run.outcome == .ok && run.kind == "sync-reviews")
    #expect(run.counts.fetched == 107 && run.counts.inserted == 107)
    // 84 reviews are two pages, 23 are one.
    #expect(run.counts.requests == 3 && run.counts.bytes > 10_000)
    #expect(try await workspace.run("run", "reviews").status == 0)
    #expect(try lastRun(workspace).counts.requests == 2)
  }

  @Test func `a country that fails leaves its rows and makes the run partial`() async throws {
    let workspace = try await workspace()
    workspace.server.inject(.garbage(body: "<feed"), times: 1, matching: "/gb/")
    #expect(try await workspace.run("run", "reviews").status == 3)
    #expect(Set(try stored(workspace).map(\.country)) == ["us"])
    let run = try lastRun(workspace)
    #expect(run.outcome == .partial)
    #expect(run.warnings.first?.hasPrefix("The reviews of 'gb' stay as they are:") == true)
  }

  @Test func `when no country can be read the run fails, and says why`() async throws {
    let workspace = try await workspace("kind: sync-reviews\napp_id: 1\ncountries: [us]")
    workspace.server.inject(.garbage(body: "<html></html>"), times: 1, matching: "/us/")
    let result = try await workspace.run("run", "reviews")
    #expect(result.status == 69)
    #expect(result.errors.contains("it is not an Atom feed"), "\(result.errors)")
    #expect(try lastRun(workspace).outcome == .failed)
  }

  @Test func `a dry run and a plan ask for nothing`() async throws {
    let workspace = try await workspace()
    let dry = try await workspace.run("run", "reviews", "--dry-run")
    #expect(dry.output.contains("up to 10 pages of the App Store's reviews"), "\(dry.output)")
    #expect(try await workspace.run("plan", "reviews").status == 0)
    #expect(workspace.server.requests.isEmpty)
  }

  @Test func `what is wrong with the job file is told by line and key`() async throws {
    let workspace = try await workspace("kind: sync-reviews\napp_id: x\ncountries: [US]\npages: 2")
    let result = try await workspace.run("run", "reviews")
    #expect(result.status == 65)
    for place in ["reviews.yml:2:9: app_id:", "3:13: countries[0]:", "4:1: pages: unknown key"] {
      #expect(result.errors.contains(place), "\(result.errors)")
    }
  }
}
