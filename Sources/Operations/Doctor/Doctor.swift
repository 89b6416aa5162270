import Firestore
import Foundation
import Glibc
package import Jobs
import Model
package import Store
package import Workspace

/// What a workspace has, each part unless it is wrong.
package struct DoctorWorkspace: Sendable {
  package let folder: Workspace
  package let config: Result<WorkspaceConfig, WorkspaceError>
  package let catalog: Result<JobCatalog, WorkspaceError>
  /// The database to read from; nil when nothing was stored yet.
  package let database: Result<Store?, any Error>
  /// The schema of an older release's database, of which `database` is a migrated copy; nil when
  /// the schema is current.
  package let olderSchema: Int?

  /// Reads the files of a folder.
  package init(
    _ folder: Workspace, database: Result<Store?, any Error>, olderSchema: Int? = nil
  ) {
    self.folder = folder
    config = Result { () throws(WorkspaceError) in try folder.config() }
    catalog = Result { () throws(WorkspaceError) in try folder.jobs() }
    (self.database, self.olderSchema) = (database, olderSchema)
  }
}

/// The installation that the checks examine.
package struct DoctorContext: Sendable {
  package let workspace: DoctorWorkspace
  /// The services and shared values of jobs; nil when the configuration is wrong.
  ///
  /// If there is no readable database, its store is a different, empty one.
  package let jobs: JobContext?
  package let machine: DoctorMachine
  package let clock: WorkspaceClock
  package let isOffline: Bool
  /// Whether `--now` replaced the clock.
  package let hasOtherClock: Bool

  package init(
    _ workspace: DoctorWorkspace, jobs: JobContext?, on machine: DoctorMachine,
    clock: WorkspaceClock, isOffline: Bool, hasOtherClock: Bool
  ) {
    (self.workspace, self.jobs, self.machine) = (workspace, jobs, machine)
    (self.clock, self.isOffline, self.hasOtherClock) = (clock, isOffline, hasOtherClock)
  }

  func configured() throws(DoctorObstacle) -> (config: WorkspaceConfig, jobs: JobContext) {
    guard case .success(let config) = workspace.config, let jobs else { throw .configuration }
    return (config, jobs)
  }

  func listedJobs() throws(DoctorObstacle) -> JobCatalog {
    guard case .success(let catalog) = workspace.catalog else { throw .jobFiles }
    return catalog
  }

  /// Returns the database; nil when nothing was stored yet.
  func readableStore() throws(DoctorObstacle) -> Store? {
    guard case .success(let store) = workspace.database else { throw .database }
    return store
  }

  /// Returns the disk for the database, even if that does not exist yet.
  func disk() throws -> DoctorMachine.Disk {
    let (data, root) = (workspace.folder.dataFolder, workspace.folder.root)
    return try machine.disk(access(data, F_OK) == 0 ? data : root)
  }

  func timeZone() throws -> TimeZone { TimeZone(checked: try configured().config.timeZone) }

  /// Returns an instant for people, in `time_zone` if it is known.
  func words(_ instant: Instant) throws -> String {
    let zone: TimeZone
    do {
      zone = try timeZone()
    } catch is DoctorObstacle {
      zone = .gmt
    }
    return ZonedTime(instant, in: zone).description
  }
}

/// The checks of an installation; see `docs/doctor.md`.
package enum Doctor {
  /// The checks, in the order in which they run and print.
  static let checks: [any DoctorCheck.Type] = [
    ConfigurationCheck.self, JobFilesCheck.self, TimeZoneCheck.self, CredentialsCheck.self,
    SecretsCheck.self, ClockCheck.self, FirestoreCheck.self, DatabaseCheck.self, DiskCheck.self,
    BackupsCheck.self, LockCheck.self, OutputCheck.self, SchedulerCheck.self,
    RecentRunsCheck.self, HooksCheck.self, NotifyCheck.self, LibrariesCheck.self,
  ]

  /// Runs all checks in sequence, and reports each finding at once.
  ///
  /// - Throws: what `found` throws, or `CancellationError`.
  package static func examine(
    _ context: DoctorContext, found: (DoctorFinding) throws -> Void = { _ in }
  ) async throws -> [DoctorFinding] {
    try await examine(context, checks, found: found)
  }

  static func examine(
    _ context: DoctorContext, _ checks: [any DoctorCheck.Type],
    found: (DoctorFinding) throws -> Void = { _ in }
  ) async throws -> [DoctorFinding] {
    var all: [DoctorFinding] = []
    var obstacles: [(check: String, reason: String)] = []
    for check in checks where !(context.isOffline && check.needsNetwork) {
      try Task.checkCancellation()
      do {
        let findings = try await RequestTags.$job.withValue("doctor") {
          try await made(check.init(), in: context)
        }
        for finding in findings {
          try found(finding)
          all.append(finding)
        }
      } catch let obstacle as DoctorObstacle {
        obstacles.append((check.name, obstacle.reason))
      }
    }
    for finding in unmade(obstacles) {
      try found(finding)
      all.append(finding)
    }
    return all
  }

  /// Runs a check; an unexpected error only fails this check's line.
  private static func made(
    _ check: some DoctorCheck, in context: DoctorContext
  ) async throws -> [DoctorFinding] {
    do {
      return try await check.findings(in: context)
    } catch let obstacle as DoctorObstacle {
      throw obstacle
    } catch let error as CancellationError {
      throw error
    } catch StoreError.corrupt where !(check is DatabaseCheck) {
      // The check of the database reports this.
      throw DoctorObstacle.database
    } catch {
      return check.fail(String(describing: error))
    }
  }

  /// Returns a finding for each reason why checks could not run.
  private static func unmade(
    _ obstacles: [(check: String, reason: String)]
  ) -> [DoctorFinding] {
    obstacles.map(\.reason).unique.map { reason in
      let names = obstacles.filter { $0.reason == reason }.map(\.check)
      return DoctorFinding(
        check: "not-checked", verdict: .warn,
        message: "Not checked, since \(reason): \(names.joined(separator: ", ")).",
        advice: "Correct that, and run `firetally doctor` again.")
    }
  }
}
