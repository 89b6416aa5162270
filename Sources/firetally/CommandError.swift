import Firestore
import Jobs
import Model

/// What a command itself has to object.
enum CommandError: Error {
  /// The limit of a feature forbids it; the text is the popup's.
  case blocked(LimitCheck, Run? = nil)
  /// The profile is shown no popup that could be closed or tapped on; the reason is the decision's.
  case noPopup(feature: Feature, reason: String)
  /// A profile that is to be made is there already.
  case profileExists(name: String)
  case noSuchUser(id: String)
  case noSuchRun(id: Int64)
  /// Firestore holds no such document; the hint is the end of the sentence.
  case noSuchDocument(path: String, hint: String)
  /// A person who is to be erased is nowhere.
  case nobodyToErase(id: String)
  /// What removes data for good was not confirmed, and nobody is there to ask.
  case needsConfirmation(statement: String, hasDryRun: Bool = true)
  /// No line of the file could be used; each was reported or counted before.
  case noGoodLine(file: String, lines: Int)
  /// Standard output took no more, as on a full disk.
  case outputLost(StandardStream.Loss)
  /// The process may open fewer files than the command takes.
  case tooFewFiles(needed: Int)
  /// There is no `/proc`, which threads need.
  case noProcessFiles
  /// The demo would overwrite what belongs to a real project; nil for data that names none.
  case workspaceInUse(path: String, project: String?)
  /// The workspace's data is of one project, the command is about another.
  case nothingToRun
  /// The pages were written, and the desktop did not open them.
  case notOpened(path: String, reason: String)
  /// The feedback or the stars of a rating are not as they must be.
  case badRating(String)
  /// A rating comes with feedback that it does not take.
  case unwantedFeedback(String)
  /// A limit of moments that is reached forbids another one.
  case blockedMoment(Paywall)
  /// The text of a moment is not as it must be.
  case badMoment(String)
  /// The criteria make no sense; one sentence a line.
  case badFilter(String)
  case emptyText(what: String)
  case noUsers
  /// The question was not answered with yes.
  case notConfirmed
  /// A word of the command line is no command or no option; one sentence says which and what was
  /// meant.
  case wrongWord(String)

  var status: ExitStatus {
    switch self {
    case .blocked, .blockedMoment: .tryLater
    case .noSuchUser, .noSuchDocument, .nobodyToErase, .noUsers, .notConfirmed, .notOpened,
      .tooFewFiles, .noProcessFiles:
      .failed
    case .outputLost: .outputLost
    case .noGoodLine, .unwantedFeedback: .badData
    case .workspaceInUse: .configuration
    case .nothingToRun, .badRating, .badMoment, .noPopup, .profileExists, .badFilter, .emptyText,
      .needsConfirmation, .wrongWord, .noSuchRun:
      .usage
    }
  }
}

extension CommandError: CustomStringConvertible {
  var description: String {
    switch self {
    case .blocked(let answer, _): PopupText.block(answer)
    case .noPopup(let feature, let reason):
      "No \(feature.rawValue) popup is open for this profile. \(reason)"
    case .profileExists(let name):
      "The profile '\(name)' exists already. Change it with `firetally profile set --profile \(name)`."
    case .noSuchUser(let id):
      "There is no user '\(id)' in the local copy. See `firetally users list`, or fetch with "
        + "`firetally refresh`."
    case .noSuchRun(let id):
      "There is no run \(id) in this workspace. `firetally runs` lists the ids."
    case .noSuchDocument(let path, let hint): "There is no document \(path)\(hint)."
    case .nobodyToErase(let id):
      "Nothing is held about '\(id)', so nothing was erased. Give the whole id of a user, in the "
        + "same case: `firetally search NAME` shows ids."
    case .needsConfirmation(let statement, let hasDryRun):
      "\(statement) Nobody is here to confirm that: give --yes"
        + (hasDryRun ? ", or look first with --dry-run." : ".")
    case .noGoodLine(let file, let lines):
      "\(file): none of its \(lines) lines could be used. The reasons are above."
    case .outputLost(let loss):
      "Standard output could not be written: \(loss.reason)."
    case .tooFewFiles(let needed):
      "Too few files may be open: this command needs \(needed) besides those that are. Raise "
        + "'ulimit -n'."
    case .noProcessFiles:
      "There is no /proc, from which the program reads its arguments. Mount it: 'mount -t proc proc "
        + "/proc'."
    case .workspaceInUse(let path, let project):
      "\(path) belongs to \(project.map { "the project '\($0)'" } ?? "you"), and a demo would "
        + "replace what it holds. "
        + "Choose another folder with --into."
    case .notOpened(let path, let reason):
      "The page was written but could not be opened: \(reason) Open \(path) in a browser."
    case .nothingToRun:
      "Name the jobs to run, or give --all or --due. `firetally jobs` lists them."
    case .badRating(let text), .badMoment(let text), .badFilter(let text),
      .unwantedFeedback(let text), .wrongWord(let text):
      text
    case .blockedMoment(let paywall): PaywallText.block(paywall)
    case .emptyText(let what):
      "The search text is empty: give \(what)."
    case .notConfirmed: "Nothing was changed."
    case .noUsers:
      "The local copy has no users yet. Fetch them with `firetally run --all` or "
        + "`firetally refresh`."
    }
  }
}

extension CommandError {
  /// What a program reads beside the sentence.
  var members: JSONObject {
    switch self {
    case .blocked(let answer, _): answer.members
    case .blockedMoment(let paywall):
      [
        "trigger": paywall.trigger.rawValue, "banner": paywall.banner, "paywall": paywall.members,
      ]
    default: [:]
    }
  }
}

extension Paywall {
  fileprivate var members: JSONObject {
    [
      "trigger": trigger.rawValue, "banner": banner, "serverMessage": serverMessage,
      "header": header, "premiumDescription": premiumDescription,
      "freeDescription": freeDescription, "benefits": benefits,
    ]
  }
}
