import Model
package import Workspace

/// The errors for a workspace that lacks a required job.
extension WorkspaceError {
  package static let noUsersJob = noJob(of: .syncUsers, for: "users")
  package static let noSettingsJob = noJob(of: .syncSettings, for: "settings")

  private static func noJob(of kind: JobKindName, for what: String) -> WorkspaceError {
    .refused(
      .configuration,
      "No file in jobs/ has the kind \(kind.rawValue), so \(what) cannot be fetched. "
        + "`firetally init` adds the missing job files.")
  }

  package static let noMomentsService = WorkspaceError.refused(
    .configuration,
    "Moments wait to be delivered, but no moments service is configured. Set moments.base_url in "
      + "firetally.yml, or \(Services.momentsVariable), to its https address.")

  package static let noAnalytics = WorkspaceError.refused(
    .configuration,
    "Events wait to be delivered, but firetally.yml has no section 'analytics'. Put it back, or "
      + "leave 'event' out of the job's kinds; see docs/jobs.md#analytics.")
}
