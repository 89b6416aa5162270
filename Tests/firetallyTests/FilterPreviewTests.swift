import Emulator
import Firestore
import Fixtures
import Foundation
import Jobs
import Model
import Testing

/// What a filter would find and cost, before it is applied: docs/filters.md#filters.
@Suite struct FilterPreviewTests {
  @Test
  func `a preview tells matches, price and index, and changes, uses and records nothing`()
    async throws
  {
    let stage = try await FilterStage()
    let before = try stage.state()
    let result = try await stage.run("filter", "preview", "--country", "Germany")
    #expect(result.status == 0)
    #expect(
      result.output == """
        filter apply: Would fetch up to 250 documents of Users, 50 a page, by country = Germany, and \
        replace all users by these.
          matches       2
          documents     2
          billed reads  2
          cost          about $0.000001
          index         present: Collection (User_country ASC, last_time_seen DESC, __name__ DESC)

        No daily budget is set (cost.max_reads_per_day).
        This preview itself cost 2 billed reads.

        """)
    #expect(try stage.state() == before)
    #expect(try stage.events().isEmpty)
    #expect(stage.workspace.server.requests.suffix(2).allSatisfy { $0.path.contains(":run") })
  }

  @Test(arguments: [1, 2])
  func `a preview is allowed at the limit, and finds what apply then finds`(usesLeft: Int)
    async throws
  {
    let stage = try await FilterStage()
    for use in usesLeft..<3 {
      _ = try await stage.run("filter", "apply", "--gender", "male", after: Double(use))
    }
    let preview = try await stage.run(
      "filter", "preview", "--gender", "female", "--country", "United States", "--json", after: 5)
    #expect(preview.status == 0)
    let line = try #require(try FilterStage.objects(preview.output).first)
    #expect(line["message_type"] as? String == "filter_preview")
    #expect(line["matches"] as? Int == 3)
    #expect(line["isExact"] as? Bool == true)
    #expect(line["conditions"] as? [String] == ["gender = Female", "country = United States"])
    #expect(line["billedReads"] as? Int == 3)
    #expect(try stage.usage() == 3 - usesLeft)
  }

  @Test func `an age makes the matches an upper bound`() async throws {
    let stage = try await FilterStage()
    let text = try await stage.run("filter", "preview", "--min-age", "30")
    #expect(text.output.contains("  matches       7 at most; ages are compared after the load\n"))
    let json = try await stage.run("filter", "preview", "--min-age", "30", "--json")
    #expect(try FilterStage.objects(json.output).first?["isExact"] as? Bool == false)
  }

  @Test func `matches beyond what would be fetched are counted, and not priced`() async throws {
    let stage = try await FilterStage()
    try stage.workspace.write(
      "kind: sync-users\nmax_documents: 2\npage_size: 2\n", to: "jobs/online-users.yml")
    let json = try await stage.run("filter", "preview", "--gender", "female", "--json")
    let line = try #require(try FilterStage.objects(json.output).first)
    #expect(line["matches"] as? Int == 4)
    #expect(line["documents"] as? Int == 2)
    // One more asks whether the field has numbers, too: docs/loads.md#two-types.
    #expect(line["billedReads"] as? Int == 3)
  }

  @Test func `a missing index is told with its entry, and ends with 78`() async throws {
    let stage = try await FilterStage()
    stage.workspace.server.inject(
      .status(.failedPrecondition, message: "The query requires an index."), times: nil,
      matching: ":runQuery")
    let result = try await stage.run("filter", "preview", "--gender", "male")
    #expect(result.status == 78)
    #expect(result.output.contains("  index         missing."))
    #expect(result.output.contains(#""fieldPath":"User_gender""#))
  }

  @Test
  func `bad criteria, and a budget that is too small, are told as apply tells them`() async throws {
    let stage = try await FilterStage()
    #expect(try await stage.run("filter", "preview", "--nearby").status == 64)
    #expect(try await stage.run("filter", "preview", "--country", "Narnia").status == 64)
    try stage.workspace.write("kind: sync-users\nmax_reads: 249\n", to: "jobs/online-users.yml")
    let small = try await stage.run("filter", "preview")
    #expect(small.output.contains("  budget        would not begin: it is all or nothing"))
    try stage.workspace.write("kind: sync-users\nmax_reads: 250\n", to: "jobs/online-users.yml")
    #expect(!(try await stage.run("filter", "preview").output.contains("budget  ")))
  }

  @Test
  func `a plan of the users' job prices the saved filter, in no sum; --filtered asks it alone`()
    async throws
  {
    let stage = try await FilterStage()
    #expect(!(try await stage.run("plan", "online-users").output.contains("filter apply")))
    _ = try await stage.run("filter", "set", "--gender", "male")
    let both = try await stage.run("plan", "online-users", "--json")
    let lines = try FilterStage.objects(both.output)
    #expect(
      lines.map { $0["message_type"] as? String } == ["plan", "filter_preview", "plan_total"])
    #expect(lines[1]["matches"] as? Int == 2)
    #expect(lines[2]["billedReads"] as? Int == 0)
    let alone = try await stage.run("plan", "--country", "Germany", "--json")
    let filter = try FilterStage.objects(alone.output)
    #expect(filter.map { $0["message_type"] as? String } == ["filter_preview", "plan_total"])
    #expect(filter[0]["conditions"] as? [String] == ["gender = Male", "country = Germany"])
    #expect(filter[0]["matches"] as? Int == 1)
    #expect(try await stage.run("plan", "settings").output.contains("filter apply") == false)
  }

  @Test func `a run by a saved filter names it in its plan`() async throws {
    let stage = try await FilterStage(isLoaded: false)
    _ = try await stage.run("filter", "set", "--gender", "male")
    let plan = try await stage.run("run", "online-users", "--dry-run")
    #expect(plan.output.contains("50 a page, by gender = Male."))
  }

  @Test
  func `a filter that was set and not applied narrows the list of users, counts when asked to`()
    async throws
  {
    let stage = try await FilterStage()
    _ = try await stage.run("filter", "set", "--gender", "male")
    func count(_ arguments: String...) async throws -> String {
      try await stage.workspace.run(["users", "count"] + arguments).output
    }
    #expect(try await count() == "7\n")
    #expect(try await count("--filtered") == "2\n")
    #expect(try await count("--filtered", "--country", "Germany") == "1\n")
    #expect(try await count("--filtered", "--gender", "both") == "7\n")
    func list(_ arguments: String...) async throws -> [String] {
      let list = try await stage.workspace.run(["users", "list", "--json"] + arguments)
      return try FilterStage.objects(list.output).compactMap { $0["userId"] as? String }
    }
    #expect(try await list() == ["dan", "eli"])
    #expect(try await list("--filtered") == ["dan", "eli"])
    #expect(try await list("--country", "Germany").count == 1)
    #expect(try await list("--all").count == 7)
    #expect(try await list("--gender", "both").count == 7)
    #expect(try await list("--all", "--gender", "male") == ["dan", "eli"])
    #expect(try await stage.run("users", "list", "--all", "--filtered").status == 64)
    #expect(try await count("--filtered", "--nearby") == "")
  }
}
