import Model
import Workspace

/// The values in a new workspace's files: its project, folder, app, program and user.
package struct TemplateValues: Hashable, Sendable {
  package var project: String
  /// The app's name; nil for the example's, or for the project's in a plain workspace.
  package var app: String?
  /// The app's bundle id; nil for the same defaults.
  package var bundleId: String?
  /// The folder of the installed manual; the default is that of the project's own repository.
  package var manual = "docs"
  /// The absolute path of the workspace.
  package var folder: String
  /// The program's absolute path; nil when it is unknown.
  package var program: String?
  /// The owner of the crontab; nil when unknown.
  package var user: String?
  /// The target of incident messages, as in `notify`; nil leaves them to cron's mail.
  package var notify: String?

  /// The values of the project's own repository.
  package static let example = TemplateValues(project: "demo", folder: "/srv/firetally")

  /// The example's app, whose values `doctor` looks for in workspaces of other projects.
  static let exampleApp = (name: "ChatHub", bundleId: "com.peppty.ChatApp")
}

/// The values as they are written in the files.
extension TemplateValues {
  /// Returns a text as YAML, quoted if it could be read as another type.
  static func yaml(_ text: String) -> String {
    let words = ["true", "false", "null", "yes", "no", "on", "off"]
    let isPlain =
      text.first?.isLetter == true && !words.contains(text.lowercased())
      && text.isWord(with: "-.")
    return isPlain ? text : quoted(text)
  }

  /// Returns the app's name, and a separate name for keys if the app's name cannot be in one:
  /// docs/ratings.md#names-in-keys.
  func nameLines(_ name: String) -> String {
    let line = "name: \(Self.yaml(name))"
    guard RatingKeyName.shortened(name) == nil else { return line }
    let word = bundleId?.split(separator: ".").last.flatMap { RatingKeyName.shortened("\($0)") }
    return line + "\n  # The name in the keys of ratings:\n  key_name: \(word ?? "App")"
  }

  /// The `notify` line of `firetally.yml`; a comment when there is no target.
  var notifyLine: String {
    notify.map { "notify: \(Self.quoted($0))" } ?? "# notify: mail:you@example.com"
  }

  /// Returns a line as YAML without variables: docs/configuration.md#variables.
  private static func quoted(_ text: String) -> String {
    "'\(text.replacingScalars("'", with: "''").replacingScalars("${", with: "$${"))'"
  }

  /// cron's short PATH, with the program's folder first.
  var cronPath: String {
    let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    guard let folder = programFolder, !folders.contains(folder) else {
      return folders.joined(separator: ":")
    }
    return ([folder] + folders).joined(separator: ":")
  }

  /// The program's name in the lines of a crontab.
  var programName: String {
    // A per cent sign would end the command.
    program?.split(separator: "/").last
      .map { ShellWord.quoted(String($0)).replacingScalars("%", with: "\\%") } ?? "firetally"
  }

  /// Returns the value of a crontab variable, which has no escapes; nil when it cannot be written.
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
