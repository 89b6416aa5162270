package import Jobs
import Model
package import Workspace

/// A hook to try with a fictitious run; see `docs/running.md#try-hooks`.
package struct HookTest: Hashable, Sendable {
  /// The key in the files: `on_failure`.
  package let event: String
  package let hook: Hook
  /// The jobs with the same hook for the event; the test reports the first one.
  package private(set) var jobs: [String]
  private let moment: HookReport.Moment

  /// The events, in an order that ends with success for a monitoring service.
  private static let moments: [(event: String, moment: HookReport.Moment)] = [
    (HookEvent.onStart.rawValue, .started), (HookEvent.onFailure.rawValue, .ended(.failed)),
    (HookEvent.onSuccess.rawValue, .ended(.ok)),
  ]

  /// The values of `--event`: the events of every job, and those of kinds.
  package static let events = moments.map(\.event) + [Hook.resetKey]

  /// Returns the distinct hooks of the jobs, including inherited ones.
  ///
  /// A hook that several jobs share is tried once, unless its address contains the job.
  package static func all(of jobs: [Job], event: String?) -> [HookTest] {
    events.filter { event == nil || event == $0 }.reduce(into: []) { tests, event in
      let first = tests.count
      for job in jobs {
        guard let test = HookTest(event, of: job) else { continue }
        let same = tests[first...].firstIndex { $0.hook == test.hook && !test.hook.namesJob }
        if let same { tests[same].jobs.append(job.name) } else { tests.append(test) }
      }
    }
  }

  private init?(_ event: String, of job: Job) {
    let hook = HookEvent(rawValue: event).map { job.hooks[$0] } ?? job.definition.hooks[event]
    guard let hook else { return nil }
    self.event = event
    self.hook = hook
    jobs = [job.name]
    moment = Self.moments.first { $0.event == event }?.moment ?? .ended(.ok)
  }

  /// Returns the report of the fictitious run.
  package func report(app: String) -> HookReport {
    let hasEnded = moment != .started
    let hasFailed = moment == .ended(.failed)
    var report = HookReport(
      app: app, job: jobs[0], moment: moment, failures: hasFailed ? 1 : 0, isTest: true)
    report.exitCode = hasEnded ? (hasFailed ? 1 : 0) : nil
    report.duration = hasEnded ? .seconds(12) : nil
    report.error = hasFailed ? "A made-up error: nothing has failed." : nil
    if event == Hook.resetKey {
      report.variables =
        RestoredAllowance(profile: Profile.defaultName, feature: .refresh).variables
    }
    return report
  }
}

extension Hook {
  /// Whether the hook's address differs by job.
  fileprivate var namesJob: Bool {
    guard case .ping(let url) = action else { return false }
    return url.contains("{job}")
  }
}
