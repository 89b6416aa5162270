import Model
import Workspace

/// What the files of a new workspace name: its project, its folder, and who runs what in it.
package struct TemplateValues: Hashable, Sendable {
  package var project: String
  /// The app's name; nil for that of the example, or of the project in a plain workspace.
  package var app: String?
  /// The app's bundle id; nil likewise.
  package var bundleId: String?
  /// The folder of the installed manual; that of the project's own repository unless it is known.
  package var manual = "docs"
  /// Absolute.
  package var folder: String
  /// The program's absolute path; nil when it is unknown.
  package var program: String?
  /// The user whose crontab it is; nil when it is unknown.
  package var user: String?
  /// Whom to tell of incidents, as `notify` takes it; nil leaves that to cron's mail.
  package var notify: String?

  /// What the project's own repository names.
  package static let example = TemplateValues(project: "demo", folder: "/srv/firetally")

  /// The example's app, whose values `doctor` looks for in workspaces of other projects.
  static let exampleApp = (name: "ChatHub", bundleId: "com.peppty.ChatApp")
}

/// The values as the files write them.
extension TemplateValues {
  /// A text as YAML; quoted where it could be read as anything but text.
  static func yaml(_ text: String) -> String {
    let words = ["true", "false", "null", "yes", "no", "on", "off"]
    let isPlain =
      text.first?.isLetter == true && !words.contains(text.lowercased())
      && text.isWord(with: "-.")
    return isPlain ? text : quoted(text)
  }

  /// The app's name, and a name for keys where nothing of it can be in one:
  /// docs/ratings.md#names-in-keys.
  func nameLines(_ name: String) -> String {
    let line = "name: \(Self.yaml(name))"
    guard RatingKeyName.shortened(name) == nil else { return line }
    let word = bundleId?.split(separator: ".").last.flatMap { RatingKeyName.shortened("\($0)") }
    return line + "\n  # The name in the keys of ratings:\n  key_name: \(word ?? "App")"
  }

  /// The line of `firetally.yml` that says whom to tell; a comment where nobody is named.
  var notifyLine: String {
    notify.map { "notify: \(Self.quoted($0))" } ?? "# notify: mail:you@example.com"
  }

  /// A line as YAML that is no variable either: docs/configuration.md#variables.
  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "''").replacing("${", with: "$${"))'"
  }

  /// cron's short PATH, with the program's folder first.
  var cronPath: String {
    let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    guard let folder = programFolder, !folders.contains(folder) else {
      return folders.joined(separator: ":")
    }
    return ([folder] + folders).joined(separator: ":")
  }

  /// What the lines of a crontab call the program.
  var programName: String {
    // A per cent sign would end the command.
    program?.split(separator: "/").last
      .map { ShellWord.quoted(String($0)).replacing("%", with: "\\%") } ?? "firetally"
  }

  /// The value of a variable of a crontab, in which nothing can be escaped; nil for one that has no
  /// form.
  static func cronValue(_ text: String) -> String? {
    guard !text.contains(where: \.isNewline) else { return nil }
    if text.isWord(with: "/._-+:@") { return text }
    if !text.contains("\"") { return "\"\(text)\"" }
    return text.contains("'") ? nil : "'\(text)'"
  }

  private var programFolder: String? {
    program.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
  }
}
