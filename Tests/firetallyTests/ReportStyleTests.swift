import Foundation
import Testing

/// A style sheet of the reader's own, as the program takes it:
/// docs/reports.md#your-own-style-sheet.
@Suite struct ReportStyleTests {
  private func page(_ workspace: TemporaryWorkspace, _ name: String = "index.html") throws -> String
  {
    let url = workspace.folder.appendingPathComponent("output/\(name)")
    return try String(contentsOf: url, encoding: .utf8)
  }

  @Test
  func `the job's sheet is in each page with its digest, the command line's wins`() async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    try workspace.write(":root { --accent: #123456 }\n", to: "styles/house.css")
    try workspace.write("kind: report\nstyle_sheet: styles/house.css\n", to: "jobs/report.yml")
    #expect(try await workspace.run("report").status == 0)
    for name in ["index.html", "usage.html"] {
      let page = try page(workspace, name)
      #expect(page.contains("--accent: #123456"))
      #expect(page.contains(/style-src 'sha256-[^ ']+' 'sha256-[^ ']+';/))
    }
    try workspace.write(":root { --accent: #654321 }\n", to: "styles/other.css")
    let other = workspace.folder.appendingPathComponent("styles/other.css").path
    #expect(try await workspace.run("report", "--style-sheet", other).status == 0)
    let page = try page(workspace)
    #expect(page.contains("#654321") && !page.contains("#123456"))
  }

  @Test
  func `a sheet that loads ends with 65 and its line, a missing one with 1; the pages stay`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 0)
    #expect(try await workspace.run("report").status == 0)
    let before = try page(workspace)
    try workspace.write("a { }\n@import 'b.css';\n", to: "house.css")
    let sheet = workspace.folder.appendingPathComponent("house.css").path
    let refused = try await workspace.run("report", "--style-sheet", sheet)
    #expect(refused.status == 65 && refused.errors.contains("house.css:2: @import"))
    let missing = try await workspace.run("report", "--style-sheet", "\(sheet).none")
    #expect(missing.status == 1 && missing.errors.contains("house.css.none"))
    #expect(try page(workspace) == before)
  }
}
