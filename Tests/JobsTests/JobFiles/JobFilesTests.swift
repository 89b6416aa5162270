import JobsTesting
import Testing

@testable import Jobs
@testable import Workspace

struct JobFilesTests {
  private func file(_ name: String, needs: String = "", kind: String = "maintain") -> SourceFile {
    SourceFile(
      path: "jobs/\(name)",
      text: "kind: \(kind)\n" + (needs.isEmpty ? "" : "needs: [\(needs)]\n"))
  }

  private func messages(_ files: SourceFile...) -> [String] {
    do {
      _ = try JobFiles.jobs(in: files)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test func `jobs come by name, with their needs sorted and named once`() throws {
    let jobs = try JobFiles.jobs(in: [
      file("c.yml", needs: "b, a, b"), file("b.yaml"), file("a.yml"),
    ])
    #expect(jobs.map(\.name) == ["a", "b", "c"])
    #expect(jobs.last?.needs == ["a", "b"])
  }

  @Test func `no files are no jobs`() throws {
    #expect(try JobFiles.jobs(in: []).isEmpty)
  }

  @Test func `a need that is no job suggests one that is`() {
    #expect(
      messages(file("settings.yml"), file("report.yml", needs: "settings, setting")) == [
        "jobs/report.yml:2:19: needs: there is no job 'setting'. Did you mean 'settings'?"
      ])
  }

  @Test func `a job whose file is broken still counts as a job`() {
    let messages = messages(file("a.yml", kind: "odd"), file("b.yml", needs: "a"))
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("jobs/a.yml:1:7: kind: must be one of") == true)
  }

  @Test func `a cycle is printed`() {
    #expect(
      messages(
        file("a.yml", needs: "b"), file("b.yml", needs: "c"), file("c.yml", needs: "a")) == [
          "jobs/a.yml:2:9: needs: the jobs wait for each other: a -> b -> c -> a; "
            + "remove one of the needs"
        ])
  }

  @Test func `a job that needs itself is a cycle`() {
    #expect(messages(file("a.yml", needs: "a")).first?.contains("each other: a -> a;") == true)
  }

  @Test func `two files of one name are refused`() {
    #expect(
      messages(file("a.yml"), file("a.yaml")) == [
        "jobs/a.yml:1: the job 'a' is described in jobs/a.yaml already; keep one of the two files"
      ])
  }

  @Test(arguments: [
    ("sync-users", "OnlineUsers"), ("sync-auth", "auth_users"),
    ("sync-feedback", "app_rating_feedback"),
  ])
  func `a table has one job, and the error names both files and the key`(
    kind: String, table: String
  ) throws {
    let two = [file("a.yml", kind: kind), file("b.yml", kind: kind)]
    #expect(
      messages(two[0], two[1]) == [
        "jobs/b.yml:1:7: kind: jobs/a.yml fills the table '\(table)' already; "
          + "keep one of the two files"
      ])
    #expect(JobFiles.catalog(of: two).jobs.map(\.name) == ["a"])
    #expect(try JobFiles.jobs(in: [two[0], file("b.yml", kind: "settle")]).count == 2)
  }

  @Test func `reviews of two apps come by two jobs, since a row names its app`() throws {
    let files = (1...2).map {
      SourceFile(
        path: "jobs/\($0).yml", text: "kind: sync-reviews\napp_id: \($0)\ncountries: [us]\n")
    }
    #expect(try JobFiles.jobs(in: files).count == 2)
  }

  @Test func `problems of all files come together`() {
    let messages = messages(
      SourceFile(path: "jobs/a.yml", text: "kind: [\n"), SourceFile(path: "jobs/b.yml", text: ""),
      SourceFile(path: "jobs/c.yml", bytes: [0xFF]), file("d.yml", needs: "nobody"),
      SourceFile(path: "jobs/e.yml", text: "- a\n"))
    #expect(
      messages.map { $0.prefix(10) } == ["a", "b", "c", "d", "e", "e"].map { "jobs/\($0).yml" })
  }

  @Test func `a file that is wrong stops its own job and no other`() {
    let catalog = JobFiles.catalog(of: [
      file("a.yml"), file("b.yml", needs: "a, c"), file("c.yml", kind: "odd"),
      SourceFile(path: "jobs/d.yml", text: "kind: report\npage_sise: 5\n"),
    ])
    #expect(catalog.jobs.map(\.name) == ["a", "b"])
    #expect(catalog.broken.map(\.name) == ["c", "d"])
    #expect(catalog.broken.map(\.kind) == [nil, ReportOptions.kind])
    #expect(catalog.error?.problems.map(\.file) == ["jobs/c.yml", "jobs/d.yml"])
  }

  @Test func `which of two files of one name is meant nobody knows`() {
    let catalog = JobFiles.catalog(of: [file("a.yml"), file("a.yaml"), file("b.yml")])
    #expect(catalog.jobs.map(\.name) == ["b"] && catalog.broken.map(\.name) == ["a"])
  }

  @Test func `the first job of a kind may be in a file that is wrong`() {
    let catalog = JobFiles.catalog(of: [file("a.yml"), file("b.yml", kind: "odd")])
    #expect(throws: Never.self) { try catalog.first(MaintainOptions.self, orThrow: .noUsersJob) }
    let error = #expect(throws: WorkspaceError.self) {
      try catalog.first(SyncUsersOptions.self, orThrow: .noUsersJob)
    }
    #expect(error?.description.hasPrefix("jobs/b.yml:1:7: kind: ") == true)
    #expect(throws: WorkspaceError.noUsersJob) {
      try JobFiles.catalog(of: [file("a.yml")]).first(SyncUsersOptions.self, orThrow: .noUsersJob)
    }
  }

  @Test(arguments: [("jobs/a.yml", "a"), ("a.b.yaml", "a.b"), ("jobs/a", "a"), ("", "")])
  func `a job is named by its file`(path: String, name: String) {
    #expect(JobFiles.jobName(of: path) == name)
  }
}
