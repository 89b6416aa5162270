import Foundation
import Model
import Testing

@Suite struct ReportProfileTests {
  private typealias Object = [String: Any]

  /// The blocks of a section of one of the workspace's reports.
  private func blocks(
    _ section: String, of page: String = "limits", in workspace: TemporaryWorkspace
  ) throws -> [Object] {
    let data = try Data(
      contentsOf: workspace.folder.appendingPathComponent("output/\(page).json"))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? Object)
    let sections = try #require(report["sections"] as? [Object])
    return try #require(sections.first { $0["id"] as? String == section }?["blocks"] as? [Object])
  }

  private func realPopup(in workspace: TemporaryWorkspace) throws -> Object {
    let gallery = try #require(try blocks("limit-popups", of: "popups", in: workspace).first)
    #expect(gallery["id"] as? String == "refresh-popup")
    return try #require((gallery["popups"] as? [Object])?.first)
  }

  @Test
  func `the pages show the real popups of the profile that is named, or of the job's`() async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("profile", "create", "anna")
    for _ in 0..<3 {
      _ = try await workspace.run("limits", "use", "refresh", "--profile", "anna")
    }
    let later = TemporaryWorkspace.morning + .seconds(30)
    #expect(try await workspace.run("report", "--profile", "anna", at: later).status == 0)
    let waiting = try realPopup(in: workspace)
    #expect(waiting["caption"] as? String == "anna now: cooling down")
    #expect(waiting["is_real"] as? Bool == true)
    #expect((waiting["time_left"] as? String)?.hasPrefix("Time remaining: 1:") == true)

    try workspace.write("kind: report\nprofile: anna\n", to: "jobs/report.yml")
    #expect(try await workspace.run("report", at: later).status == 0)
    #expect(try realPopup(in: workspace)["caption"] as? String == "anna now: cooling down")
    #expect(try await workspace.run("report", "--profile", "default", at: later).status == 0)
    #expect(try realPopup(in: workspace)["left"] as? String == "2 left")
  }

  @Test
  func `a profile that is not there ends with 64, and the pages stay as they were`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("profile", "create", "anna")
    let near = try await workspace.run("report", "--profile", "ana")
    #expect(near.status == 64)
    #expect(
      near.errors.contains("There is no profile 'ana' in this workspace. Did you mean 'anna'?"))
    let far = try await workspace.run("report", "--profile", "somebody")
    #expect(far.status == 64 && far.errors.contains("`firetally profile list` lists them"))
    #expect(
      !FileManager.default.fileExists(atPath: workspace.folder.path + "/output/limits.html"))
  }

  @Test
  func `what profiles without a user id did is theirs, by their names, on every page`() async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    for _ in 0..<2 { _ = try await workspace.run("limits", "use", "filter") }
    _ = try await workspace.run("profile", "create", "ana")
    _ = try await workspace.run("limits", "use", "filter", "--profile", "ana")
    _ = try await workspace.run(
      "rating", "submit", "2", "--feedback", "It drains my battery.", "--profile", "ana")
    let later = TemporaryWorkspace.morning + .seconds(60)
    #expect(try await workspace.run("report", "--days", "1", at: later).status == 0)
    func text(_ page: String) throws -> String {
      let url = workspace.folder.appendingPathComponent("output/\(page).txt")
      return try String(contentsOf: url, encoding: .utf8).replacing("\n", with: " ")
    }
    let usage = try text("usage")
    #expect(usage.contains("2 people made 3 taps"))
    #expect(usage.contains("A profile without a user id goes by its name."))
    #expect(usage.contains("profile default") && usage.contains("profile ana"))
    #expect(try text("users").contains("2 known people tapped the filter 3 times in this period."))
    #expect(try text("ratings").contains("profile ana"))
    let scoped = try await workspace.run(
      "report", "--days", "1", "--scope", "profile", "--profile", "ana", at: later)
    #expect(scoped.status == 0)
    #expect(try text("usage").contains("1 person made 1 tap;"))
    #expect(try text("ratings").contains("It drains my battery."))
    _ = try await workspace.run("report", "--days", "1", "--scope", "profile", at: later)
    #expect(try !text("ratings").contains("It drains my battery."))
  }

  @Test func `the what-if tables have the numbers of limits what-if`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for second in 0..<6 {
      _ = try await workspace.run(
        "limits", "use", "search", at: TemporaryWorkspace.morning + .seconds(25 * second))
    }
    let later = TemporaryWorkspace.morning + .seconds(600)
    #expect(try await workspace.run("report", at: later).status == 0)
    let tables = try blocks("what-if", in: workspace).compactMap { $0["table"] as? Object }
    let table = try #require(tables.first { $0["id"] as? String == "what-if" })
    let rows = try #require(table["rows"] as? [Object]).filter {
      $0["feature"] as? String == "Search"
    }
    let command = try await CommandTests.objects(
      workspace.run(
        "limits", "what-if", "--json", "--set", "search.limit=1", "--set", "search.limit=3",
        "--set",
        "search.limit=4", "--set", "search.cooldown=60", "--set", "search.cooldown=240", at: later))
    let expected = command.filter { $0["feature"] as? String == "search" }.map {
      $0["blocked"] as? Int
    }
    // The first row is what happened.
    #expect(rows.dropFirst().map { ($0["blocked"] as? Object)?["part"] as? Int } == expected)
    #expect(Set(expected).count > 1)
  }
}
