import App
import Jobs
import Model
import Reports

/// An error of a command, with a sentence and an exit status.
struct CommandError: Error, CustomStringConvertible {
  let status: ExitStatus
  let description: String
  /// The members that a program reads in addition to the sentence.
  private(set) var members: JSONObject = [:]
  private(set) var run: Run?
  /// The sentence that `--quiet` prints instead of a popup.
  private(set) var quietDescription: String?
  /// The loss on standard output, such as on a full disk; nil for none.
  private(set) var loss: StandardStream.Loss?

  init(_ status: ExitStatus, _ description: String) {
    (self.status, self.description) = (status, description)
  }
}

/// The errors that several commands share.
extension CommandError {
  /// Returns the error of a feature at its limit; the text is that of the popup.
  static func blocked(_ check: LimitCheck, _ run: Run? = nil) -> CommandError {
    var error = CommandError(.tryLater, PopupText.block(check))
    (error.members, error.run) = (check.members, run)
    error.quietDescription = check.result.reason
    return error
  }

  static func blocked(_ paywall: Paywall) -> CommandError {
    var error = CommandError(.tryLater, PaywallText.block(paywall))
    error.members = [
      "trigger": paywall.trigger, "banner": paywall.banner, "paywall": paywall.members,
    ]
    error.quietDescription = paywall.banner
    return error
  }

  static func outputLost(_ loss: StandardStream.Loss) -> CommandError {
    var error = CommandError(
      .outputLost, "Standard output could not be written: \(loss.reason).")
    error.loss = loss
    return error
  }

  static func tooFewFiles(needed: Int) -> CommandError {
    CommandError(
      .failed,
      "Too few files may be open: this command needs \(needed) besides those that are. Raise "
        + "`ulimit -n`.")
  }

  static func tooFewThreads(needed: Int) -> CommandError {
    CommandError(
      .failed,
      "Too few threads may be started: this command needs \(NumberWords.counted(needed, "thread")). "
        + "Raise `ulimit -u` (processes and threads), `ulimit -v` (memory), or the container's "
        + "--pids-limit.")
  }

  /// The error without `/proc`, which threads need.
  static var noProcessFiles: CommandError {
    CommandError(
      .failed,
      "There is no /proc, from which the program reads its arguments. Mount it: 'mount -t proc "
        + "proc /proc'.")
  }

  static var emptyName: CommandError {
    CommandError(.usage, "The search text is empty: give part of a name.")
  }

  /// Returns the error for a name that is neither a table nor a view; suggests the closest one.
  static func noSuchTable(_ name: String, known: [String]) -> CommandError {
    CommandError(
      .usage,
      "There is no table '\(name)'.\(ClosestName.hint(for: name, among: known)) "
        + "`firetally schema` lists tables, views and relations.")
  }

  /// Returns the error for the name of a relation, which exists only in reports: docs/relations.md.
  static func relation(_ name: String) -> CommandError {
    CommandError(
      .usage,
      "'\(name)' is a relation of the report: `firetally sql` reads it, and `firetally export "
        + "--relations FILE` writes it with all others.")
  }

  /// Returns the error of a refused or interrupted query, with its position and its line; see
  /// `docs/sql.md#errors`.
  ///
  /// `path` is the query's file, nil for the command line; `tables` are names to suggest.
  static func query(
    _ problem: QueryProblem, _ sql: String, path: String?, tables: [String],
    columns: [String] = []
  ) -> CommandError {
    let place = problem.place(in: sql)
    let name = path.map(QueryFile.name)
    var error = CommandError(
      problem.status(isInFile: path != nil),
      QueryExcerpt(
        problem: problem, place: place, file: name, tables: tables, columns: columns
      ).text)
    error.members = ["file": name, "line": place?.line, "column": place?.column]
    return error
  }
}

/// Ends the program with a status; the reason is already printed.
struct StatusOnly: Error {
  let status: ExitStatus
}

/// The exit status of the program; `docs/commands.md#exit-codes` lists them.
enum ExitStatus: Int32, CaseIterable {
  case ok = 0
  case failed = 1
  /// Done, but documents, lines or items were left out.
  case partial = 3
  case usage = 64
  /// Bad data or a bad job file.
  case badData = 65
  /// The snapshot of a plan of shards is too old.
  case snapshotGone = 66
  case remoteUnavailable = 69
  /// Standard output could not be written.
  case outputLost = 74
  /// Try later: a limit, a lock, a quota, a read budget.
  case tryLater = 75
  case notAuthorised = 77
  case configuration = 78
  case interrupted = 130
}

extension CommandError {
  /// Returns the error of a permanent removal that nobody can confirm, without a terminal.
  static func unconfirmed(_ statement: String, hasDryRun: Bool = true) -> CommandError {
    CommandError(
      .usage,
      "\(statement) Nobody is here to confirm that: give --yes"
        + (hasDryRun ? ", or look first with --dry-run." : "."))
  }
}
