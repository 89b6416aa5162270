import Foundation
package import Model
package import Store

/// Remembers which jobs have failed in a row, so that an outage is reported once:
/// `docs/running.md#outages`.
package struct Outages: Sendable {
  private let store: Store

  package init(_ store: Store) {
    self.store = store
  }

  /// What to report of a run.
  package func notice(of report: JobReport) throws -> OutageRule.Notice {
    let outage = try store.read { try $0.outage(of: report.run.job) }
    return Self.judge(report, after: outage).notice
  }

  /// Remembers a run after it was reported; a crash in between reports it a second time.
  package func remember(_ report: JobReport) throws {
    let job = report.run.job
    let before = try store.read { try $0.outage(of: job) }
    let after = Self.judge(report, after: before).outage
    guard before != after else { return }
    try store.write {
      try $0.setMetadata(try after.map(Self.text), named: Self.metadataName(of: job))
    }
  }

  private static func judge(
    _ report: JobReport, after outage: Outage?
  ) -> (outage: Outage?, notice: OutageRule.Notice) {
    OutageRule.judge(
      report.run.outcome, problem: report.error.map { String(describing: $0) },
      startedAt: report.run.startedAt, after: outage)
  }

  fileprivate static func metadataName(of job: String) -> String { "outage:\(job)" }

  private static func text(_ outage: Outage) throws -> String {
    String(decoding: try JSONEncoder().encode(outage), as: UTF8.self)
  }
}

extension Readable {
  /// The failures in a row of a job; nil when its last run did well.
  func outage(of job: String) throws -> Outage? {
    guard let text = try metadata(named: Outages.metadataName(of: job)) else { return nil }
    return try JSONDecoder().decode(Outage.self, from: Data(text.utf8))
  }
}
