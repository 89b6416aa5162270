import Feeds
import Fixtures
import Foundation
import JobsTesting
import Model
import Reports
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Workspace

/// Keeps `docs/jobs.md` and the pages of the kinds equal to what the parser reads.
struct ManualTests {
  private struct Row {
    let key: String
    let type: String
    let defaultValue: String
  }

  /// The page with the table of keys under a heading: a kind has a page of its own.
  private static func page(of heading: String) -> String {
    switch heading {
    case "Configuration", "Job files": "docs/jobs.md"
    case "Hook keys": "docs/running.md"
    default: "docs/jobs/\(heading).md"
    }
  }

  /// The rows of the table of keys under a heading.
  private static func rows(under heading: String) throws -> [Row] {
    let lines = try SourceTree.text(of: page(of: heading)).split(
      separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.drop { $0 == "#" } == " \(heading)" })
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
    return section.compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count >= 5, cells[1].hasPrefix("`") else { return nil }
      return Row(
        key: cells[1].replacing("`", with: ""), type: cells[2],
        defaultValue: cells[3].replacing("`", with: ""))
    }
  }

  private static func keys(under heading: String) throws -> [String] {
    try rows(under: heading).map(\.key)
  }

  @Test func `the manual lists exactly the keys of firetally.yml, in their order`() throws {
    #expect(try Self.keys(under: "Configuration") == WorkspaceConfig.keys.paths)
  }

  @Test func `the manual lists exactly the keys that every job has, in their order`() throws {
    #expect(try Self.keys(under: "Job files") == JobFile.commonKeys.paths)
  }

  @Test func `the manual lists exactly the keys of a hook, in their order`() throws {
    #expect(try Self.keys(under: "Hook keys") == Hook.keys.paths)
  }

  @Test(arguments: JobKindName.allCases)
  func `the manual lists exactly the keys of each kind, in their order`(
    kind: JobKindName
  ) throws {
    #expect(try Self.keys(under: kind.rawValue) == JobRegistry.definition(of: kind)?.keys.paths)
  }

  /// A value that the parser takes for each key of `firetally.yml` that is no mapping.
  private static let configurationValues = [
    "app.name": "Chat", "app.key_name": "Chat_7", "app.bundle_id": "com.a.b",
    "app.platform": "android", "app.app_store_url": "https://a.b",
    "firestore.project": "p", "firestore.database": "d",
    "firestore.base_url": "https://a.b", "firestore.token_command": "print-token",
    "firestore.credentials": "key.json", "firestore.ca_file": "ca.pem",
    "firestore.request_tags": "true",
    "remote_config.enabled": "true", "settings.*": "5", "prices.lite": "'1'", "prices.plus": "'2'",
    "prices.pro": "'3'", "time_zone": "Asia/Tokyo", "output.mode": "0640",
    "cost.per_100k_reads": "0.5", "cost.per_100k_read_units": "0.01",
    "cost.per_100k_writes": "0.2", "cost.per_100k_write_units": "0.02",
    "cost.currency": "EUR", "cost.max_reads_per_day": "50000",
    "backup.encrypt": "age -r age1", "backup.decrypt": "age -d", "backup.contacts_key": "true",
    "metrics.file": "output/a.prom", "metrics.json": "output/status.json",
    "findings.rules.*": "{floor: 20}", "findings.quiet": "[2026-12-24 to 2026-12-26]",
    "notify": "mail:a@b.c", "geo.base_url": "http://a.b",
    "reviews.base_url": "http://a.b",
    "moments.base_url": "https://a.b",
    "moments.token_env": "TOKEN", "moments.token_file": "moments.token",
    "analytics.firebase_app_id": "'1:2:ios:3'",
    "analytics.app_instance_id": "0123456789abcdef0123456789abcdef",
    "analytics.api_secret_env": "SECRET", "analytics.api_secret_file": "secret",
    "analytics.base_url": "https://a.b",
    "hooks.on_start": "none", "hooks.on_success": "none", "hooks.on_failure": "none",
  ]

  /// What a section needs beside any key of it.
  private static let companions = [
    "app": ["name": "Chat", "bundle_id": "com.a.b"],
    "analytics": [
      "firebase_app_id": "'1:2:ios:3'", "app_instance_id": "0123456789abcdef0123456789abcdef",
    ],
  ]

  @Test func `every documented key of firetally.yml is accepted`() throws {
    for row in try Self.rows(under: "Configuration") where row.type != "mapping" {
      let value = try #require(Self.configurationValues[row.key], "\(row.key)")
      let path = row.key.replacing("*", with: "freeRefreshLimit").split(separator: ".")
      var tree = Self.companions
      if row.key == "findings.rules.*" { tree["findings"] = ["rules": "{dead: \(value)}"] }
      if path.count == 2 { tree[String(path[0]), default: [:]][String(path[1])] = value }
      if tree["analytics"]?["api_secret_file"] == nil {
        tree["analytics"]?["api_secret_env"] = "SECRET"
      }
      let lines = tree.map { section, keys in
        "\(section): {\(keys.map { "\($0): \($1)" }.joined(separator: ", "))}"
      }
      let text = (lines + (path.count == 1 ? ["\(path[0]): \(value)"] : [])).joined(separator: "\n")
      #expect(throws: Never.self, "\(row.key)") {
        try WorkspaceConfig(parsing: SourceFile(path: "firetally.yml", text: text))
      }
    }
  }

  @Test(arguments: JobKindName.allCases)
  func `every documented default and bound of a kind is accepted`(kind: JobKindName) throws {
    for row in try Self.rows(under: kind.rawValue) where row.type != "mapping" {
      for value in Self.sampleValues(of: row) {
        let parts = row.key.split(separator: ".")
        var line =
          parts.count == 2
          ? "\(parts[0]): {\(parts[1].replacing("*", with: "a")): \(value)}"
          : "\(row.key): \(value)"
        if row.key == "history_keep" { line += "\nhistory: true" }
        if row.key == "incremental.overlap" { line = "incremental: {field: a, overlap: \(value)}" }
        if MirrorOptions.options.table.paths.contains(row.key),
          ![SyncFeedbackOptions.kind, SyncAuthOptions.kind].contains(kind)
        {
          line += "\nmax_documents: all"
        }
        let text =
          "kind: \(kind.rawValue)\n\(line)\n"
          + ([ImportEventsOptions.kind, ImportPurchasesOptions.kind].contains(kind)
            && row.key != "files" ? "files: [a]\n" : "")
          + (kind == SyncCollectionOptions.kind && !row.key.hasPrefix("collection")
            ? "collection: Orders\n" : "")
          + (kind == SyncReviewsOptions.kind && row.key != "app_id" ? "app_id: 7\n" : "")
          + (kind == SyncReviewsOptions.kind && row.key != "countries" ? "countries: [us]\n" : "")
          + (kind == DigestOptions.kind ? "to: you@example.com\ncommand: cat\n" : "")
        #expect(throws: Never.self, "\(text)") {
          try JobFiles.jobs(in: [SourceFile(path: "jobs/a.yml", text: text)])
        }
      }
    }
  }

  /// The default, where it is one word, and the bounds that the type names.
  private static func sampleValues(of row: Row) -> [String] {
    if row.type.hasPrefix("list of glob") { return ["['*.ndjson']"] }
    if ["list of texts", "list of paths"].contains(row.type) { return ["[a]"] }
    if row.type == "list of country codes" { return ["[us]"] }
    if row.type.hasPrefix("list of") {
      let words = row.type.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
      return ["[\(words.map { String($0.element) }.joined(separator: ", "))]"]
    }
    if row.type == "document path" { return ["A/b"] }
    let bounds = row.type.matches(of: /(\d+) to (\d+)/).flatMap {
      [String($0.output.1), String($0.output.2)]
    }
    let words = row.type.contains("or `all`") ? ["all"] : []
    let isWord =
      !row.defaultValue.contains(" ") && !["none", "required"].contains(row.defaultValue)
    return bounds + words + (isWord ? [row.defaultValue] : [])
  }

  @Test func `the documented bounds are the parser's`() throws {
    let bounds = [
      ("sync-users", "page_size", SyncUsersOptions.pageSizes),
      ("sync-users", "max_documents", SyncUsersOptions.documentCounts),
      ("sync-users", "partitions", MirrorOptions.partitionCounts),
      ("sync-users", "max_reads", CostConfig.readCounts),
      ("Configuration", "cost.max_reads_per_day", CostConfig.readCounts),
      ("sync-collection", "page_size", SyncUsersOptions.pageSizes),
      ("sync-collection", "max_documents", SyncUsersOptions.documentCounts),
      ("sync-reviews", "app_id", SyncReviewsOptions.appIds),
      ("sync-reviews", "max_pages", ReviewsClient.pages),
      ("sync-feedback", "page_size", SyncUsersOptions.pageSizes),
      ("sync-feedback", "max_reads", CostConfig.readCounts),
      ("upload-outbox", "max_items", UploadOutboxOptions.itemCounts),
      ("report", "period_days", ReportPeriod.dayCounts),
      ("digest", "period_days", ReportPeriod.dayCounts),
      ("report", "history.keep", ReportOptions.keptDayCounts),
      ("maintain", "keep_backups", MaintainOptions.dayCounts),
      ("maintain", "keep.daily", MaintainOptions.dayCounts),
      ("maintain", "keep.weekly", MaintainOptions.weekCounts),
      ("maintain", "keep.monthly", MaintainOptions.monthCounts),
      ("Hook keys", "retries", Hook.retryCounts),
    ]
    for (kind, key, range) in bounds {
      let row = try #require(try Self.rows(under: kind).first { $0.key == key })
      #expect(row.type.contains("\(range.lowerBound) to \(range.upperBound)"), "\(kind) \(key)")
    }
  }

  @Test func `the documented defaults are the parser's`() throws {
    let users = SyncUsersOptions()
    let report = ReportOptions()
    #expect(report.period == .days(7))
    let defaults = [
      ("sync-users", "collection", users.collection),
      ("sync-users", "page_size", "\(users.pageSize)"),
      ("sync-users", "max_documents", "250"),
      ("sync-users", "deletes", MirrorOptions().deletes.rawValue),
      ("sync-users", "max_delete", MirrorOptions().maxDelete.text),
      ("sync-users", "partitions", "\(MirrorOptions().partitions)"),
      ("sync-users", "incremental.overlap", DurationText.text(MirrorOptions.defaultOverlap)),
      ("sync-feedback", "page_size", "\(SyncFeedbackOptions().pageSize)"),
      ("sync-feedback", "overlap", DurationText.text(SyncFeedbackOptions().overlap)),
      ("sync-feedback", "max_delete", SyncFeedbackOptions().maxDelete.text),
      ("upload-outbox", "max_items", "\(UploadOutboxOptions().maxItems)"),
      ("report", "period_days", "7"), ("report", "output", report.output),
      ("report", "history.keep", "\(report.keptDays)"),
      ("maintain", "keep.daily", "\(MaintainOptions().keep.daily)"),
      ("maintain", "keep.weekly", "\(MaintainOptions().keep.weekly)"),
      ("maintain", "keep.monthly", "\(MaintainOptions().keep.monthly)"),
      ("Configuration", "app.platform", "ios"),
      ("Configuration", "firestore.database", FirestoreConfig.defaultDatabase),
      ("Configuration", "firestore.base_url", FirestoreConfig.defaultBaseURL),
      ("Configuration", "cost.per_100k_reads", "\(ReadPrice.example.per100kReads)"),
      (
        "Configuration", "cost.per_100k_read_units",
        "\(ReadPrice.unitExample.per100kReads)"
      ),
      ("Configuration", "cost.per_100k_writes", "\(CostConfig().per100kWrites)"),
      ("Configuration", "cost.per_100k_write_units", "\(CostConfig().per100kWriteUnits)"),
      ("Configuration", "cost.currency", ReadPrice.example.currency),
      ("Configuration", "geo.base_url", WorkspaceConfig().geoBaseURL),
      ("Configuration", "reviews.base_url", ReviewsClient.appleURL),
      ("Configuration", "time_zone", "UTC"),
    ]
    for (heading, key, value) in defaults {
      let row = try #require(try Self.rows(under: heading).first { $0.key == key })
      #expect(row.defaultValue == value, "\(heading) \(key)")
    }
  }

  @Test func `numbers in the text are those of the code`() throws {
    let text = try ["jobs", "running"].map { try SourceTree.text(of: "docs/\($0).md") }
      .joined(separator: "\n")
    #expect(text.contains("at most \(YAMLDocument.maxAliases) aliases"))
    #expect(YAMLDocument.maxBytes == 65_536 && text.contains("at most 65,536 bytes"))
    #expect(HookReport.longestText == 10_000 && text.contains("at most 10,000 bytes"))
    #expect(HookReport.longestError == 4_096 && text.contains("at most 4,096 bytes"))
    for name in HookReport.variableNames { #expect(text.contains("| `\(name)` |"), "\(name)") }
    for name in HookRunner.passedVariables { #expect(text.contains("`\(name)`"), "\(name)") }
    for nickname in CronSchedule.nicknames.keys { #expect(text.contains("`\(nickname)`")) }
  }
}
