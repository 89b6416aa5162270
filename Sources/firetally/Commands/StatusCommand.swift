import ArgumentParser
import Jobs
import Model
import Reports
import Store

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say in one screen whether all is well.",
    discussion: "Ends with status 1 when a job's last run failed or was killed.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let invocation = Invocation(global)
    let desk = try invocation.desk()
    let jobs = try desk.workspace.jobs()
    let summary =
      try desk.readStore().map { store in
        let isLocked = try WorkspaceLock.isHeld(desk.workspace)
        return try store.read {
          try Summary($0, jobs: jobs, now: invocation.now, isLocked: isLocked)
        }
      } ?? Summary(jobs: jobs)
    if invocation.output.isJSON {
      try invocation.output.show(json: summary)
    } else {
      invocation.output.show(summary.text(now: invocation.now))
    }
    guard summary.isWell else { throw StatusOnly(status: .failed) }
  }

  /// What the workspace holds and how its jobs last ended.
  private struct Summary: Encodable {
    struct JobLine: Encodable {
      let job: String
      let outcome: Run.Outcome?
      /// Its row has no end, and it was not killed.
      var isRunning = false
      let startedAt: Instant?
      let error: String?
    }

    let message_type = "status"
    var users = 0
    var usersRefreshedAt: Instant?
    var events = 0
    var newestEventAt: Instant?
    var outbox: [String: Int] = [:]
    var jobs: [JobLine]

    init(jobs: [Job]) {
      self.jobs = jobs.map {
        JobLine(job: $0.name, outcome: nil, startedAt: nil, error: nil)
      }
    }

    init(_ reader: Reader, jobs: [Job], now: Instant, isLocked: Bool) throws {
      users = try reader.usersCount()
      usersRefreshedAt = try reader.usersRefreshedAt()
      events = try reader.eventsCount()
      newestEventAt = try reader.newestEventAt()
      outbox = Dictionary(
        uniqueKeysWithValues: try reader.outboxCounts().map { ($0.key.rawValue, $0.value) })
      let runs = try reader.lastRuns()
      self.jobs = jobs.map { job in
        let run = runs[job.name]
        return JobLine(
          job: job.name, outcome: run?.outcome,
          isRunning: run.map {
            RunningJobs.isRunning($0, of: job, at: now, isLocked: isLocked)
          } ?? false, startedAt: run?.startedAt, error: run?.error)
      }
    }

    var isWell: Bool {
      jobs.allSatisfy { $0.isRunning || $0.outcome != .failed && $0.outcome != .interrupted }
    }

    func text(now: Instant) -> String {
      var lines = [
        "users    \(users), refreshed \(usersRefreshedAt.map { age($0, now) } ?? "never")",
        "events   \(events), newest \(newestEventAt.map { age($0, now) } ?? "none")",
        "outbox   \(outboxText)", "",
      ]
      var table = TextTable(["JOB", "LAST RUN", "OUTCOME", "ERROR"])
      for job in jobs {
        table.add([
          job.job, job.startedAt.map { age($0, now) } ?? "never",
          job.isRunning ? "running" : job.outcome?.rawValue ?? "-",
          DisplayWidth.cut(job.error ?? "-", to: 100),
        ])
      }
      lines.append(table.text)
      return lines.joined(separator: "\n")
    }

    private var outboxText: String {
      let counts = OutboxItem.State.allCases.compactMap { state in
        outbox[state.rawValue].map { "\($0) \(state.rawValue)" }
      }
      return counts.isEmpty ? "empty" : counts.joined(separator: ", ")
    }

    /// In the largest unit that says something: `3 h ago`.
    private func age(_ instant: Instant, _ now: Instant) -> String {
      let seconds = (now - instant).components.seconds
      switch seconds {
      case ..<0: return "at \(instant)"
      case ..<120: return "\(seconds) s ago"
      case ..<7_200: return "\(seconds / 60) min ago"
      case ..<172_800: return "\(seconds / 3_600) h ago"
      default: return "\(seconds / 86_400) days ago"
      }
    }
  }
}
