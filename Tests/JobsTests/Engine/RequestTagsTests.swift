import Firestore
import Fixtures
import JobsTesting
import Model
import SyncTesting
import Synchronization
import Testing

@testable import Jobs
@testable import Workspace

/// `docs/readers.md#request-tags`.
@Suite struct RequestTagsTests {
  @Test(
    arguments: [
      (true, "https://firestore.googleapis.com/v1", [:], true),
      (true, "https://firestore.europe-west1.rep.googleapis.com/v1", [:], true),
      (false, "https://firestore.googleapis.com/v1", [:], false),
      (true, "http://127.0.0.1:8080/v1", [:], false),
      (true, "https://host/v1", ["FIRESTORE_EMULATOR_HOST": "https://host"], false),
      (true, "https://host/v1", ["FIRESTORE_EMULATOR_HOST": ""], true),
    ] as [(Bool, String, [String: String], Bool)])
  func `tags are sent where they are wanted, and never to an emulator`(
    isOn: Bool, baseURL: String, environment: [String: String], areSent: Bool
  ) {
    var config = FirestoreConfig()
    config.requestTags = isOn
    #expect(config.tagsRequests(to: baseURL, environment) == areSent)
  }

  @Test(arguments: ["", "timeout: 5m\n"])
  func `a job's requests name it, those of a command the command`(more: String) async throws {
    let workspace = try TestWorkspace(jobs: ["settings": "kind: sync-settings\n\(more)"])
    let context = try workspace.context(at: ManualClock(start: .morning))
    let job = try #require(context.catalog.jobs.first)
    let recorder = try await RunRecorder(context, job: job, trigger: .manual)
    let seen = SeenJobs()
    _ = try await context.perform(job, recorder) {
      await Task { seen.add(RequestTags.job) }.value
      return JobResult(.ok, "Done.")
    }
    try await AdHocReads.perform(for: "count", maxReads: nil, context) { _ in
      seen.add(RequestTags.job)
      return ((), "Done.")
    }
    #expect(seen.all == ["settings", "count"])
    #expect(RequestTags.job == nil)
  }

  @Test func `nobody's requests bear tags unless that is asked for`() {
    #expect(!FirestoreConfig().requestTags)
  }
}

/// The jobs that requests named, in their order.
private final class SeenJobs: Sendable {
  private let jobs = Mutex<[String?]>([])

  func add(_ job: String?) { jobs.withLock { $0.append(job) } }

  var all: [String?] { jobs.withLock { $0 } }
}
