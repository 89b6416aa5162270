import Foundation
import Jobs
import Model
import Workspace

/// The lines of a crontab or a systemd unit that start jobs of one workspace.
struct ScheduleLines: Hashable {
  /// The lines that run Firetally, without comments and lines about other workspaces.
  let lines: [String]
  /// The recipient of the lines' output, from `MAILTO`; nil when the output goes to a file or
  /// nobody.
  let mailReader: String?

  /// Reads a crontab that is only about this workspace, whichever folder it names.
  init(ofExample text: String) {
    lines = Self.active(text).filter { Self.words(of: $0).contains("run") }
    mailReader = nil
  }

  /// Reads a crontab or a unit; `folders` are the spellings of the workspace's folder.
  init(_ text: String, folders: [String]) {
    let active = Self.active(text)
    let naming = active.filter { line in folders.contains { Self.names($0, in: line) } }
    let namesWorkspace = !naming.isEmpty
    // A variable such as `WORKSPACE=/srv/app`, which other lines use.
    let variables = naming.compactMap(Self.variable)
    let isWide = variables.contains("FIRETALLY_WORKSPACE")
    lines = active.filter { line in
      guard Self.words(of: line).contains("run") else { return false }
      let isNamed = naming.contains(line) || variables.contains { Self.uses($0, in: line) }
      // A unit names the folder on another line, such as `WorkingDirectory=`.
      return isNamed || isWide || (namesWorkspace && line.hasPrefix("ExecStart="))
    }
    let reader = active.last { $0.hasPrefix("MAILTO") }?
      .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).last
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"' ")) }
    let isHeard = lines.allSatisfy { !$0.contains("2>") || $0.contains("2>&1 |") }
    mailReader = isHeard && reader != "" ? reader ?? "its user" : nil
  }

  /// Returns the lines without comments.
  private static func active(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.hasPrefix("#") }
  }

  func runs(_ job: String) -> Bool { runsByItself(job) || runsWhatIsDue }

  /// Whether a line runs the job at its own times, instead of the job's schedule.
  func runsByItself(_ job: String) -> Bool {
    lines.map(Self.words).contains { words in
      !words.contains("--due") && (words.contains(job) || words.contains("--all"))
    }
  }

  var runsWhatIsDue: Bool { lines.contains { Self.words(of: $0).contains("--due") } }

  /// Returns the times of crontab lines that name the job; none for other lines.
  func schedules(of job: String) -> [CronSchedule] {
    lines.filter { Self.words(of: $0).contains(job) }.compactMap { line in
      let fields = line.split { $0.isWhitespace }
      let count = line.hasPrefix("@") ? 1 : 5
      do {
        return try CronSchedule(parsing: fields.prefix(count).joined(separator: " "))
      } catch {
        // A line of a unit, or times that only cron understands, such as @reboot.
        return nil
      }
    }
  }

  /// Splits a line into words; quotes and command separators end a word, too.
  private static func words(of line: String) -> Set<String> {
    Set(
      line.split { $0.isWhitespace || "\"';&|()".contains($0) }.map(String.init))
  }

  /// Whether the line contains the folder as a whole path, not as the beginning of another one.
  private static func names(_ folder: String, in line: String) -> Bool {
    var rest = line[...]
    while let range = rest.range(of: folder) {
      let next = rest[range.upperBound...].first
      let isWhole = next.map { !$0.isLetter && !$0.isNumber && !"-_.".contains($0) } ?? true
      let before = rest[..<range.lowerBound].last
      if isWhole, before.map({ !$0.isLetter && !$0.isNumber && $0 != "/" }) ?? true { return true }
      rest = rest[range.upperBound...]
    }
    return false
  }

  /// Returns the name in `NAME=value`; nil for other lines.
  private static func variable(_ line: String) -> String? {
    let name = line.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces)
    let isName =
      !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName && name.count < line.count ? name : nil
  }

  private static func uses(_ variable: String, in line: String) -> Bool {
    line.contains("${\(variable)}")
      || line.matches(of: /\$(\w+)/).contains { $0.output.1 == variable }
  }
}

/// The crontabs and timers that start a workspace's jobs, as far as this user can see them.
struct InstalledSchedule {
  /// A timer that starts a service of the workspace.
  struct Timer: Hashable {
    let unit: String
    /// False when systemd reports the timer as inactive; true also when its state is unknown.
    let isActive: Bool
    let isUser: Bool
  }

  private(set) var crontabs: [ScheduleLines] = []
  private(set) var services: [ScheduleLines] = []
  private(set) var timers: [Timer] = []

  private static let systemFolders = [
    "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system",
  ]

  init(of workspace: Workspace, on machine: DoctorMachine) async {
    let folders = Self.names(of: workspace)
    let cronFiles = ["/etc/crontab"] + machine.names("/etc/cron.d").map { "/etc/cron.d/\($0)" }
    let own = await machine.output("crontab -l 2>/dev/null")
    crontabs = ([own] + cronFiles.map(machine.text)).compactMap(\.self)
      .map { ScheduleLines($0, folders: folders) }.filter { !$0.lines.isEmpty }
    let userFolders =
      ["/etc/systemd/user"] + [machine.home].compactMap { $0.map { "\($0)/.config/systemd/user" } }
    await addUnits(in: Self.systemFolders, isUser: false, folders, machine)
    await addUnits(in: userFolders, isUser: true, folders, machine)
  }

  var isEmpty: Bool { crontabs.isEmpty && services.isEmpty }

  func runs(_ job: String) -> Bool { (crontabs + services).contains { $0.runs(job) } }

  /// Adds the services that have a timer.
  ///
  /// Timers are matched by name: `a.service` with `a.timer`, and the template `a@.service` with
  /// each `a@INSTANCE.timer`.
  private mutating func addUnits(
    in units: [String], isUser: Bool, _ folders: [String], _ machine: DoctorMachine
  ) async {
    let wanted = units.map { "\($0)/timers.target.wants" }
    let timers = Set((units + wanted).flatMap(machine.names)).filter { $0.hasSuffix(".timer") }
    for folder in units {
      for name in machine.names(folder) where name.hasSuffix(".service") {
        guard let text = machine.text("\(folder)/\(name)") else { continue }
        let stem = String(name.dropLast(".service".count))
        for timer in timers.sorted() where timer.hasPrefix(stem) {
          let instance = String(timer.dropFirst(stem.count).dropLast(".timer".count))
          guard instance.isEmpty != stem.hasSuffix("@") else { continue }
          let lines = ScheduleLines(Self.filled(text, with: instance), folders: folders)
          guard !lines.lines.isEmpty else { continue }
          services.append(lines)
          self.timers.append(await Self.state(of: timer, isUser: isUser, machine))
        }
      }
    }
  }

  /// Returns the text of a unit with its instance's name; see systemd.unit(5), "Specifiers".
  private static func filled(_ text: String, with instance: String) -> String {
    text.replacingScalars("%%", with: "\u{0}").replacingScalars("%i", with: instance)
      .replacingScalars("%I", with: instance).replacing("\u{0}", with: "%")
  }

  private static func state(
    of timer: String, isUser: Bool, _ machine: DoctorMachine
  ) async -> Timer {
    let control = isUser ? "systemctl --user" : "systemctl"
    // `is-active` fails for an inactive timer, and when there is no systemd.
    let state = await machine.output("\(control) is-active '\(timer)' 2>/dev/null || true") ?? ""
    return Timer(
      unit: timer, isActive: !["inactive", "failed"].contains(where: state.hasPrefix),
      isUser: isUser)
  }

  /// Returns the absolute path of the folder, and the path without symbolic links.
  private static func names(of workspace: Workspace) -> [String] {
    let real = URL(filePath: workspace.root).resolvingSymlinksInPath().path
    let names = [real, workspace.absoluteRoot].map {
      $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0
    }
    return Set(names).sorted()
  }
}
