import JobsTesting
import Fixtures
import Foundation
import Testing

@testable import Operations
@testable import Workspace

struct SystemdUnitsTests {
  private let folder: TemporaryFolder
  private var workspace: Workspace { Workspace(root: folder.path) }

  init() throws {
    folder = try TemporaryFolder()
    _ = try WorkspaceTemplate.write(to: workspace)
  }

  private func place(
    _ folder: String? = nil, program: String = "/bin/true", user: String? = "daemon"
  ) -> TemplateValues {
    TemplateValues(
      project: "demo", folder: folder ?? self.folder.path, program: program, user: user)
  }

  @Test func `each job with a schedule has a timer, and all share one service`() throws {
    try folder.write("kind: maintain\n", to: "jobs/by-hand.yml")
    let outcomes = try SystemdUnits.write(to: workspace, for: place("/srv/Chat Hub"))
    let names = outcomes.map { $0.path.replacing("systemd/firetally-chat-hub@", with: "") }
    #expect(
      names == [
        ".service", "events.timer", "feedback.timer", "maintain.timer", "online-users.timer",
        "report.timer", "settings.timer", "settle.timer", "upload-feedback.timer",
      ])
    let timer = try folder.text(of: "systemd/firetally-chat-hub@report.timer")
    #expect(timer.contains("\nOnCalendar=*-*-* 06:35:00 UTC\n"))
    let service = try folder.text(of: "systemd/firetally-chat-hub@.service")
    #expect(service.contains("\nExecStart=/bin/true -C \"/srv/Chat Hub\" run %i\n"))
    #expect(service.contains("\nReadWritePaths=\"/srv/Chat Hub\"\n"))
    #expect(service.contains("\nSuccessExitStatus=3\n") && service.contains("\nUser=daemon\n"))
  }

  @Test func `units are written anew, with what the job files say now`() throws {
    _ = try SystemdUnits.write(to: workspace, for: place("/srv/app"))
    try folder.write("kind: report\nschedule: \"0 7 * * *\"\n", to: "jobs/report.yml")
    _ = try SystemdUnits.write(to: workspace, for: place("/srv/app"))
    #expect(try folder.text(of: "systemd/firetally-app@report.timer").contains("07:00:00 UTC"))
  }

  @Test func `a wrong job file is an error, since its timer would be missing`() throws {
    try folder.write("kind: nothing\n", to: "jobs/report.yml")
    #expect(throws: WorkspaceError.self) { try SystemdUnits.write(to: workspace, for: place()) }
  }

  @Test(arguments: [
    ("/srv/app", "ProtectHome=yes", false), ("/home/ana/app", "ProtectHome=tmpfs", true),
    ("/root/app", "ProtectHome=tmpfs", true), ("/homestead/app", "ProtectHome=yes", false),
  ])
  func `a workspace in a home folder is seen, and nothing else of it`(
    path: String, line: String, isBound: Bool
  ) {
    let text = SystemdUnits.files(for: place(path), jobs: [], timeZone: "UTC")[0].text
    #expect(text.contains("\n\(line)\n"))
    #expect(text.contains("\nBindPaths=\(path)\n") == isBound)
  }

  @Test(arguments: [
    ("/usr/bin/firetally", "/srv/app", "ProtectHome=yes\nPrivateTmp=yes"),
    (
      "/root/bin/firetally", "/srv/app",
      "ProtectHome=tmpfs\nBindReadOnlyPaths=/root/bin/firetally\nPrivateTmp=yes"
    ),
    (
      "/home/ana/f", "/home/ana/app",
      "ProtectHome=tmpfs\nBindPaths=/home/ana/app\nBindReadOnlyPaths=/home/ana/f\nPrivateTmp=yes"
    ),
    ("/tmp/firetally", "/srv/app", "ProtectHome=yes\nPrivateTmp=no"),
    ("/usr/bin/firetally", "/var/tmp/app", "ProtectHome=yes\nPrivateTmp=no"),
    ("/usr/bin/firetally", "/tmpfiles/app", "ProtectHome=yes\nPrivateTmp=yes"),
  ])
  func `the program is seen wherever it is, and a folder below /tmp, too`(
    program: String, path: String, lines: String
  ) {
    let place = place(path, program: program)
    let text = SystemdUnits.files(for: place, jobs: [], timeZone: "UTC")[0].text
    #expect(text.contains("\n\(lines)\n"))
  }

  @Test func `a call that the service may not make fails, and ends nothing`() {
    let text = SystemdUnits.files(for: place(), jobs: [], timeZone: "UTC")[0].text
    #expect(text.contains("\nSystemCallErrorNumber=EPERM\n"))
  }

  @Test func `a dollar sign begins no variable in a command, and is one in a path`() {
    let text = SystemdUnits.files(for: place("/srv/${HOME} $x"), jobs: [], timeZone: "UTC")[0].text
    #expect(text.contains("\nExecStart=/bin/true -C \"/srv/$${HOME} $$x\" run %i\n"))
    #expect(text.contains("\nReadWritePaths=\"/srv/${HOME} $x\"\n"))
    #expect(text.contains("\nConditionPathExists=/srv/${HOME} $x/firetally.yml\n"))
  }

  @Test(arguments: ["\n", "\r", "\u{1B}", "\u{7F}", "\u{85}"])
  func `a folder that no line can name is refused`(character: String) throws {
    let path = "/srv/a\(character)ExecStart=/bin/evil"
    expectRefusal(.usage, "No systemd unit was written: ") {
      try SystemdUnits.write(to: workspace, for: place(path))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: "systemd")))
  }

  @Test func `a per cent sign is no specifier, and a quote ends no word`() {
    let text = SystemdUnits.files(for: place("/srv/5% \"x\""), jobs: [], timeZone: "UTC")[0].text
    #expect(text.contains("-C \"/srv/5%% \\\"x\\\"\" run %i\n"))
    #expect(text.contains("\nConditionPathExists=/srv/5%% \"x\"/firetally.yml\n"))
  }

  @Test(arguments: SystemdUnits.packaged)
  func `the package's own units are these`(file: WorkspaceTemplate.File) throws {
    let path = "scripts/package/\(file.path)"
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(file.text.utf8).write(to: SourceTree.root.appending(path: path))
      Issue.record("\(path) was written anew; run without RECORD_GOLDEN")
    }
    #expect(try SourceTree.text(of: path) == file.text)
  }

  @Test(.enabled(if: Systemd.isInstalled, "systemd-analyze is not here: apt-get install systemd"))
  func `systemd has nothing against them, and finds the service little exposed`() throws {
    _ = try SystemdUnits.write(to: workspace, for: place())
    let units = folder.url.appending(path: "systemd")
    let names = try FileManager.default.contentsOfDirectory(atPath: units.path)
    // An instance of the service, as the timers start it.
    let service = try #require(names.first { $0.hasSuffix("@.service") })
    let instance = service.replacing("@.", with: "@report.")
    try FileManager.default.copyItem(
      at: units.appending(path: service), to: units.appending(path: instance))
    let timers = names.filter { $0.hasSuffix(".timer") }
    let paths = ([instance] + timers).map { units.appending(path: $0).path }
    let verified = try Systemd.output(["verify", "--man=no"] + paths)
    #expect(verified.status == 0, "\(verified.text)")
    #expect(!verified.text.contains("firetally"), "\(verified.text)")
    let exposure = try Systemd.output([
      "security", "--offline=yes", "--threshold=30", units.appending(path: instance).path,
    ])
    #expect(exposure.status == 0, "\(exposure.text.suffix(300))")
  }
}

extension SystemdUnits {
  /// What the Debian package installs: every workspace below `/var/lib/firetally` by its name.
  static let packaged: [WorkspaceTemplate.File] = [
    WorkspaceTemplate.File(
      path: "firetally@.service",
      text: service(
        description: "Firetally jobs of the workspace %i that are due",
        command: "/usr/bin/firetally -C /var/lib/firetally/%i run --due",
        folder: "/var/lib/firetally/%i", isTemplate: true, program: "/usr/bin/firetally",
        user: "firetally")),
    WorkspaceTemplate.File(
      path: "firetally@.timer",
      text: timer("When Firetally looks for due jobs of the workspace %i", ["*-*-* *:00/5:00 UTC"])),
  ]
}
