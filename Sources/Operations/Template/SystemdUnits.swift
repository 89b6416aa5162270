package import Jobs
import Model
import Reports
package import Workspace

/// A systemd service, and a timer for each job; see `docs/systemd.md`.
package enum SystemdUnits {
  /// The folder of the units, relative to the workspace.
  package static let folder = "systemd"

  /// Returns the service of one workspace, with jobs as instances, and a timer for each scheduled
  /// job, by name.
  ///
  /// `timeZone` is the IANA name of the schedules' time zone.
  package static func files(
    for place: TemplateValues, jobs: [Job], timeZone: String
  ) -> [WorkspaceTemplate.File] {
    let unit = unitName(of: place)
    let program = place.program ?? "/usr/bin/firetally"
    let service = service(
      description: "Firetally job %i of \(escaped(place.folder))",
      command: "\(commandWord(program)) -C \(commandWord(place.folder)) run %i",
      folder: place.folder, program: program, user: place.user ?? "firetally")
    return [WorkspaceTemplate.File(path: "\(folder)/\(unit)@.service", text: service)]
      + jobs.compactMap { job in
        job.schedule.map { schedule in
          WorkspaceTemplate.File(
            path: "\(folder)/\(unit)@\(job.name).timer",
            text: timer(
              "When Firetally runs \(job.name) of \(escaped(place.folder))",
              schedule.calendarEvents(in: timeZone)))
        }
      }
  }

  /// Writes the units for the workspace's job files; replaces earlier units.
  ///
  /// - Throws: `WorkspaceError.jobFiles` when a job file is wrong, since its timer would be
  ///   missing, or `WorkspaceError.refused` for a path that a unit cannot contain.
  package static func write(
    to workspace: Workspace, for place: TemplateValues
  ) throws(WorkspaceError) -> [WorkspaceTemplate.Outcome] {
    let catalog = try workspace.jobs()
    if let error = catalog.error { throw .jobFiles(error) }
    for path in [place.folder, place.program ?? "", place.user ?? ""] {
      guard path.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
        throw .refused(
          .usage,
          "No systemd unit was written: \(VisibleText.line(path)) has a line break or another "
            + "control character in its name, which no unit can hold. Rename it.")
      }
    }
    let files = files(
      for: place, jobs: catalog.jobs, timeZone: try workspace.config().timeZone)
    try FileContents.makeFolder(workspace.path(folder))
    for file in files {
      try AtomicFile.write(Array(file.text.utf8), to: workspace.path(file.path))
    }
    return files.map { WorkspaceTemplate.Outcome(path: $0.path, wasWritten: true) }
  }

  /// Returns the commands that install the units, to run in the workspace.
  package static func installation(of place: TemplateValues) -> [String] {
    let unit = unitName(of: place)
    return [
      "sudo cp \(folder)/\(unit)@* /etc/systemd/system/",
      "sudo systemctl daemon-reload",
      "sudo systemctl enable --now $(cd \(folder) && ls *.timer)",
    ]
  }

  /// Returns "firetally-" and the folder's name, limited to characters that unit names allow.
  static func unitName(of place: TemplateValues) -> String {
    let name = place.folder.split(separator: "/").last.map { $0.lowercased() } ?? "workspace"
    let letters = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return name == "firetally" ? "firetally" : "firetally-" + String(letters)
  }

  static func timer(_ description: String, _ events: [String]) -> String {
    """
    [Unit]
    Description=\(description)

    [Timer]
    \(events.map { "OnCalendar=\($0)" }.joined(separator: "\n"))
    AccuracySec=1s
    # What was missed while the machine was off is made up for once.
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
  }

  static func service(
    description: String, command: String, folder: String, isTemplate: Bool = false,
    program: String, user: String
  ) -> String {
    let path = isTemplate ? folder : word(folder)
    let condition = isTemplate ? folder : escaped(folder)
    return """
      # Put changes into a drop-in. It stays when this file is written again:
      #   systemctl edit NAME@.service
      [Unit]
      Description=\(description)
      Documentation=man:firetally(1)
      Wants=network-online.target
      After=network-online.target time-sync.target
      ConditionPathExists=\(condition)/firetally.yml

      [Service]
      Type=oneshot
      ExecStart=\(command)
      # 3: done, with documents, lines or items left out; the run's row says which.
      SuccessExitStatus=3
      # Credentials, FIRETALLY_MOMENTS_TOKEN and the like; readable for root alone.
      EnvironmentFile=-/etc/firetally/environment
      # With an empty User= and DynamicUser=yes, the workspace belongs in a StateDirectory.
      User=\(user)
      UMask=0077
      ReadWritePaths=\(path)
      \(home(of: folder, program))
      PrivateTmp=\(isTemporary(folder) || isTemporary(program) ? "no" : "yes")
      \(hardening)
      """
  }

  /// Returns options that hide home folders, except the workspace and the program.
  private static func home(of folder: String, _ program: String) -> String {
    let bound =
      (isAtHome(folder) ? ["BindPaths=\(word(folder))"] : [])
      + (isAtHome(program) ? ["BindReadOnlyPaths=\(word(program))"] : [])
    guard !bound.isEmpty else { return "ProtectHome=yes" }
    return (["ProtectHome=tmpfs"] + bound).joined(separator: "\n")
  }

  private static func isAtHome(_ path: String) -> Bool {
    ["/home/", "/root/", "/run/user/"].contains { (path + "/").hasPrefix($0) }
  }

  /// Whether a path is hidden from a service with its own temporary folder.
  private static func isTemporary(_ path: String) -> Bool {
    ["/tmp/", "/var/tmp/"].contains { (path + "/").hasPrefix($0) }
  }

  /// Restrictions of rights that no job needs.
  private static let hardening = String(
    decoding: PackageResources.hardening_service, as: UTF8.self)

  /// Quotes a word of a command, where a dollar sign would begin a variable.
  private static func commandWord(_ text: String) -> String {
    word(text.replacingScalars("$", with: "$$"))
  }

  /// Quotes a word of a list of paths.
  private static func word(_ text: String) -> String {
    let text = escaped(text)
    if text.isWord(with: "/._-+:@%") { return text }
    return "\"\(text.replacingScalars("\\", with: "\\\\").replacingScalars("\"", with: "\\\""))\""
  }

  /// Escapes the specifiers of systemd.
  private static func escaped(_ text: String) -> String { text.replacingScalars("%", with: "%%") }
}
