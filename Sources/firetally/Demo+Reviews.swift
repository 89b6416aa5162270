import Emulator
import Jobs

/// The demo's reviews: a job of its own, since a new workspace has none without an app's number.
extension Demo {
  private static let jobFile = """
    # Copies the customer reviews of the App Store; docs/jobs.md explains every key.
    kind: sync-reviews
    description: Customer reviews of the App Store
    app_id: \(SampleReviews.appId)
    countries: [\(SampleReviews.countries.joined(separator: ", "))]

    """

  /// Adds the job to the workspace; a file that is there stays.
  func addReviewsJob(to workspace: Workspace) throws {
    _ = try AtomicFile.create(
      Array(Self.jobFile.utf8), at: workspace.path("jobs/app-store-reviews.yml"))
  }
}
