import Glibc
package import Model

/// Why the workspace, its files or its lock stopped a command.
package enum JobsError: Error, Hashable, Sendable {
  case notAWorkspace(path: String)
  /// `firetally.yml` is wrong.
  case configuration(ConfigurationError)
  /// `firetally.yml` is there and cannot be read.
  case unreadableConfiguration(FileFailure)
  /// One or more job files are wrong.
  case jobFiles(ConfigurationError)
  /// A report's own style sheet is wrong.
  case styleSheet(ConfigurationError)
  case unknownJob(name: String, closest: String?, known: [String])
  /// A profile that nobody created.
  case unknownProfile(name: String, closest: String?)
  /// A report that cannot be made.
  case report(ReportProblem)
  /// A backup that cannot be made, found or restored.
  case backup(BackupProblem)
  /// A load in shards that cannot be planned, run or gathered; see `docs/shards.md#statuses`.
  case shards(Category, _ sentence: String)
  /// Another process writes to the workspace; nil when it did not say who it is.
  case lockHeld(by: LockOwner?, waited: Duration)
  /// Another process kept a job from running, and does not do its work.
  case lockedOut(Lockout)
  case file(FileFailure)
  /// No file is put in the place of a link, a folder, a pipe or a device.
  case notReplaced(path: String, isLink: Bool)
  /// The job took longer than its `timeout`.
  case timedOut(after: Duration)
  /// Its work went on even then, so that the program was ended.
  case overrun(job: String, timeout: Duration)
  /// A signal asked the program to end.
  case interrupted
  /// No job file says how users are fetched.
  case noUsersJob
  /// The variable or file that the configuration names for a secret holds none.
  case secretMissing(place: String)
  /// The file that the configuration names for a secret is none that could be one.
  case secretTooLong(place: String)
  /// The file of the key that hashes contacts holds none.
  case badContactKey(path: String)
  /// Moments wait, and nothing names the service that takes them.
  case noMomentsService
  /// The filter asks for users nearby, and the profile has no city.
  case cityUnknown
  /// The workspace holds the data of another project than the one that is asked.
  case otherProject(path: String, stored: String, asked: String)
  /// Events wait, and the configuration names no Google Analytics.
  case noAnalytics
  /// No job file says how settings are fetched.
  case noSettingsJob
  /// The run has read all that its budget allows, and stopped where it was.
  case readBudget(ReadBudget, spent: Int)
  /// A command outside of any job has read all that it may.
  case oneOffBudget(ReadBudget, spent: Int)
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
    /// What was to be read is gone for good.
    case inputGone
  }

  package var category: Category {
    switch self {
    case .backup(let problem): problem.category
    case .shards(let category, _): category
    case .configuration(let error) where error.isUnsetVariables: .badData
    case .notAWorkspace, .configuration, .unreadableConfiguration, .noUsersJob, .noSettingsJob,
      .secretMissing, .secretTooLong, .noMomentsService, .noAnalytics, .cityUnknown,
      .otherProject, .badContactKey:
      .configuration
    case .jobFiles, .styleSheet: .badData
    case .unknownJob, .unknownProfile, .report: .usage
    case .lockHeld, .lockedOut, .readBudget, .readBudgetTooSmall, .oneOffBudget: .tryLater
    case .file, .notReplaced, .timedOut, .overrun: .failed
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
    case .unreadableConfiguration(let failure): Self.unreadableConfiguration(failure)
    case .unknownJob(let name, let closest, let known): Self.unknownJob(name, closest, known)
    case .unknownProfile(let name, let closest): Self.unknownProfile(name, closest)
    case .report(let problem): problem.description
    case .backup(let problem): problem.description
    case .shards(_, let sentence): sentence
    case .lockHeld(let owner, let waited):
      "Another process holds this workspace: \(owner?.description ?? "it did not say which"). "
        + "Waited \(DurationText.text(waited)); try again later, or wait longer with --lock-wait."
    case .lockedOut(let lockout): lockout.description
    case .file(let failure): failure.description
    case .notReplaced(let path, let isLink): Self.notReplaced(path, isLink)
    case .interrupted: "Interrupted. Run it again to continue."
    case .noUsersJob: Self.noJob(of: "sync-users", for: "users")
    case .secretMissing(let place): Self.badSecret(place, "is empty or not set")
    case .secretTooLong(let place):
      Self.badSecret(place, "has more than \(SecretSource.longestSecret) bytes")
    case .badContactKey(let path): Self.badContactKey(path)
    case .noMomentsService:
      "Moments wait to be delivered, but no moments service is configured. Set "
        + "moments.base_url in firetally.yml, or \(Services.momentsVariable), to its https "
        + "address."
    case .cityUnknown:
      "The saved filter asks for users nearby, but the profile's city is unknown. Find it with "
        + "'firetally profile locate', set it with 'firetally profile set --city NAME', or drop the "
        + "filter with 'firetally filter clear'. Nothing was fetched."
    case .otherProject(let path, let stored, let asked):
      Self.otherProject(path, stored, asked)
    case .noAnalytics:
      "Events wait to be delivered, but firetally.yml has no section 'analytics'. Put it "
        + "back, or leave 'event' out of the job's kinds; see docs/jobs.md#analytics."
    case .noSettingsJob: Self.noJob(of: "sync-settings", for: "settings")
    case .readBudget(let budget, let spent): budget.exhaustion(after: spent)
    case .oneOffBudget(let budget, let spent): budget.end(ofCommandAfter: spent)
    case .readBudgetTooSmall(let budget, let needed): budget.refusal(of: needed)
    case .timedOut(let limit):
      "The job reached its timeout of \(DurationText.text(limit)) and was stopped. What it stored stays; "
        + "run it again to continue, or set a longer timeout in its file."
    case .overrun(let job, let limit): Self.overrun(job, limit)
    }
  }
}

extension JobsError {
  private static func overrun(_ job: String, _ limit: Duration) -> String {
    "The job '\(job)' reached its timeout of \(DurationText.text(limit)) and could not be stopped, so "
      + "the command was ended. What it stored stays; run it again to continue."
  }

  private static func noJob(of kind: String, for what: String) -> String {
    "No file in jobs/ has the kind \(kind), so \(what) cannot be fetched. "
      + "'firetally init' adds the missing job files."
  }

  private static func badContactKey(_ path: String) -> String {
    "\(path) holds no key of 32 hexadecimal digits. Restore it from your copy, or remove it: then "
      + "the next run makes a new one, and all hashes of contacts change."
  }

  private static func notReplaced(_ path: String, _ isLink: Bool) -> String {
    isLink
      ? "Cannot write \(path): it is a link. Name the file itself, or another one."
      : "Cannot write \(path): it is no regular file. Name another one."
  }

  private static func unknownJob(_ name: String, _ closest: String?, _ known: [String]) -> String {
    "There is no job '\(name)' in this workspace. "
      + (closest.map { "Did you mean '\($0)'?" }
        ?? (known.isEmpty
          ? "It has no job files: 'firetally init' adds the shipped ones."
          : "Its jobs are: \(known.joined(separator: ", "))."))
  }

  private static func otherProject(_ path: String, _ stored: String, _ asked: String) -> String {
    "This workspace belongs to the project '\(stored)'; you asked for '\(asked)'. Name '\(stored)', "
      + "use another workspace, or move \(path) away to start again."
  }

  private static func unreadableConfiguration(_ failure: FileFailure) -> String {
    guard failure.code == EISDIR else { return failure.description }
    return "\(failure.path) is a folder; it must be a file. Move it "
      + "away, or name another workspace with -C."
  }

  private static func badSecret(_ place: String, _ problem: String) -> String {
    "\(WorkspaceConfig.fileName) takes a secret from \(place), which \(problem). See "
      + "docs/jobs.md#secrets."
  }

  /// Refuses a profile that nobody created; the default one always exists.
  ///
  /// - Throws: `JobsError.unknownProfile`.
  package static func checkProfile(_ name: String, among known: [String]) throws(JobsError) {
    guard name != Profile.defaultName, !known.contains(name) else { return }
    throw .unknownProfile(name: name, closest: ClosestName.closest(to: name, among: known))
  }

  private static func unknownProfile(_ name: String, _ closest: String?) -> String {
    "There is no profile '\(name)' in this workspace. "
      + (closest.map { "Did you mean '\($0)'?" } ?? "`firetally profile list` lists them.")
      + " `firetally profile create \(name)` creates it."
  }
}

extension ReadBudget {
  fileprivate func exhaustion(after spent: Int) -> String {
    "Stopped at the read budget: this run made \(spent) billed reads; \(words). "
      + "What it read is stored, and the next run continues from there\(whenToGoOn)."
  }

  fileprivate func end(ofCommandAfter spent: Int) -> String {
    let start = "Stopped at the read budget: this command made \(spent) billed reads; "
    guard case .run(let limit) = nearest else { return start + "\(words). Try again\(whenToGoOn)." }
    return start + "--max-reads allows \(limit). Give it a larger --max-reads to read on."
  }

  /// Waiting for the next day helps only a load that knows where it ends.
  fileprivate func refusal(of needed: Int?) -> String {
    let start =
      "Nothing was fetched: this load replaces all users at once, and may need "
    guard let needed else {
      return start + "any number of billed reads (max_documents: all); \(words). Set "
        + "max_documents to a number within the budget, or remove the budget."
    }
    return start + "\(needed) billed reads; \(words). Try again\(whenToGoOn), with a smaller "
      + "max_documents, or with a larger budget."
  }

  /// Which limit it is, as the end of a sentence.
  fileprivate var words: String {
    switch nearest {
    case .run(let limit): "max_reads in the job file allows \(limit)"
    case .day(let limit):
      "cost.max_reads_per_day in firetally.yml allows \(limit) a day, of which other runs "
        + "used \(readToday)"
    case nil: "there is no limit"
    }
  }

  /// Empty when the next run may begin at once.
  fileprivate var whenToGoOn: String {
    guard case .day = nearest else { return "" }
    return " after \(resetsAt), midnight Pacific time"
  }
}
