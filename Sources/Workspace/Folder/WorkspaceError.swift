import Glibc
package import Model
package import Platform

/// An error of the workspace, its files or its lock that stopped a command.
package enum WorkspaceError: Error, Hashable, Sendable {
  /// `inside` is the workspace that contains the folder; nil when there is none.
  case notAWorkspace(path: String, inside: String? = nil)
  /// `firetally.yml` is wrong.
  case configuration(ConfigurationError)
  case jobFiles(ConfigurationError)
  /// A report's own style sheet is wrong.
  case styleSheet(ConfigurationError)
  case unknownJob(name: String, closest: String?, known: [String])
  /// Another process writes to the workspace; the owner is nil when unknown.
  case lockHeld(by: LockOwner?, waited: Duration)
  case file(FileFailure)
  /// The run has used its read budget, and stopped there.
  case readBudget(ReadBudget, spent: Int)
  /// A command outside of any job has used its read budget.
  case adHocBudget(ReadBudget, spent: Int)
  /// Any other error, described by its sentence; the extensions below create them.
  case refused(Category, _ sentence: String)

  /// The meaning of an error for the caller, independent of exit codes.
  package enum Category: Hashable, Sendable {
    /// The command named something that does not exist.
    case usage
    case badData
    /// The same command can succeed later.
    case tryLater
    /// The workspace is not set up, or set up wrongly.
    case configuration
    /// The system refused a file operation, or the time limit was reached.
    case failed
    case interrupted
    /// The input is gone permanently.
    case inputGone
  }

  package var category: Category {
    switch self {
    case .refused(let category, _): category
    case .configuration(let error) where error.isUnsetVariables: .badData
    case .notAWorkspace, .configuration: .configuration
    case .jobFiles, .styleSheet: .badData
    case .unknownJob: .usage
    case .lockHeld, .readBudget, .adHocBudget: .tryLater
    case .file: .failed
    }
  }
}

extension WorkspaceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .refused(_, let sentence): sentence
    case .notAWorkspace(let path, let workspace?):
      "\(path) is a folder of the workspace \(workspace), and none itself. Change there, or name "
        + "it: `firetally -C \(workspace) …`."
    case .notAWorkspace(let path, nil):
      "\(path) is not a workspace: it has no \(WorkspaceConfig.fileName). "
        + "Type `firetally init` there to make one, or name another folder with -C."
    case .configuration(let error), .jobFiles(let error), .styleSheet(let error):
      error.description
    case .unknownJob(let name, let closest, let known):
      "There is no job '\(name)' in this workspace. "
        + (closest.map { "Did you mean '\($0)'?" }
          ?? (known.isEmpty
            ? "It has no job files: `firetally init` adds the shipped ones."
            : "Its jobs are: \(known.joined(separator: ", "))."))
    case .lockHeld(let owner, let waited):
      "Another process holds this workspace: \(owner?.description ?? "it did not say which"). "
        + "Waited \(DurationText.text(waited)); try again later, or wait longer with --lock-wait."
    case .file(let failure): failure.description
    case .readBudget(let budget, let spent): budget.exhaustion(after: spent)
    case .adHocBudget(let budget, let spent): budget.end(ofCommandAfter: spent)
    }
  }
}

/// Errors that stop a run.
extension WorkspaceError {
  package static let interrupted = WorkspaceError.refused(
    .interrupted, "Interrupted. Run it again to continue.")

  package static func timedOut(after limit: Duration) -> WorkspaceError {
    .refused(
      .failed,
      "The job reached its timeout of \(DurationText.text(limit)) and was stopped. What it stored "
        + "stays; run it again to continue, or set a longer timeout in its file.")
  }

  /// Returns the error of a job that continued after its timeout, so that the program was ended.
  package static func overrun(job: String, timeout limit: Duration) -> WorkspaceError {
    .refused(
      .failed,
      "The job '\(job)' reached its timeout of \(DurationText.text(limit)) and could not be "
        + "stopped, so the command was ended. What it stored stays; run it again to continue.")
  }

  /// Returns the error of a job that could not run, since the lock's holder does other work.
  package static func lockedOut(_ lockout: Lockout) -> WorkspaceError {
    .refused(.tryLater, lockout.description)
  }

  /// Returns the error of an all-or-nothing load that may need more reads than the budget has left.
  ///
  /// `needed` is nil when the number is unknown.
  package static func readBudgetTooSmall(_ budget: ReadBudget, needed: Int?) -> WorkspaceError {
    .refused(.tryLater, budget.refusal(of: needed))
  }
}

/// Errors of the workspace's configuration.
extension WorkspaceError {
  package static func otherProject(path: String, stored: String, asked: String) -> WorkspaceError {
    .refused(
      .configuration,
      "This workspace belongs to the project '\(stored)'; you asked for '\(asked)'. Name "
        + "'\(stored)', use another workspace, or move \(path) away to start again.")
  }

  /// Refuses an unknown profile; the default one always exists.
  package static func checkProfile(_ name: String, among known: [String]) throws(WorkspaceError) {
    guard name != Profile.defaultName, !known.contains(name) else { return }
    let hint =
      ClosestName.closest(to: name, among: known).map { "Did you mean '\($0)'?" }
      ?? "`firetally profile list` lists them."
    throw .refused(
      .usage,
      "There is no profile '\(name)' in this workspace. \(hint) `firetally profile create \(name)` "
        + "creates it.")
  }
}

/// Errors of making, finding and restoring backups.
extension WorkspaceError {
  /// Returns the error of a damaged backup, with the end of a sentence for each finding.
  package static func damagedBackup(_ path: String, _ findings: [String]) -> WorkspaceError {
    .refused(
      .badData,
      "The backup \(path) is damaged: \(findings.joined(separator: "; ")). Nothing was changed. "
        + "Take an earlier one from `firetally backup list`.")
  }

  static func encryptedBackup(_ path: String) -> WorkspaceError {
    .refused(
      .configuration,
      "\(path) is encrypted. Say what decrypts it, with --decrypt COMMAND or as backup.decrypt in "
        + "firetally.yml.")
  }

  /// Returns the error of a failed encryption or decryption; `what` says what was not done.
  static func cipherFailed(_ what: String, _ problem: String, in folder: String) -> WorkspaceError {
    .refused(.badData, "\(what): \(problem). Run it by hand in \(folder) to see why.")
  }
}

extension ReadBudget {
  fileprivate func exhaustion(after spent: Int) -> String {
    "Stopped at the read budget: this run used \(edition.billed(spent)); \(words). \(scanAdvice)"
      + "What it read is stored, and the next run continues from there\(whenToGoOn)."
  }

  fileprivate func end(ofCommandAfter spent: Int) -> String {
    let start = "Stopped at the read budget: this command used \(edition.billed(spent)); "
    guard case .run(let limit) = nearest else {
      return start + "\(words). \(scanAdvice)Try again\(whenToGoOn)."
    }
    return start
      + "--max-reads allows \(limit). \(scanAdvice)Give it a larger --max-reads to read on."
  }

  /// Empty unless the budget ended before a query that scans.
  private var scanAdvice: String {
    guard endedAtScan else { return "" }
    return "The next query has no index and scans its collection, which costs more than is left: "
      + "make the index that `firetally plan` prints, or raise the budget. "
  }

  /// Returns the message about a budget that is too small.
  ///
  /// Only a load with a known limit can succeed on the next day.
  fileprivate func refusal(of needed: Int?) -> String {
    let start =
      "Nothing was fetched: this load replaces all users at once, and may need "
    guard let needed else {
      return start + "any number of \(edition.billedNoun)s (max_documents: all); \(words). Set "
        + "max_documents to a number within the budget, or remove the budget."
    }
    return start + "\(edition.billed(needed)); \(words). Try again\(whenToGoOn), with a smaller "
      + "max_documents, or with a larger budget."
  }

  /// The limit that applies, as the end of a sentence.
  fileprivate var words: String {
    switch nearest {
    case .run(let limit): "max_reads in the job file allows \(limit)"
    case .day(let limit):
      "cost.max_reads_per_day in firetally.yml allows \(limit) a day; other runs "
        + "used \(readToday)"
    case nil: "there is no limit"
    }
  }

  /// The time of the next possible run; empty when it may begin at once.
  fileprivate var whenToGoOn: String {
    guard case .day = nearest else { return "" }
    return " after \(resetsAt), midnight Pacific time"
  }
}

/// A failed file operation.
package struct FileFailure: Hashable, Sendable {
  /// The attempted action as an infinitive: `write`.
  package var action: String
  package var path: String
  /// The system's error number.
  package var code: Int32
  /// The kind of file that has the name instead of a regular file; nil for other failures.
  package var special: SpecialFile?
}

extension WorkspaceError {
  /// Returns the error of a failed operation; the default code is that of the last system call.
  package static func cannot(
    _ action: String, _ path: String, code: Int32 = errno, _ special: SpecialFile? = nil
  ) -> WorkspaceError {
    .file(FileFailure(action: action, path: path, code: code, special: special))
  }

  /// The reason why a file could not be used, as the end of a sentence, without its path; nil for
  /// other errors.
  var fileProblem: String? {
    guard case .file(let failure) = self else { return nil }
    if let special = failure.special { return "is \(special.rawValue), not a file" }
    return "cannot be read: \(SystemError.text(failure.code))"
  }

  /// The system's error number; nil for other errors.
  package var systemCode: Int32? {
    if case .file(let failure) = self { failure.code } else { nil }
  }
}

extension FileFailure: CustomStringConvertible {
  package var description: String {
    if let special {
      return "Cannot \(action) \(path): it is \(special.rawValue), not a file. Move it away, or "
        + "name a file."
    }
    return "Cannot \(action) \(path): \(SystemError.text(code)). \(advice)"
  }

  private var advice: String {
    switch code {
    case EACCES, EPERM: "Give this user the right to do so, or run as the user who owns it."
    case EROFS: "The file system is mounted read-only: choose another folder, or remount it."
    case ENOSPC, EDQUOT: "Free some space, then run the command again: nothing was changed."
    case ENOENT where action == "read": "Check the path, and where it leads if it is a link."
    case ENOENT: "Create the folder first."
    case ENOTDIR, EISDIR, EEXIST: "Move away what is at that path."
    case EMFILE, ENFILE: "Raise `ulimit -n`."
    case ELOOP, EMLINK: "Another file would be written over: move the link away."
    default: "Check the path and the disk, then run the command again."
    }
  }
}
