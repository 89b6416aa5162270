import Fixtures
import Foundation
import Model
import Platform
import Testing

@testable import Jobs
@testable import Workspace
@testable import Reports

struct TableFilesTests {
  /// A report with findings, figures and nothing else: two files.
  private static func report(_ name: Report.Name) -> Report {
    let now = Instant.morning
    return Report(
      name: name, title: "",
      context: ReportContext(
        appName: "A", now: now, timeZone: "UTC", start: now - .seconds(86_400), end: now),
      dataTime: Report.DataTime(label: "", at: nil), summary: "", sections: [])
  }

  @Test func `tables that a report no longer has go; other files and other reports' tables stay`()
    throws
  {
    let folder = try TemporaryFolder()
    let tables = TableFiles(folder: folder.path, mode: .ownerOnly)
    #expect(try tables.files().isEmpty)
    try tables.write([Self.report(.usage), Self.report(.users)])
    for name in ["usage.old.csv", "users.old.csv", "notes.csv", "usage.old.txt", "my.usage.csv"] {
      try folder.write("", to: "tables/\(name)")
    }
    try tables.write([Self.report(.usage)])
    let names = try FileContents.names(in: "\(folder.path)/tables")
    #expect(
      names == [
        "my.usage.csv", "notes.csv", "usage.figures.csv", "usage.findings.csv", "usage.old.txt",
        "users.figures.csv", "users.findings.csv", "users.old.csv",
      ])
    #expect(try tables.files().count == 5)
  }

  @Test func `a table that a process left half written counts as one, and the next run removes it`()
    throws
  {
    let folder = try TemporaryFolder()
    let tables = TableFiles(folder: folder.path, mode: .ownerOnly)
    try tables.write([Self.report(.usage)])
    // No process has it: beyond the largest that Linux gives.
    let dead = DraftWriter(process: 4_194_305)
    try folder.write("Erika", to: "tables/.usage.days.csv.\(dead).ab.tmp")
    try folder.write("Erika", to: "tables/.usage.days.csv-metadata.json.\(dead).ab.tmp")
    try folder.write("Erika", to: "tables/usage.old.csv-metadata.json")
    #expect(try tables.files().count == 5)
    try tables.write([Self.report(.usage)])
    #expect(try tables.files().count == 2)
  }
}
