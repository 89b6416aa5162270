package import Model
package import Reports
package import Store
package import Workspace

/// The health of a workspace as `firetally status` judges it, with what it was judged by:
/// docs/running.md#status.
package struct HealthReading: Sendable {
  package let health: WorkspaceHealth
  package let outbox: [OutboxItem.State: Int]
  /// Oldest first.
  package let openIncidents: [JobIncident]

  /// Reads jobs, outbox and acknowledgements; `isLocked` is whether a process holds the lock.
  package init(
    _ reader: some Readable, _ catalog: JobCatalog, config: WorkspaceConfig, now: Instant,
    isLocked: Bool
  ) throws {
    let data = try JobsData.data(
      reader, catalog, config: config, now: now, isLocked: isLocked)
    let today = LocalDay(of: now, in: config.timeZone).text
    let acknowledged = try reader.acknowledgements().filter { $0.isInForce(at: now, on: today) }
    outbox = try reader.outboxCounts()
    openIncidents = data.openIncidents
    health = WorkspaceHealth(
      data, outbox: outbox, acknowledged: Set(acknowledged.map(\.id)),
      timeZone: config.timeZone, now: now)
  }
}
