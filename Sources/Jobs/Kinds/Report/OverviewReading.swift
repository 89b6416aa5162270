import Foundation
import Model
import ReportWriters
package import Reports
import Store
import Workspace

/// Reads what the overview shows of one workspace, without writing a report: docs/overview.md.
///
/// Time zone, platform and pseudonyms come from the report job; the events of all people count.
package struct OverviewReading {
  private let context: JobContext
  private var options: ReportOptions

  package init(_ context: JobContext, period: ReportPeriod = .byDefault) {
    self.context = context
    options = .last(in: context.catalog.jobs)
    options.period = period
    options.scope = .all
  }

  /// Returns the app's figures, findings and jobs; makes no request and stores nothing.
  package func app() throws -> AppOverview {
    let reports = try ReportBuilder(options, context).reports(earlier: nil, choice: .index)
    let isLocked = try WorkspaceLock.isHeld(context.workspace)
    let reading = try context.store.read { reader in
      try HealthReading(
        reader, context.catalog, config: context.config, now: context.now, isLocked: isLocked)
    }
    return AppOverview(
      of: reports, health: reading.health, openIncidents: reading.openIncidents.count,
      lockHolder: isLocked
        ? LockOwner.words(of: WorkspaceLock.holder(of: context.workspace)) : nil)
  }

  /// The absolute path of the first page that the report job has written; nil without one.
  package var firstPage: String? {
    guard options.formats.contains(.html) else { return nil }
    var options = options
    options.formats = [.html]
    let path = ReportWork(options, context).firstFile
    return FileManager.default.fileExists(atPath: path)
      ? URL(fileURLWithPath: path).standardizedFileURL.path : nil
  }
}
