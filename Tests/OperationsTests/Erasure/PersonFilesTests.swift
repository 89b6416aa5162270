import Fixtures
import JobsTesting
import Model
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

/// Which files of a workspace may name a person.
struct PersonFilesTests {
  private let workspace: TestWorkspace

  init() throws {
    workspace = try TestWorkspace(jobs: [
      "events": "kind: import-events\nfiles: [exports/*.ndjson]\nrejects: elsewhere/bad.ndjson\n",
      "report": "kind: report\noutput: pages\n",
    ])
  }

  private func files() throws -> PersonFiles {
    let context = try workspace.context(at: ManualClock(start: .morning))
    return PersonFiles(workspace: context.workspace, catalog: context.catalog)
  }

  private func write(_ paths: String...) throws {
    for path in paths { try workspace.write("Erika", to: path) }
  }

  /// The paths within the workspace.
  private func within(_ paths: [String], _ files: PersonFiles) -> [String] {
    let root = files.workspace.path("")
    return paths.map { $0.hasPrefix(root) ? String($0.dropFirst(root.count)) : $0 }
  }

  @Test func `rejected lines are those of the folder and those that a job names`() throws {
    try write("data/rejects/a.ndjson", "data/rejects/.part")
    let files = try files()
    #expect(
      within(try files.rejects(), files) == ["data/rejects/a.ndjson", "elsewhere/bad.ndjson"])
  }

  @Test func `logs are what cron wrote beside the database, not what was packed`() throws {
    try write("data/cron.log", "data/cron.log.1", "data/cron.log.2.gz", "data/.cron.log", "data/x")
    let files = try files()
    #expect(within(try files.logs(), files).sorted() == ["data/cron.log", "data/cron.log.1"])
  }

  @Test func `pages are the program's own, in the folder of every report`() throws {
    try write(
      "output/usage.html", "output/notes.md", "pages/usage.csv", "pages/history/index.html")
    let files = try files()
    #expect(
      within(try files.pages(), files).sorted()
        == ["output/usage.html", "pages/history/index.html", "pages/usage.csv"])
  }

  @Test func `copies of the database are the newest first, without unfinished ones`() throws {
    try write(
      "data/backups/2026-01-30.sqlite", "data/backups/2026-01-31.sqlite",
      "data/backups/2026-02-01.sqlite.part", "data/backups/.x",
      "data/firetally.sqlite.before-restore-1", "data/firetally.sqlite.before-restore-1-wal")
    let files = try files()
    #expect(
      within(try files.backups(), files) == [
        "data/backups/2026-01-31.sqlite", "data/backups/2026-01-30.sqlite",
        "data/firetally.sqlite.before-restore-1",
      ])
  }

  @Test func `a workspace without folders has none`() throws {
    let catalog = try files().catalog
    let files = PersonFiles(workspace: Workspace(root: "/nowhere/at/all"), catalog: catalog)
    #expect(try files.logs().isEmpty && files.backups().isEmpty && files.pages().isEmpty)
    #expect(try files.copies().isEmpty)
  }
}
