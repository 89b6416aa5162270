package import Workspace

/// The errors for a workspace that lacks a required job.
extension JobsError {
  package static let noUsersJob = noJob(of: "sync-users", for: "users")
  package static let noSettingsJob = noJob(of: "sync-settings", for: "settings")

  private static func noJob(of kind: String, for what: String) -> JobsError {
    .refused(
      .configuration,
      "No file in jobs/ has the kind \(kind), so \(what) cannot be fetched. `firetally init` adds "
        + "the missing job files.")
  }

  package static let noMomentsService = JobsError.refused(
    .configuration,
    "Moments wait to be delivered, but no moments service is configured. Set moments.base_url in "
      + "firetally.yml, or \(Services.momentsVariable), to its https address.")

  package static let noAnalytics = JobsError.refused(
    .configuration,
    "Events wait to be delivered, but firetally.yml has no section 'analytics'. Put it back, or "
      + "leave 'event' out of the job's kinds; see docs/jobs.md#analytics.")
}
