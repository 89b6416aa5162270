package import Model
package import Store

/// Whether all is well, for the index page and `firetally status`: docs/reports.md#freshness.
package struct WorkspaceHealth: Sendable {
  /// Each job after the jobs that it needs.
  package let jobs: [JobHealth]
  /// The findings about jobs and outbox, worst first; a cause names the jobs that it blocks.
  ///
  /// Those that are acknowledged are left out.
  package let findings: [Finding]
  /// The ids of findings that are acknowledged, worst first.
  package let acknowledged: [String]
  /// One sentence about all jobs.
  package let summary: String
  /// The words for times in sentences.
  package let time: TimeWords

  /// `acknowledged` are the ids of findings that need nobody, `timeZone` is that of the times in
  /// sentences.
  package init(
    _ runs: RunsData, outbox: [OutboxItem.State: Int], acknowledged: Set<String> = [],
    timeZone: String, now: Instant
  ) {
    time = TimeWords(timeZone: timeZone, now: now)
    jobs = JobHealth.all(runs)
    let all = Finding.worstFirst(
      JobHealth.findings(of: jobs, runs.futureRuns, time) + RatingOutbox.findings(outbox))
    findings = all.filter { !acknowledged.contains($0.id) }
    self.acknowledged = all.map(\.id).filter(acknowledged.contains)
    summary = RunsReport.summary(of: jobs, time)
  }

  /// Whether no job is overdue, failed or broken, and no item of the outbox was rejected.
  package var isWell: Bool {
    findings.allSatisfy { $0.level < .error }
      && jobs.allSatisfy { !$0.isHousekeeping || $0.level < .error }
  }
}
