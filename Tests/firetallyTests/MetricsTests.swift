import Fixtures
import Foundation
import Jobs
import Model
import Testing

@testable import firetally

/// The text format of Prometheus, and the files that say how a workspace does: docs/metrics.md.
@Suite struct MetricsTests {
  @Test func `labels and help are escaped, and samples without a value are left out`() {
    var text = PrometheusText(common: [("workspace", "/a \"b\"\\c\nd")])
    text.add("x_seconds", "One\nline, with a \\.", [([("k", "v")], 1), ([("k", "w")], nil)])
    text.add("y", "Nothing.", nil)
    #expect(
      text.text == #"""
        # HELP x_seconds One\nline, with a \\.
        # TYPE x_seconds gauge
        x_seconds{workspace="/a \"b\"\\c\nd",k="v"} 1

        """#)
  }

  @Test func `a line end of two characters and a quote under a mark are escaped`() {
    var text = PrometheusText(common: [("app", "a\r\nb\"\u{301}")])
    text.add("x", "X.", 1)
    #expect(text.text.hasSuffix("\nx{app=\"a\r\\nb\\\"\u{301}\"} 1\n"))
  }

  @Test(arguments: [
    (1_769_846_400.0, "1769846400"), (0.5, "0.5"), (-3, "-3"), (1_769_846_400.25, "1769846400.25"),
    (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
    (9_007_199_254_740_992, "9007199254740992.0"),
  ])
  func `a number is written as Go reads it`(value: Double, text: String) {
    var metrics = PrometheusText(common: [])
    metrics.add("x", "X.", value)
    #expect(metrics.text.hasSuffix("\nx \(text)\n"))
  }

  /// A line of the format: a comment of a metric, or a sample.
  private nonisolated(unsafe) static let line =
    #/# HELP [a-z_]+ [^\n]+|# TYPE [a-z_]+ gauge|[a-z_]+(\{[a-z_]+="([^"\\\n]|\\["\\n])*"(,[a-z_]+="([^"\\\n]|\\["\\n])*")*\})? -?[0-9.e+-]+/#

  /// Words of names that mean a unit other than a base unit, or a type.
  private static let wrongWords: Set<Substring> = [
    "milliseconds", "microseconds", "minutes", "hours", "days", "weeks", "ms", "kilobytes",
    "megabytes", "gauge", "counter", "histogram", "summary",
  ]
  /// Endings that other types than gauges have, and one whose unit is missing.
  private static let wrongEndings = [
    "_total", "_count", "_sum", "_bucket", "_timestamp", "_duration",
  ]

  /// What `promtool check metrics` would object to, and what the format forbids.
  private static func faults(in text: String) -> [String] {
    var faults: [String] = []
    var (helped, current, hasSample) = (Set<Substring>(), Substring(), true)
    var series: Set<Substring> = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      if line.hasPrefix("# HELP ") {
        if !hasSample { faults.append("no sample: \(current)") }
        (current, hasSample) = (words[2], false)
        if !helped.insert(current).inserted { faults.append("twice: \(current)") }
        if !line.hasSuffix(".") { faults.append("no sentence: \(line)") }
        let parts = current.split(separator: "_", omittingEmptySubsequences: false)
        if current.wholeMatch(of: /firetally_[a-z0-9_]+/) == nil || parts.contains("")
          || !wrongWords.isDisjoint(with: parts) || wrongEndings.contains(where: current.hasSuffix)
        {
          faults.append("name: \(current)")
        }
      } else if line.hasPrefix("# TYPE ") {
        if words[2] != current || hasSample { faults.append("no help: \(words[2])") }
        if words[3] != "gauge" { faults.append("type: \(words[3])") }
      } else {
        let end = line.lastIndex(of: " ") ?? line.endIndex
        if line.prefix(while: { $0 != "{" && $0 != " " }) != current {
          faults.append("no help: \(line)")
        }
        if !series.insert(line[..<end]).inserted { faults.append("twice: \(line)") }
        hasSample = true
      }
    }
    if !hasSample { faults.append("no sample: \(current)") }
    return text.hasSuffix("\n") ? faults : faults + ["no end of line"]
  }

  @Test(arguments: [
    ("# HELP firetally_x X.\n# TYPE firetally_x gauge\nfiretally_x 1\n", 0),
    ("# HELP firetally_x X.\n# TYPE firetally_x gauge\nfiretally_x 1", 1),
    ("# HELP firetally_x X\n# TYPE firetally_x gauge\nfiretally_x 1\n", 1),
    ("# HELP firetally_x X.\n# TYPE firetally_x counter\nfiretally_x 1\n", 1),
    ("# HELP firetally_x X.\n# TYPE firetally_x gauge\n", 1),
    ("# HELP firetally_x X.\n# TYPE firetally_x gauge\nfiretally_x 1\nfiretally_x 2\n", 1),
    ("# HELP firetally_x X.\n# TYPE firetally_x gauge\nfiretally_y 1\n", 1),
    ("firetally_x 1\n", 1),
    ("# HELP firetally_x_total X.\n# TYPE firetally_x_total gauge\nfiretally_x_total 1\n", 1),
    ("# HELP firetally_x_ms X.\n# TYPE firetally_x_ms gauge\nfiretally_x_ms 1\n", 1),
    ("# HELP firetally_X X.\n# TYPE firetally_X gauge\nfiretally_X 1\n", 1),
  ])
  func `what Prometheus would object to is found`(text: String, count: Int) {
    #expect(Self.faults(in: text).count == count, "\(Self.faults(in: text))")
  }

  @Test func `after each run the files say what status says, in the grammar of the format`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 30)
    try workspace.add(
      "metrics: {file: output/firetally.prom, json: output/status.json}")
    #expect(try await workspace.run("run", "--all").status == 3)
    let text = try String(
      contentsOf: workspace.folder.appending(path: "output/firetally.prom"), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.last == "" && lines.dropLast().allSatisfy { $0.wholeMatch(of: Self.line) != nil })
    #expect(Self.faults(in: text) == [])
    for line in lines where line.hasPrefix("# HELP ") {
      let words = line.split(separator: " ", maxSplits: 3)
      #expect(Self.helpOfNames[String(words[2])] == String(words[3]))
    }
    let samples = lines.dropLast().filter { !$0.hasPrefix("#") }
    let series = samples.map { $0[..<($0.lastIndex(of: " ") ?? $0.endIndex)] }
    #expect(Set(series).count == series.count && series.count > 60)
    let label = "workspace=\"\(workspace.folder.resolvingSymlinksInPath().path)\""
    for sample in [
      "firetally_healthy{\(label)} 1",
      "firetally_job_last_success_timestamp_seconds{\(label),job_name=\"settings\"} 17698464",
      "firetally_job_last_outcome{\(label),job_name=\"online-users\",outcome=\"partial\"} 1",
      "firetally_job_last_outcome{\(label),job_name=\"online-users\",outcome=\"ok\"} 0",
      "firetally_outbox_items{\(label),state=\"rejected\"} 0",
      "firetally_backup_created_timestamp_seconds{\(label)} 1769846400",
      "firetally_backup_proof_success{\(label)} 1",
    ] {
      #expect(samples.contains { $0.hasPrefix(sample) }, "\(sample)")
    }
    let page = try #require(
      try JSONSerialization.jsonObject(
        with: Data(contentsOf: workspace.folder.appending(path: "output/status.json")))
        as? [String: Any])
    #expect(page["isWell"] as? Bool == true && page["message_type"] as? String == "status")
    #expect((page["writtenAt"] as? String)?.hasPrefix("2026-01-31T08:0") == true)
    let incidents = samples.filter { $0.hasPrefix("firetally_open_incidents{\(label),kind=") }
    let open = incidents.reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? 0) }
    #expect(incidents.count == JobIncident.Kind.allCases.count)
    #expect(open > 0 && page["openIncidents"] as? Int == open)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: workspace.folder.path + "/output/firetally.prom")
    #expect(attributes[.posixPermissions] as? Int == 0o644)
  }

  /// The texts as they were first written; add lines, change none.
  ///
  /// Two versions on one machine write the same ones, or node_exporter drops the samples of one.
  private static let helpOfNames: [String: String] = [
    "firetally_build_info": "The version that wrote this file.",
    "firetally_healthy":
      "Whether no job is overdue, failed or broken, and no item of the outbox was rejected.",
    "firetally_findings": "What needs attention, by level.",
    "firetally_job_healthy":
      "Whether the job has run and is neither late, overdue, failed, blocked nor broken.",
    "firetally_job_running": "Whether the job is running.",
    "firetally_job_last_run_timestamp_seconds": "When the last run began.",
    "firetally_job_last_success_timestamp_seconds": "When the last run began that succeeded.",
    "firetally_job_last_outcome": "1 for the outcome of the last run that has ended.",
    "firetally_job_last_run_duration_seconds": "How long the last run took.",
    "firetally_job_last_run_fetched_documents": "Documents or lines that the last run fetched.",
    "firetally_job_last_run_stored_rows": "Rows that the last run added or changed.",
    "firetally_job_last_run_billed_reads": "Reads of the last run that Google bills.",
    "firetally_day_billed_reads": "Billed reads of the runs that began in the last 24 hours.",
    "firetally_day_read_cost": "What these reads cost, estimated, in units of the currency.",
    "firetally_rows": "Rows that are stored.",
    "firetally_newest_event_timestamp_seconds": "When the newest event happened.",
    "firetally_events_ahead": "Events that are dated later than now.",
    "firetally_outbox_items": "Items of the outbox, by state.",
    "firetally_open_incidents": "Open incidents, by kind.",
    "firetally_backup_created_timestamp_seconds": "When the newest whole backup was made.",
    "firetally_backup_size_bytes": "The size of the newest whole backup.",
    "firetally_backup_proof_timestamp_seconds": "When a backup was last tested.",
    "firetally_backup_proof_success": "Whether that test found nothing wrong.",
  ]

  @Test func `the text of a metric never changes, and each stands in the manual`() throws {
    let helps = Metric.allCases.map { ($0.rawValue, $0.help) }
    #expect(Dictionary(uniqueKeysWithValues: helps) == Self.helpOfNames)
    let page = try String(contentsOf: Self.manual.appending(path: "metrics.md"), encoding: .utf8)
    for metric in Metric.allCases { #expect(page.contains("\n| `\(metric.rawValue)` |")) }
  }

  @Test func `the metrics of all workspaces have names of their own, and the same grammar`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 5)
    _ = try await workspace.run("run", "--all")
    let path = workspace.folder.path + "/all.prom"
    let result = try await workspace.run("overview", "--prometheus", path, "-C", "/usr")
    #expect(result.status == 0 && result.output.isEmpty)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(Self.faults(in: text) == [])
    #expect(text.contains("firetally_overview_readable{workspace=\"/usr\"} 0\n"))
    #expect(
      Set(Metric.allCases.map(\.rawValue)).isDisjoint(with: OverviewMetric.allCases.map(\.rawValue))
    )
    let page = try String(contentsOf: Self.manual.appending(path: "overview.md"), encoding: .utf8)
    for metric in OverviewMetric.allCases {
      #expect(page.contains("\n| `\(metric.rawValue)` |"), "\(metric)")
    }
  }

  private static let manual = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs")

  /// The names of an object's members and of theirs, but those of `outbox`, which are states.
  private static func members(of value: Any) -> Set<String> {
    if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(members(of: $1)) } }
    guard let object = value as? [String: Any] else { return [] }
    return object.reduce(into: Set(object.keys)) { names, member in
      if member.key != "outbox" { names.formUnion(members(of: member.value)) }
    }
  }

  @Test func `every member of status --json stands in the manual`() async throws {
    let page = try String(contentsOf: Self.manual.appending(path: "metrics.md"), encoding: .utf8)
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("run", "settle")
    let status = try await workspace.run("status", "--json")
    let names = Self.members(of: try JSONSerialization.jsonObject(with: Data(status.output.utf8)))
    #expect(names.isSuperset(of: ["isWell", "lockHolder", "provenAt", "state", "sentence"]))
    for name in names { #expect(page.contains("`\(name)`"), "\(name)") }
  }

  @Test func `status writes the file that it is given, and prints nothing`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let path = workspace.folder.path + "/x.prom"
    let result = try await workspace.run("status", "--prometheus", path)
    #expect(result.status == 0 && result.output.isEmpty)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("firetally_findings{") && !text.contains("last_success"))
  }

  @Test func `a file that cannot be written is a warning of the command, and the jobs have run`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.add("metrics: {file: nowhere/firetally.prom}")
    let result = try await workspace.run("run", "settle")
    #expect(result.status == 0 && result.errors.contains("nowhere/firetally.prom"))
    try workspace.write(
      "app: {name: A, bundle_id: a.b}\nmetrics: {file: x.txt}\n", to: "firetally.yml")
    #expect(try await workspace.run("run", "settle").status == 78)
  }
}
