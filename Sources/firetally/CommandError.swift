import Model

/// What a command itself has to object.
enum CommandError: Error {
  /// A limit forbids it; the text is the popup's.
  case blocked(String)
  /// The profile is shown no popup that could be closed or tapped on; the reason is the decision's.
  case noPopup(feature: Feature, reason: String)
  /// A profile that is to be made is there already.
  case profileExists(name: String)
  case noSuchUser(id: String)
  /// Not one line of the file could be used; each was told before, or counted.
  case noGoodLine(file: String, lines: Int)
  /// Standard output took no more, as on a full disk.
  case outputLost(reason: String)
  /// The demo would overwrite what belongs to a real project; nil for data that names none.
  case workspaceInUse(path: String, project: String?)
  /// The workspace's data is of one project, the command is about another.
  case otherProject(path: String, stored: String, asked: String)
  case nothingToRun
  /// The pages were written, and the desktop did not open them.
  case notOpened(path: String, reason: String)
  /// The feedback or the stars of a rating are not as they must be.
  case badRating(String)
  /// The text of a moment is not as it must be.
  case badMoment(String)
  /// The criteria make no sense; one sentence a line.
  case badFilter(String)
  case emptyText(what: String)
  case noUsers

  var status: ExitStatus {
    switch self {
    case .blocked: .tryLater
    case .noSuchUser, .noUsers, .outputLost, .notOpened: .failed
    case .noGoodLine: .badData
    case .workspaceInUse, .otherProject: .configuration
    case .nothingToRun, .badRating, .badMoment, .noPopup, .profileExists, .badFilter, .emptyText:
      .usage
    }
  }
}

extension CommandError: CustomStringConvertible {
  var description: String {
    switch self {
    case .blocked(let text): text
    case .noPopup(let feature, let reason):
      "The profile is shown no popup for \(feature.rawValue), so there is none to act on. \(reason)"
    case .profileExists(let name):
      "There is a profile '\(name)' already. Change it with `firetally profile set --profile \(name)`."
    case .noSuchUser(let id):
      "There is no user '\(id)' in the local copy. See `firetally users list`, or fetch with "
        + "`firetally refresh`."
    case .noGoodLine(let file, let lines):
      "\(file) has no line that could be used, and \(lines) that could not. See the reasons above."
    case .outputLost(let reason):
      "Not everything could be printed: \(reason) What was stored stays."
    case .workspaceInUse(let path, let project):
      "\(path) holds data of \(project.map { "the project '\($0)'" } ?? "your own"), which a demo "
        + "would replace. "
        + "Choose another folder with --into."
    case .otherProject(let path, let stored, let asked):
      "\(path) holds data of the project '\(stored)', and this command is about '\(asked)'. "
        + "Use another workspace, or move \(path) away to begin anew."
    case .notOpened(let path, let reason):
      "The page is written, but could not be opened: \(reason) Open \(path) in a browser."
    case .nothingToRun:
      "Name the jobs to run, or give --all or --due. `firetally jobs` lists them."
    case .badRating(let text), .badMoment(let text), .badFilter(let text): text
    case .emptyText(let what):
      "There is nothing to look for: give \(what)."
    case .noUsers:
      "There are no users in the local copy yet. Fetch them with `firetally run --all` or "
        + "`firetally refresh`."
    }
  }
}
