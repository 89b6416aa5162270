import Foundation
import Model
import Testing

/// The program beside an embedded server of the Enterprise edition; see `docs/editions.md`.
@Suite struct EnterpriseCommandTests {
  /// Loads the users of one country, without an index.
  private static func job(_ more: String = "") -> String {
    """
    kind: sync-collection
    collection: Users
    table: people
    where:
      - {field: User_country, op: "==", value: Chile}
    \(more)

    """
  }

  private static let whole = "kind: sync-collection\ncollection: Users\ntable: people\n"

  private func object(_ line: Substring) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
  }

  @Test func `the first run already counts, prices and lists read units`() async throws {
    let workspace = try await TemporaryWorkspace(edition: .enterprise)
    try workspace.write(Self.whole, to: "jobs/people.yml")
    let result = try await workspace.run("run", "people", "--verbose")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains(" read units, about $0.00000"), "\(result.output)")
    let listed = try await workspace.run("runs", "people")
    #expect(listed.output.contains(" units"), "\(listed.output)")
    let doctor = try await workspace.run("doctor")
    #expect(doctor.output.contains("read unit"), "\(doctor.output)")
    #expect(!doctor.output.contains("billed read"), "\(doctor.output)")
  }

  @Test func `a run that ends at its budget says read units`() async throws {
    let workspace = try await TemporaryWorkspace(edition: .enterprise)
    try workspace.write(Self.whole + "max_reads: 1\n", to: "jobs/people.yml")
    let result = try await workspace.run("run", "people")
    #expect(result.status == 75)
    #expect(result.errors.contains("this run used 1 read unit; max_reads"), "\(result.errors)")
  }

  @Test func `a plan says whether a budget is less than a scan`() async throws {
    let workspace = try await TemporaryWorkspace(edition: .enterprise)
    try workspace.write(Self.job(), to: "jobs/people.yml")
    let plan = try await workspace.run("plan", "people", "--json")
    #expect(plan.status == 0, "\(plan.errors)")
    let lines = plan.output.split(separator: "\n")
    let total = try object(try #require(lines.last))
    #expect(total["edition"] as? String == "enterprise")
    #expect(total["priceListedIn"] as? String == "September 2026")
    let queries = try #require(try object(lines[0])["queries"] as? [[String: Any]])
    let index = try #require(queries.compactMap { $0["index"] as? [String: Any] }.first)
    let units = try #require(index["units"] as? Int)
    #expect(units > 1)
    for (allowed, words) in [
      (units, "would stop after \(units) read units, max_reads, and go on"),
      (units - 1, "would not begin: it scans \(units) read units at once"),
    ] {
      try workspace.write(Self.job("max_reads: \(allowed)"), to: "jobs/people.yml")
      let plan = try await workspace.run("plan", "people")
      #expect(plan.output.contains(words), "\(plan.output)")
    }
  }

  @Test func `a plan of shards says read units`() async throws {
    let workspace = try await TemporaryWorkspace(edition: .enterprise)
    try workspace.write(Self.whole, to: "jobs/people.yml")
    let file = workspace.folder.appending(path: "people.plan.json").path
    let arguments = ["shard", "plan", "people", "--shards", "2", "--to", file]
    let result = try await workspace.run(arguments)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("Planning costs at most 168 read units and"), "\(result.errors)")
    #expect(result.output.contains(" read units, $0.00000"), "\(result.output)")
    let line = try object(Substring(try await workspace.run(arguments + ["--json"]).output))
    #expect(line["edition"] as? String == "enterprise")
    #expect(try #require(line["reads"] as? Int) < 60)
    let shards = workspace.folder.appending(path: "shards").path
    let shard = try await workspace.run(["shard", "run", file, "--to", shards, "--shard", "1/2"])
    #expect(shard.output.contains(" read unit"), "\(shard.output) \(shard.errors)")
  }
}
