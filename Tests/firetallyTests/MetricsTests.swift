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
