package import Rules

/// Why the workspace, its files or its lock stopped a command.
package enum JobsError: Error, Hashable, Sendable {
  case notAWorkspace(path: String)
  /// `firetally.yml` is wrong.
  case configuration(ConfigurationError)
  /// One or more job files are wrong.
  case jobFiles(ConfigurationError)
  /// A report's own style sheet is wrong.
  case styleSheet(ConfigurationError)
  case unknownJob(name: String, closest: String?, known: [String])
  /// A report is to show the state of a profile that has none.
  case unknownProfile(name: String, closest: String?)
  /// A report that cannot be made.
  case report(ReportProblem)
  /// Another process writes to the workspace; nil when it did not say who it is.
  case lockHeld(by: LockOwner?, waited: Duration)
  case file(FileFailure)
  /// The job took longer than its `timeout`.
  case timedOut(after: Duration)
  /// A signal asked the program to end.
  case interrupted
  /// No job file says how users are fetched.
  case noUsersJob
  /// The variable or file that the configuration names for a secret holds none.
  case secretMissing(place: String)
  /// The file that the configuration names for a secret is none that could be one.
  case secretTooLong(place: String)
  /// Moments wait, and nothing names the service that takes them.
  case noMomentsService
  /// The filter asks for users nearby, and the profile has no city.
  case cityUnknown
  /// Events wait, and the configuration names no Google Analytics.
  case noAnalytics
  /// No job file says how settings are fetched.
  case noSettingsJob
  /// The run has read all that its budget allows, and stopped where it was.
  case readBudget(ReadBudget, spent: Int)
  /// A load that is all or nothing may need more reads than the budget has left; nil when nobody
  /// can tell how many.
  case readBudgetTooSmall(ReadBudget, needed: Int?)
}

extension JobsError {
  /// What an error means for whoever called, without knowing about exit codes.
  package enum Category: Hashable, Sendable {
    /// The command was given something that does not exist.
    case usage
    /// A job file is wrong.
    case badData
    /// The same command can succeed later.
    case tryLater
    /// The workspace is not set up, or set up wrongly.
    case configuration
    /// The system refused a file operation, or the time was up.
    case failed
    case interrupted
  }

  package var category: Category {
    switch self {
    case .notAWorkspace, .configuration, .noUsersJob, .noSettingsJob, .secretMissing,
      .secretTooLong, .noMomentsService, .noAnalytics, .cityUnknown:
      .configuration
    case .jobFiles, .styleSheet: .badData
    case .unknownJob, .unknownProfile, .report: .usage
    case .lockHeld, .readBudget, .readBudgetTooSmall: .tryLater
    case .file, .timedOut: .failed
    case .interrupted: .interrupted
    }
  }
}

extension JobsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAWorkspace(let path):
      "\(path) is not a workspace: it has no \(WorkspaceConfig.fileName). "
        + "Type 'firetally init' there to make one, or name another folder with -C."
    case .configuration(let error), .jobFiles(let error), .styleSheet(let error):
      error.description
    case .unknownJob(let name, let closest, let known):
      Self.unknownJob(name, closest, known)
    case .unknownProfile(let name, let closest):
      Self.unknownProfile(name, closest)
    case .report(let problem): problem.description
    case .lockHeld(let owner, let waited):
      "Another process writes to this workspace: held by \(owner?.description ?? "an unknown process"). "
        + "Waited \(DurationText.text(waited)); try again later, or wait longer with --lock-wait."
    case .file(let failure):
      failure.description
    case .interrupted:
      "Interrupted; run it again to go on."
    case .noUsersJob:
      "No file in jobs/ has the kind sync-users, so nothing says how users are fetched. "
        + "'firetally init' writes the shipped job files that are missing."
    case .secretMissing(let place):
      Self.badSecret(place, "is empty or not set. Put it there")
    case .secretTooLong(let place):
      Self.badSecret(
        place, "has more than \(SecretSource.longestSecret) bytes. Put it there alone")
    case .noMomentsService:
      "Moments wait to be delivered, but nothing names the service that takes them. Set "
        + "moments.base_url in firetally.yml, or \(MomentsAccess.addressVariable), to its https "
        + "address."
    case .cityUnknown:
      "The saved filter wants users nearby, and the profile's own city is not known: find it with "
        + "'firetally profile locate', set it with 'firetally profile set --city NAME', or drop the "
        + "filter with 'firetally filter clear'. Nothing was fetched."
    case .noAnalytics:
      "Events wait to be delivered, but firetally.yml has no section 'analytics' any more. Put it "
        + "back, or leave 'event' out of the job's kinds; see docs/jobs.md#analytics."
    case .noSettingsJob:
      "No file in jobs/ has the kind sync-settings, so nothing says how settings are fetched. "
        + "'firetally init' writes the shipped job files that are missing."
    case .readBudget(let budget, let spent):
      budget.exhaustion(after: spent)
    case .readBudgetTooSmall(let budget, let needed):
      budget.refusal(of: needed)
    case .timedOut(let limit):
      "The job was stopped after \(DurationText.text(limit)), its timeout. What it had stored stays; "
        + "run it again to go on, or give it a longer timeout in its file."
    }
  }
}

extension JobsError {
  private static func unknownJob(_ name: String, _ closest: String?, _ known: [String]) -> String {
    "There is no job '\(name)' in this workspace. "
      + (closest.map { "Did you mean '\($0)'?" }
        ?? (known.isEmpty
          ? "It has no job files: 'firetally init' writes the shipped ones."
          : "Its jobs are: \(known.joined(separator: ", "))."))
  }

  private static func badSecret(_ place: String, _ problem: String) -> String {
    "\(WorkspaceConfig.fileName) says that a secret is in \(place), which \(problem); see "
      + "docs/jobs.md#secrets."
  }

  private static func unknownProfile(_ name: String, _ closest: String?) -> String {
    "There is no profile '\(name)' in this workspace. "
      + (closest.map { "Did you mean '\($0)'?" }
        ?? "`firetally profile list` lists them, `firetally profile create \(name)` makes one.")
  }
}

extension ReadBudget {
  fileprivate func exhaustion(after spent: Int) -> String {
    "Stopped at the read budget: this run has made \(spent) billed reads, and \(words). "
      + "What it read is stored, and the next run goes on from there\(whenToGoOn)."
  }

  /// Waiting for the next day helps only a load that knows where it ends.
  fileprivate func refusal(of needed: Int?) -> String {
    let start =
      "Nothing was fetched: a load that replaces the users is all or nothing and may need "
    guard let needed else {
      return start + "any number of billed reads (max_documents: all), and \(words). Give "
        + "max_documents a number that the budget has room for, or take the budget away."
    }
    return start + "\(needed) billed reads, and \(words). Try again\(whenToGoOn), with a smaller "
      + "max_documents, or with a larger budget."
  }

  /// Which limit it is, as the end of a sentence.
  fileprivate var words: String {
    switch nearest {
    case .run(let limit): "a run of this job may make \(limit) (max_reads in its file)"
    case .day(let limit):
      "a day may have \(limit) (cost.max_reads_per_day in firetally.yml), of which others had "
        + "made \(readToday)"
    case nil: "there is no limit"
    }
  }

  /// Empty when the next run may begin at once.
  fileprivate var whenToGoOn: String {
    guard case .day = nearest else { return "" }
    return " after \(resetsAt), midnight Pacific time"
  }
}
