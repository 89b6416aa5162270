import Fixtures
import Foundation
import JobsTesting
import Model
import Store
import Testing

@testable import Operations
@testable import Workspace

/// The checks of the disk, of cron and systemd, and of missed starts.
struct DoctorScheduleTests {
  private static let jobs = [
    "settle": "kind: settle\nschedule: 4-59/5 * * * *\n",
    "maintain": "kind: maintain\nschedule: 15 3 * * *\n", "report": "kind: report\n",
  ]

  private func crontab(_ stage: DoctorStage, _ lines: String) {
    stage.outputs["crontab -l 2>/dev/null"] = lines.replacing(
      "WS", with: stage.workspace.folder.root)
  }

  @Test func `nothing that starts the jobs is a warning with the way to cron`() async throws {
    let stage = try DoctorStage(jobs: Self.jobs)
    crontab(
      stage, "* * * * * firetally -C WS-other run --due\n# * * * * * firetally -C WS run --due")
    let lines = try await stage.lines(of: SchedulerCheck.self)
    #expect(
      lines.count == 1
        && lines[0].hasPrefix("warn: Nothing starts this workspace's jobs: no crontab or systemd"))
    #expect(lines[0].hasSuffix("`crontab -e`."))
    let none = try await DoctorStage(jobs: ["report": "kind: report\n"])
      .lines(of: SchedulerCheck.self)
    #expect(none == ["ok: No job has a schedule."])
  }

  @Test func `where nothing starts the jobs, cron.example is held to their schedules`() async throws
  {
    let stage = try DoctorStage(jobs: Self.jobs)
    func lines(_ example: String) async throws -> [String] {
      stage.files[stage.workspace.folder.path("cron.example")] = "WORKSPACE=/elsewhere\n\(example)"
      return Array(try await stage.lines(of: SchedulerCheck.self).dropFirst())
    }
    let right = "4-59/5 * * * * firetally -C \"$WORKSPACE\" run settle\n"
    let maintain = "15 3 * * * firetally -C \"$WORKSPACE\" run maintain\n"
    #expect(try await lines(right + maintain) == [])
    #expect(
      try await lines(right + maintain.replacing("15 3", with: "15 4")) == [
        "warn: cron.example starts maintain at other times (15 4 * * *) than its file says "
          + "(15 3 * * *). Make them equal before you paste its lines: lateness is judged by the "
          + "file."
      ])
    #expect(
      try await lines(right + "# " + maintain) == [
        "warn: cron.example has no line for these scheduled jobs: maintain. Add their lines, or "
          + "paste the one with `run --due` instead of the others."
      ])
    #expect(try await lines("* * * * * firetally -C \"$WORKSPACE\" run --due") == [])
  }

  @Test(arguments: [
    "*/5 * * * * firetally -C WS run --due 2>>log",
    """
    W=WS
    4-59/5 * * * * firetally -C "$W" run settle
    15 3 * * * firetally -C ${W} run maintain
    """,
    "4-59/5 * * * * cd WS && firetally run settle\n15 3 * * * firetally -C WS run maintain",
    "4 * * * * cd WS/ && firetally run --all",
    "FIRETALLY_WORKSPACE=WS\n* * * * * firetally run --due",
  ])
  func `crontabs that name the workspace start its jobs`(text: String) async throws {
    let stage = try DoctorStage(jobs: Self.jobs)
    crontab(stage, text)
    #expect(
      try await stage.lines(of: SchedulerCheck.self)
        == ["ok: Installed: cron, for all 2 scheduled jobs."])
  }

  @Test func `a job that nothing starts is named`() async throws {
    let stage = try DoctorStage(jobs: Self.jobs)
    crontab(stage, "4-59/5 * * * * firetally -C WS run settle")
    let lines = try await stage.lines(of: SchedulerCheck.self)
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("warn: Nothing starts these scheduled jobs: maintain."))
  }

  @Test func `the system's crontabs and systemd's units count, too`() async throws {
    let stage = try DoctorStage(jobs: Self.jobs)
    let root = stage.workspace.folder.root
    stage.files["/etc/cron.d/firetally"] = "4-59/5 * * * * op firetally -C \(root) run settle\n"
    let unit = "[Service]\nWorkingDirectory=\(root)\nExecStart=/usr/bin/firetally run maintain\n"
    stage.files["/etc/systemd/system/firetally-maintain.service"] = unit
    stage.files["/etc/systemd/system/firetally-maintain.timer"] = "[Timer]\n"
    #expect(
      try await stage.lines(of: SchedulerCheck.self)
        == ["ok: Installed: cron and systemd, for all 2 scheduled jobs."])
    let question = "systemctl is-active 'firetally-maintain.timer' 2>/dev/null || true"
    stage.outputs[question] = "active"
    #expect(try await stage.findings(of: SchedulerCheck.self).map(\.verdict) == [.ok])
    stage.outputs[question] = "inactive"
    let lines = try await stage.lines(of: SchedulerCheck.self)
    #expect(
      lines == [
        "warn: firetally-maintain.timer is not active. Start it: "
          + "`systemctl enable --now firetally-maintain.timer`."
      ])
  }

  @Test
  func `cron with another clock than the schedules' is a warning, unless it runs what is due`()
    async throws
  {
    let stage = try DoctorStage(
      jobs: Self.jobs,
      configuration: "app: {name: C, bundle_id: a.b}\ntime_zone: Europe/London\n")
    crontab(stage, "4 3 * * * firetally -C WS run settle maintain")
    // In January London has the time of UTC, in July it has not.
    let lines = try await stage.lines(of: SchedulerCheck.self)
    #expect(lines.count == 1 && lines[0].hasPrefix("warn: cron reads its times in GMT, and"))
    crontab(
      stage, "4-59/5 * * * * firetally -C WS run settle\n15 3 * * * firetally -C WS run maintain")
    stage.systemTimeZone = try #require(TimeZone(identifier: "Europe/London"))
    #expect(try await stage.findings(of: SchedulerCheck.self).map(\.verdict) == [.ok])
    stage.systemTimeZone = .gmt
    crontab(stage, "4 * * * * firetally -C WS run --due")
    #expect(try await stage.findings(of: SchedulerCheck.self).map(\.verdict) == [.ok])
  }

  @Test(arguments: [
    ("4-59/5 * * * *", ""), ("4,9,14,19,24,29,34,39,44,49,54,59 * * * *", ""),
    ("*/5 * * * *", "*/5 * * * *"), ("@hourly", "0 * * * *"), ("4-59/5 * * * 1", "4-59/5 * * * 1"),
    ("@reboot", ""),
  ])
  func `times of cron that are not the schedule's are a warning`(
    times: String, told: String
  ) async throws {
    let stage = try DoctorStage(jobs: ["settle": "kind: settle\nschedule: 4-59/5 * * * *\n"])
    crontab(stage, "\(times) firetally -C WS run settle 2>>log")
    let lines = try await stage.lines(of: SchedulerCheck.self)
    #expect(lines.count == 1)
    #expect(
      told.isEmpty
        ? lines[0].hasPrefix("ok: ")
        : lines[0]
          == "warn: cron starts settle at other times (\(told)) than its file says (4-59/5 * * * *). "
          + "Make them equal: lateness is judged by the file.")
    // Another line that runs what is due, or that runs it when the file says, is enough.
    for more in [
      "* * * * * firetally -C WS run --due", "4-59/5 * * * * firetally -C WS run settle",
    ] {
      crontab(stage, "\(times) firetally -C WS run settle\n\(more)")
      #expect(try await stage.findings(of: SchedulerCheck.self).map(\.verdict) == [.ok])
    }
  }

  @Test func `a template counts with the timers of its instances`() async throws {
    let stage = try DoctorStage(jobs: Self.jobs)
    let root = stage.workspace.folder.root
    let name = try #require(root.split(separator: "/").last)
    let folder = "/etc/systemd/system"
    stage.files["\(folder)/firetally-a@.service"] =
      "[Service]\nExecStart=/usr/bin/firetally -C \(root) run %i\n"
    stage.files["\(folder)/firetally-a@settle.timer"] = "[Timer]\n"
    let some = try await stage.lines(of: SchedulerCheck.self)
    #expect(some.count == 1 && some[0].hasPrefix("warn: Nothing starts these scheduled jobs: main"))
    stage.files["\(folder)/firetally-a@maintain.timer"] = "[Timer]\n"
    let all = ["ok: Installed: systemd, for all 2 scheduled jobs."]
    #expect(try await stage.lines(of: SchedulerCheck.self) == all)
    // One for every workspace of a folder, as the package has it.
    let parent = root.dropLast(name.count)
    stage.files = [
      "/usr/lib/systemd/system/firetally@.service":
        "[Service]\nExecStart=/usr/bin/firetally -C \(parent)%i run --due\n",
      "/usr/lib/systemd/system/firetally@.timer": "[Timer]\n",
    ]
    #expect(try await stage.findings(of: SchedulerCheck.self).map(\.verdict) == [.warn])
    stage.files["\(folder)/timers.target.wants/firetally@\(name).timer"] = "[Timer]\n"
    #expect(try await stage.lines(of: SchedulerCheck.self) == all)
    stage.files["\(folder)/timers.target.wants/firetally@\(name).timer"] = nil
    stage.files["\(folder)/timers.target.wants/firetally@other.timer"] = "[Timer]\n"
    #expect(try await stage.findings(of: SchedulerCheck.self).map(\.verdict) == [.warn])
  }

  @Test func `a start that was missed is told once the grace is over`() async throws {
    let due = Instant.morning - .seconds(4 * 3_600 + 45 * 60)
    for (late, verdict) in [
      (Duration.seconds(899), DoctorFinding.Verdict.ok), (.seconds(900), .warn),
      (.seconds(901), .warn),
    ] {
      let stage = try DoctorStage(
        jobs: ["maintain": "kind: maintain\nschedule: 15 3 * * *\n"], now: due + late)
      try stage.ran("maintain", at: due - .seconds(86_400))
      let found = try await stage.findings(of: RecentRunsCheck.self)
      #expect(found.map(\.verdict) == [verdict], "\(late)")
      try stage.ran("maintain", at: due)
      #expect(try await stage.findings(of: RecentRunsCheck.self).map(\.verdict) == [.ok])
    }
  }

  @Test func `when no job started cron sleeps, when some did the others are named`() async throws {
    let stage = try DoctorStage(jobs: Self.jobs)
    let none = try await stage.lines(of: RecentRunsCheck.self)
    #expect(none == ["warn: No job has run yet. `firetally run --all` runs all of them once."])
    try stage.ran("settle", at: .morning - .seconds(3_600))
    let asleep = try await stage.lines(of: RecentRunsCheck.self)
    #expect(asleep.count == 1 && asleep[0].hasPrefix("warn: No job has started when it was due"))
    #expect(asleep[0].contains("2026-01-31 07:00:00 +00:00") && asleep[0].contains("cron is awake"))
    try stage.ran("settle", at: .morning - .seconds(60))
    let some = try await stage.lines(of: RecentRunsCheck.self)
    #expect(some.count == 1)
    #expect(some[0].hasPrefix("warn: Not started when they were due: maintain; maintain was due"))
    try stage.ran("maintain", at: .morning - .seconds(60))
    #expect(try await stage.findings(of: RecentRunsCheck.self).map(\.verdict) == [.ok])
  }

  @Test func `where no run fits on the disk cron is not blamed`() async throws {
    let stage = try DoctorStage(jobs: ["maintain": "kind: maintain\nschedule: 15 3 * * *\n"])
    for (free, verdict) in [(Int64(65_535), DoctorFinding.Verdict.warn), (65_536, .ok)] {
      stage.disk.freeBytes = free
      try stage.ran("maintain", at: .morning)
      #expect(try await stage.findings(of: RecentRunsCheck.self).map(\.verdict) == [verdict])
    }
    let late = try DoctorStage(jobs: ["maintain": "kind: maintain\nschedule: 15 3 * * *\n"])
    late.disk.freeBytes = 65_535
    #expect(
      try await late.lines(of: RecentRunsCheck.self)
        == ["warn: The disk is full, so no run can be recorded. See the check disk."])
  }

  @Test func `the disk must hold the database twice more, and its log`() async throws {
    let stage = try DoctorStage()
    let size = try stage.context().databaseBytes
    #expect(size > 0)
    let needed = 2 * size + DiskCheck.logBytes
    for (free, verdict) in [
      (needed - 1, DoctorFinding.Verdict.fail), (needed, .ok), (needed + 1, .ok), (0, .fail),
    ] {
      stage.disk.freeBytes = free
      #expect(try await stage.findings(of: DiskCheck.self).map(\.verdict) == [verdict], "\(free)")
    }
  }

  @Test func `growth is told by the oldest backup, and a full disk in 30 days is a warning`()
    async throws
  {
    let stage = try DoctorStage()
    let size = try stage.context().databaseBytes
    try stage.workspace.write("", to: "data/backups/firetally-2026-01-29T080000Z.sqlite")
    let needed = 2 * size + DiskCheck.logBytes
    // It grew from nothing to its size in two days.
    for (days, verdict) in [(29, DoctorFinding.Verdict.warn), (30, .ok), (31, .ok)] {
      stage.disk.freeBytes = needed + Int64(days) * size / 2
      let found = try await stage.findings(of: DiskCheck.self)
      #expect(found.map(\.verdict) == [verdict], "\(days)")
      #expect(found[0].message.contains("room for \(days) days"))
    }
  }

  @Test func `without backups a week of runs tells the growth, and less tells nothing`()
    async throws
  {
    let stage = try DoctorStage()
    #expect(try await stage.lines(of: DiskCheck.self)[0].contains("history is too short"))
    try stage.ran("settle", at: .morning - .seconds(604_799))
    #expect(try await stage.lines(of: DiskCheck.self)[0].contains("history is too short"))
    try stage.ran("settle", at: .morning - .seconds(604_800))
    #expect(try await stage.lines(of: DiskCheck.self)[0].contains("grows by "))
  }

  @Test func `the room is judged also where the database cannot be read`() async throws {
    let stage = try DoctorStage()
    stage.database = .failure(
      StoreError.notADatabase(path: stage.workspace.folder.databasePath))
    #expect(try await stage.findings(of: DiskCheck.self).map(\.verdict) == [.ok])
    stage.disk.freeBytes = 0
    #expect(try await stage.findings(of: DiskCheck.self).map(\.verdict) == [.fail])
  }
}
