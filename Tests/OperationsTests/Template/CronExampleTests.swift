import Fixtures
import JobsTesting
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

struct CronExampleTests {
  /// The lines of `cron.example` that start a job: five fields and a command.
  private static func entries() throws -> [(fields: String, command: String)] {
    try SourceTree.text(of: "cron.example").split(separator: "\n").compactMap { line in
      guard let first = line.first, first.isNumber || first == "*" else { return nil }
      let parts = line.split(separator: " ", maxSplits: 5)
      return (parts.prefix(5).joined(separator: " "), String(parts.last ?? ""))
    }
  }

  private static func jobs() throws -> [Job] {
    try JobFiles.jobs(
      in: WorkspaceTemplate.files.filter { $0.path.hasPrefix("jobs/") }.map {
        SourceFile(path: $0.path, text: $0.text)
      })
  }

  @Test func `every job with a schedule has one line with the same five fields`() throws {
    let entries = try Self.entries()
    let jobs = try Self.jobs()
    #expect(jobs.count == 8)
    for job in jobs {
      let lines = entries.filter { $0.command.hasSuffix(" run \(job.name)") }
      #expect(lines.map(\.fields) == (job.schedule.map { [$0.fields] } ?? []), "\(job.name)")
    }
    #expect(entries.count == jobs.count { $0.schedule != nil })
  }

  @Test func `every line names the workspace and is a schedule of its own`() throws {
    for entry in try Self.entries() {
      #expect(entry.command.hasPrefix("firetally -C \"$WORKSPACE\" run "))
      #expect(throws: Never.self) { try CronSchedule(parsing: entry.fields) }
      #expect(!entry.command.contains("%"), "cron would end the command there")
    }
  }

  @Test(arguments: ["WORKSPACE=/", "PATH=/", "MAILTO=", "SHELL=/bin/sh"])
  func `cron's variables are set before the first line that uses them`(start: String) throws {
    let lines = try SourceTree.text(of: "cron.example").split(separator: "\n")
    let setting = try #require(lines.firstIndex { $0.hasPrefix(start) })
    let use = try #require(lines.firstIndex { $0.contains("firetally -C") && !$0.hasPrefix("#") })
    #expect(setting < use)
  }
}
