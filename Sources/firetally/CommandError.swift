import App
import Jobs
import Model
import Reports

/// An error of a command itself: a sentence, and the exit status.
struct CommandError: Error, CustomStringConvertible {
  let status: ExitStatus
  let description: String
  /// What a program reads beside the sentence.
  private(set) var members: JSONObject = [:]
  private(set) var run: Run?
  /// What `--quiet` says instead of a popup.
  private(set) var quietDescription: String?
  /// Set when standard output took no more, as on a full disk.
  private(set) var loss: StandardStream.Loss?

  init(_ status: ExitStatus, _ description: String) {
    (self.status, self.description) = (status, description)
  }
}

/// Those that several commands have.
extension CommandError {
  /// The limit of a feature forbids it; the text is the popup's.
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

  /// There is no `/proc`, which threads need.
  static var noProcessFiles: CommandError {
    CommandError(
      .failed,
      "There is no /proc, from which the program reads its arguments. Mount it: 'mount -t proc "
        + "proc /proc'.")
  }

  static var emptyName: CommandError {
    CommandError(.usage, "The search text is empty: give part of a name.")
  }

  /// Neither a table nor a view has the name; suggests the closest one.
  static func noSuchTable(_ name: String, known: [String]) -> CommandError {
    CommandError(
      .usage,
      "There is no table '\(name)'.\(ClosestName.hint(for: name, among: known)) "
        + "`firetally schema` lists tables, views and relations.")
  }

  /// What is made for each report has the name: docs/relations.md.
  static func relation(_ name: String) -> CommandError {
    CommandError(
      .usage,
      "'\(name)' is a relation of the report: `firetally sql` reads it, and `firetally export "
        + "--relations FILE` writes it with all others.")
  }

  /// A query that was refused or ended, with its place and the line of SQL; see
  /// `docs/sql.md#errors`.
  ///
  /// `path` is its file, nil for the command line; `tables` are the names that may have been meant.
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

/// Ends the program with a status whose reason was printed already.
struct StatusOnly: Error {
  let status: ExitStatus
}

/// What the program ends with; `docs/commands.md#exit-codes` lists them.
enum ExitStatus: Int32, CaseIterable {
  case ok = 0
  case failed = 1
  /// Done, with documents, lines or items left out.
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
  /// What removes data for good was not confirmed, and nobody is there to ask.
  static func unconfirmed(_ statement: String, hasDryRun: Bool = true) -> CommandError {
    CommandError(
      .usage,
      "\(statement) Nobody is here to confirm that: give --yes"
        + (hasDryRun ? ", or look first with --dry-run." : "."))
  }
}
