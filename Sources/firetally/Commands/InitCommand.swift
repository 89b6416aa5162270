import ArgumentParser
import Foundation
import Jobs

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a workspace: firetally.yml, job files, cron.example and schemas for editors.",
    discussion: """
      Existing files are kept. --project, or GOOGLE_CLOUD_PROJECT, is written to firetally.yml; \
      cron.example names the folder, the program and the user. With --systemd the folder systemd/ \
      gets a service and a timer for each job file that has a schedule, written anew each time.

      --plain leaves out the jobs of the app ChatHub, for a workspace of any other project; \
      `firetally inspect --write` drafts its jobs.
      """,
    examples: [
      "firetally init /srv/chathub --project chathub-prod",
      "firetally init /srv/shop --project shop-prod --plain",
      "firetally init /srv/chathub --systemd",
      "firetally init /srv/mailed --notify mail:ops@example.com",
    ])

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The folder. Default: the one that -C names.")
  var folder: String?

  @Option(
    help: ArgumentHelp(
      "Whom to tell what goes wrong: https://…, mail:ADDRESS or a command. Default: cron mails it.",
      valueName: "where"))
  var notify: String?

  @Flag(help: "Write no jobs of the app ChatHub: only backups and checks of the database.")
  var plain = false

  @Flag(help: "Write systemd units, too: a service, and a timer for each job.")
  var systemd = false

  func run() throws {
    let invocation = Invocation(global)
    let workspace = Workspace(
      root: folder ?? global.workspace, variables: invocation.environment)
    let project = try project(invocation.environment)
    var place = TemplateValues.here(of: workspace, project: project)
    place.notify = notify
    var outcomes = try WorkspaceTemplate.write(to: workspace, for: place, isPlain: plain)
    if systemd { outcomes += try SystemdUnits.write(to: workspace, for: place) }
    let output = invocation.output
    try warnOfOtherProject(project, in: workspace, outcomes, invocation.log)
    try warnOfOtherNotify(in: workspace, outcomes, invocation.log)
    for outcome in outcomes {
      try output.remark(
        "\(outcome.wasWritten ? "wrote " : "kept  ") \(outcome.path)",
        json: ["message_type": "file", "path": outcome.path, "written": outcome.wasWritten])
    }
    output.remark(next(workspace, isNamed: project != nil))
    if systemd {
      output.remark("To have systemd run the jobs, in \(place.folder):")
      for line in SystemdUnits.installation(of: place) { output.remark("  \(line)") }
    }
  }

  /// What to do next, as a sentence.
  private func next(_ workspace: Workspace, isNamed: Bool) -> String {
    let command = "firetally -C \(workspace.root)"
    let names = [isNamed ? nil : "project", plain ? nil : "app"].compactMap(\.self)
    let then = plain ? "`\(command) inspect --write`" : "`\(command) run --all`"
    guard !names.isEmpty else { return "Next: \(then)." }
    return "Next: name your \(names.joined(separator: " and ")) in "
      + "\(workspace.configurationPath), then \(then)."
  }

  func validate() throws {
    if let notify, NotifyTarget(notify) == nil {
      throw ValidationError("--notify takes https://…, mail:you@example.com or a command.")
    }
    guard let project = global.project, !Self.isProject(project) else { return }
    throw Self.refusal(of: project)
  }

  /// The project that the option names, else the environment; nil for none.
  private func project(_ environment: [String: String]) throws -> String? {
    guard global.project == nil, let named = environment["GOOGLE_CLOUD_PROJECT"], !named.isEmpty
    else { return global.project }
    guard Self.isProject(named) else { throw Self.refusal(of: named) }
    return named
  }

  private static func refusal(of project: String) -> ValidationError {
    ValidationError(
      "'\(project.prefix(60))' is not a project id; use letters, digits and hyphens.")
  }

  /// Letters, digits, hyphens, and the dot and colon of projects of a domain.
  private static func isProject(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
          || "-.:_".utf8.contains(byte)
      }
  }

  private func warnOfOtherNotify(
    in workspace: Workspace, _ outcomes: [WorkspaceTemplate.Outcome], _ log: LineLog
  ) throws {
    let name = WorkspaceConfig.fileName
    guard let notify, outcomes.contains(where: { $0.path == name && !$0.wasWritten }),
      try workspace.config().notify != NotifyTarget(notify)
    else { return }
    log.warning("\(name) exists, so --notify was not written. Set notify in it.")
  }

  /// A project that was asked for and not written is no silent matter.
  private func warnOfOtherProject(
    _ project: String?, in workspace: Workspace, _ outcomes: [WorkspaceTemplate.Outcome],
    _ log: LineLog
  ) throws {
    let name = WorkspaceConfig.fileName
    guard let asked = project,
      outcomes.contains(where: { $0.path == name && !$0.wasWritten })
    else { return }
    let stored = try workspace.config().firestore.project
    guard stored != asked else { return }
    log.warning(
      "\(name) exists and names \(stored.map { "the project '\($0)'" } ?? "no project"); "
        + "'\(asked)' was not written. Change firestore.project in it.")
  }
}

extension TemplateValues {
  /// The workspace as this process sees it; nil means the template's own project.
  static func here(of workspace: Workspace, project: String?) -> TemplateValues {
    TemplateValues(
      project: project ?? TemplateValues.example.project,
      folder: URL(fileURLWithPath: workspace.root).standardizedFileURL.path,
      program: runningProgram, user: userName)
  }

  /// The program's own path, with links resolved where the system tells it.
  private static var runningProgram: String? {
    do {
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    } catch {
      // Without /proc the path that it was started by has to do, when it is one.
      let start = ProgramProcess.current.arguments.first ?? ""
      return start.contains("/") ? URL(fileURLWithPath: start).standardizedFileURL.path : nil
    }
  }

  private static var userName: String? {
    guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return nil }
    return String(cString: name)
  }
}
