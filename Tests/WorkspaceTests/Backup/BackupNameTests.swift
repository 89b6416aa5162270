import Model
import Testing

@testable import Workspace

struct BackupNameTests {
  @Test(arguments: [
    ("2026-01-31T08:00:00Z", nil as Int?, "firetally-2026-01-31T080000Z.sqlite.gz"),
    ("2026-01-31T08:00:00.000001Z", nil, "firetally-2026-01-31T080000.000001Z.sqlite.gz"),
    ("2026-01-31T08:00:00Z", 21, "firetally-2026-01-31T080000Z-before-21.sqlite.gz"),
  ])
  func `a name says when and before which schema, and is read back`(
    time: String, schema: Int?, name: String
  ) throws {
    let instant = try #require(Instant(iso8601: time))
    #expect(BackupName(instant, schemaAhead: schema).fileName == name)
    #expect(BackupName(fileName: name) == BackupName(instant, schemaAhead: schema))
  }

  @Test func `copies of earlier versions are known by their names`() throws {
    for text in ["2026-01-31T08:00:00Z", "2026-01-31T08:00:00.250000Z"] {
      let instant = try #require(Instant(iso8601: text))
      let old = "firetally-\(text.replacing(":", with: "")).sqlite"
      let name = try #require(BackupName(fileName: old))
      #expect(name.createdAt == instant && !name.isCompressed && name.fileName == old)
    }
  }

  @Test(arguments: [
    "firetally-mine.sqlite", "firetally-2026-01-31T080000Z.sqlite.part", "notes.txt",
    "firetally-T.sqlite", "firetally-2026-01-31T0800.sqlite", "firetally-2026-13-31T080000Z.sqlite",
    "firetally-2026-01-31T080000Z.sqlite.gz.json", "firetally-2026-01-31T080000Z.gz",
    "firetally-2026-01-31T080000Z-before-.sqlite.gz", "firetally-2026-01-31T080000Z-mine.sqlite.gz",
    "firetally-2026-01-31T080000Z-before-0.sqlite.gz",
    "firetally-2026-01-31T080000Z-before-9.sqlite", ".firetally.sqlite.gz.12.2a.tmp",
    "firetally-Z.sqlite", "firetally-.sqlite.gz", "",
  ])
  func `a file with another name is no backup`(name: String) {
    #expect(BackupName(fileName: name) == nil)
  }
}
