import ArgumentParser
import Foundation
import Jobs
import Model
import Operations
import Reports
import Workspace

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a workspace: firetally.yml, job files, cron.example and schemas for editors.",
    discussion: """
      Keeps existing files. Writes --project (or GOOGLE_CLOUD_PROJECT), --app and --bundle-id into \
      firetally.yml; without them the app is an example, ChatHub. cron.example names the folder, \
      the program and the user. With --systemd it also writes (or rewrites) the folder systemd/: \
      a service, and a timer for each job file that has a schedule.

      --plain leaves out the jobs of an app with users, settings and feedback, for any other \
      project; `firetally inspect --write` drafts its jobs.
      """,
    examples: [
      "firetally init /srv/a --project chat-1 --app Chat --bundle-id com.a.chat",
      "firetally init /srv/shop --project shop-prod --plain",
      "firetally init /srv/chat --systemd",
      "firetally init /srv/mailed --notify mail:ops@example.com",
    ])

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The folder. Default: the one that -C names.")
  var folder: String?

  @Option(help: "The app's name, as popups and reports write it.")
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The app's bundle id. It names the app's settings and feedback.", valueName: "id"))
  var bundleId: String?

  @Option(
    help: ArgumentHelp(
      "Who gets messages about problems: https://…, mail:ADDRESS or a command. Default: cron's mail.",
      valueName: "where"))
  var notify: String?

  @Flag(help: "Write no jobs of an app: only backups and checks of the database.")
  var plain = false

  @Flag(help: "Write systemd units, too: a service, and a timer for each job.")
  var systemd = false

  func run() throws {
    let invocation = Invocation(global)
    let workspace = Workspace(
      root: folder ?? global.workspace, variables: invocation.environment)
    let project = try project(invocation.environment)
    var place = TemplateValues.here(of: workspace, project: project)
    place.notify = try whomToNotify(workspace, invocation.output)
    (place.app, place.bundleId) = (app, bundleId)
    var outcomes = try WorkspaceTemplate.write(to: workspace, for: place, isPlain: plain)
    if systemd { outcomes += try SystemdUnits.write(to: workspace, for: place) }
    let output = invocation.output
    for outcome in outcomes {
      try output.remark(
        "\(outcome.wasWritten ? "wrote " : "kept  ") \(outcome.path)",
        json: ["message_type": "file", "path": outcome.path, "written": outcome.wasWritten])
    }
    try warnOfOthers(project, in: workspace, outcomes, invocation.log)
    output.remark(next(workspace, isNamed: project != nil))
    if systemd {
      output.remark("To have systemd run the jobs, in \(place.folder):")
      for line in SystemdUnits.installation(of: place) { output.remark("  \(line)") }
    }
  }

  /// Returns the next step, as a sentence.
  private func next(_ workspace: Workspace, isNamed: Bool) -> String {
    let command = "firetally -C \(workspace.root)"
    let names = [isNamed ? nil : "project", plain || app != nil ? nil : "app"].compactMap(\.self)
    let then =
      "`\(command) doctor`, which says what is missing, then "
      + (plain ? "`\(command) inspect --write`." : "`\(command) run --all`.")
    guard !names.isEmpty else { return "Next: \(then)" }
    return "Next: name your \(names.joined(separator: " and ")) in "
      + "\(workspace.configurationPath). Then \(then)"
  }

  func validate() throws {
    if let notify, !Self.isNotify(notify) {
      throw ValidationError(
        "--notify takes https://…, mail:you@example.com or a command, in one line.")
    }
    if let project = global.project, !Self.isProject(project) { throw Self.refusal(of: project) }
    guard plain || (app == nil) == (bundleId == nil) else {
      throw ValidationError("Give --app and --bundle-id together: both are the app's own.")
    }
    if let app, app.isEmpty || VisibleText.line(app) != app {
      throw ValidationError("--app takes a name in one line.")
    }
    if let bundleId, !AppConfig.isBundleId(bundleId) {
      throw ValidationError("--bundle-id takes \(AppConfig.bundleIdWanted).")
    }
  }

  private static func isNotify(_ text: String) -> Bool {
    text.contains { !$0.isWhitespace } && VisibleText.line(text) == text
      && NotifyTarget(text) != nil
  }

  /// Returns the target of messages: from the option, else from the answer of a person who creates
  /// a workspace; nil for none.
  private func whomToNotify(_ workspace: Workspace, _ output: Output) throws -> String? {
    guard notify == nil, output.isTerminal, isatty(STDIN_FILENO) == 1, !output.isQuiet,
      !output.isJSON, access(workspace.configurationPath, F_OK) != 0
    else { return notify }
    output.print(
      "Who gets messages about problems? https://…, mail:you@example.com or a command. "
        + "An empty line leaves it to cron's mail:")
    let answer = (readLine() ?? "").trimmingCharacters(in: .whitespaces)
    guard !answer.isEmpty else { return nil }
    guard Self.isNotify(answer) else {
      throw CommandError(
        .usage,
        "'\(VisibleText.clipped(answer, to: 60))' is no https://…, mail:you@example.com or "
          + "command. Nothing was written; answer again, or give --notify.")
    }
    return answer
  }

  /// Returns the project in the option, else in the environment; nil for none.
  private func project(_ environment: [String: String]) throws -> String? {
    guard global.project == nil, let named = environment["GOOGLE_CLOUD_PROJECT"], !named.isEmpty
    else { return global.project }
    guard Self.isProject(named) else { throw Self.refusal(of: named) }
    return named
  }

  private static func refusal(of project: String) -> ValidationError {
    ValidationError(
      "'\(project.prefix(60))' is not a project id; use small letters, digits and hyphens.")
  }

  private static func isProject(_ text: String) -> Bool {
    !text.isEmpty && FirestoreConfig.isProject(text)
  }

  /// Warns about requested values that were not written, because `firetally.yml` already exists.
  private func warnOfOthers(
    _ project: String?, in workspace: Workspace, _ outcomes: [WorkspaceTemplate.Outcome],
    _ log: LineLog
  ) throws {
    let name = WorkspaceConfig.fileName
    let asked = [project, app, bundleId]
    guard (asked + [notify]).contains(where: { $0 != nil }),
      outcomes.contains(where: { $0.path == name && !$0.wasWritten })
    else { return }
    let config = try workspace.config()
    let stored = [config.firestore.project, config.app.name, config.app.bundleId]
    let keys = ["firestore.project", "app.name", "app.bundle_id"]
    for (key, (asked, stored)) in zip(keys, zip(asked, stored)) {
      guard let asked, asked != stored else { continue }
      log.warning(
        "\(name) exists and has \(stored.map { "'\($0)'" } ?? "nothing") as \(key); '\(asked)' was "
          + "not written. Change it there.")
    }
    if let notify, config.notify != NotifyTarget(notify) {
      log.warning("\(name) exists, so --notify was not written. Set notify in it.")
    }
  }
}

extension TemplateValues {
  /// Returns the values of this process for the workspace; a nil project means the template's own.
  static func here(of workspace: Workspace, project: String?) -> TemplateValues {
    var place = TemplateValues.example
    place.project = project ?? place.project
    place.folder = workspace.absoluteRoot
    (place.program, place.user) = (runningProgram, userName)
    if let manual = place.program.flatMap(installedManual) { place.manual = manual }
    return place
  }

  /// Returns the manual that `make install` or the package installed with a program; nil when there
  /// is none.
  private static func installedManual(with program: String) -> String? {
    let prefix = URL(filePath: program).deletingLastPathComponent().deletingLastPathComponent()
    let folder = prefix.appending(path: "share/doc/firetally/docs").path
    return FileManager.default.fileExists(atPath: folder + "/jobs.md") ? folder : nil
  }

  /// The absolute path of the running program, with links resolved if possible.
  private static var runningProgram: String? {
    do {
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    } catch {
      // Without /proc, the path that the program was started with is used, if it is one.
      let start = ProgramProcess.current.arguments.first ?? ""
      return start.contains("/") ? URL(fileURLWithPath: start).standardizedFileURL.path : nil
    }
  }

  private static var userName: String? {
    guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return nil }
    return String(cString: name)
  }
}
