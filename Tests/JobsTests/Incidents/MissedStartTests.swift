import Fixtures
import Foundation
import JobsTesting
import Model
import Store
import Testing

@testable import Jobs
@testable import Workspace

/// Which starts are late or in a gap: docs/incidents.md#kinds.
struct MissedStartTests {
  private let workspace: TestWorkspace

  /// 2026-01-31, 08:00.
  private let morning = Instant.morning

  init() throws {
    workspace = try TestWorkspace(
      jobs: [
        "settle": "kind: settle\nschedule: '0 8 * * *'\n",
        "other": "kind: settle\nschedule: '0 * * * *'\n",
      ],
      configuration: "app: {name: Chat, bundle_id: com.example.app}\n"
        + "notify: {ping: https://ntfy.sh/x, body: text}\n")
  }

  private func tick(
    _ minutes: Int, _ jobs: [String] = ["settle"], isScheduled: Bool = true
  ) async throws {
    let clock = ManualClock(start: morning + .seconds(60 * minutes))
    _ = try await workspace.scheduler(at: clock, options: RunOptions(isScheduled: isScheduled))
      .run(JobRequest(.named(jobs)))
  }

  private func write(_ schedule: String, of job: String, at minutes: Int) throws {
    try workspace.write("kind: settle\n\(schedule)", to: "jobs/\(job).yml")
    try FileManager.default.setAttributes(
      [.modificationDate: (morning + .seconds(60 * minutes)).date],
      ofItemAtPath: workspace.folder.path("jobs/\(job).yml"))
  }

  private var subjects: [String] {
    workspace.posted.map { String($0.prefix { $0 != "\n" }.dropFirst("Chat: ".count)) }
  }

  private let day = 1_440

  /// The starts of `other` in a period that began the day before.
  private func starts(to end: Instant, later: Duration = .zero) throws -> DueStarts? {
    let context = ReportContext(
      appName: "Chat", now: end, timeZone: "UTC", start: morning - .seconds(86_400), end: end)
    let catalog = try workspace.folder.jobs()
    let jobs = try JobsData.jobs(catalog, config: try workspace.folder.config(), now: end)
    var data = try workspace.store.read { try $0.runsData(context, jobs: jobs) }
    try data.countStarts(
      of: catalog.jobs, in: workspace.folder, .gmt, during: context.start..<context.end,
      at: end + later)
    #expect(data.jobs.first { $0.name == "settle" }?.starts == nil)
    return data.jobs.first { $0.name == "other" }?.starts
  }

  /// `other` is due at each full hour, and its grace is 15 minutes.
  @Test(arguments: [(899, 3), (900, 4)])
  func `due starts are counted from the first run on, once their grace has passed`(
    seconds: Int, due: Int
  ) async throws {
    try write("schedule: '0 * * * *'\n", of: "other", at: -day)
    #expect(try starts(to: morning + .seconds(3_600)) == nil)
    for minutes in [0, 60, 125, 130] { try await tick(minutes, ["other"]) }
    let end = morning + .seconds(4 * 3_600 + seconds)
    #expect(try starts(to: end) == DueStarts(made: 2, due: due))
  }

  @Test(arguments: [(59, 3), (60, 2)])
  func `starts before the last change of a job's file are not counted`(
    minutes: Int, due: Int
  ) async throws {
    for minutes in [0, 60, 125] { try await tick(minutes, ["other"]) }
    try write("schedule: '0 * * * *'\n", of: "other", at: minutes)
    let end = morning + .seconds(4 * 3_600)
    #expect(try starts(to: end) == DueStarts(made: due - 1, due: due))
    try write("schedule: '0 * * * *'\n", of: "other", at: day)
    #expect(try starts(to: end, later: .seconds(86_400)) == nil)
  }

  @Test func `a job that nothing starts is late, and makes one gap beside a daily one`()
    async throws
  {
    try await tick(0, ["settle", "other"], isScheduled: false)
    for number in 0...3 { try await tick(number * day + 1) }
    // It was in step before the first night, which may have been a sleep.
    #expect(
      subjects == [
        "nothing ran for 23 hours", "other was not started",
        "other was not started, for 24 hours now",
      ])
  }

  @Test(arguments: [(154, nil), (155, "nothing ran for 60 min")] as [(Int, String?)])
  func `a run by hand is a start, after which a gap may begin`(minutes: Int, gap: String?)
    async throws
  {
    try write("schedule: '*/5 * * * *'\n", of: "settle", at: -day)
    try await tick(0)
    for minute in [3, 50, 90] { try await tick(minute, isScheduled: false) }
    try await tick(minutes)
    #expect(subjects == [gap].compactMap(\.self))
  }

  @Test func `a job that never ran makes no gap`() async throws {
    for number in 0...3 { try await tick(number * day) }
    #expect(subjects.isEmpty)
  }

  @Test(arguments: [(0, true), (1, false)])
  func `a schedule that was written since the last start makes no gap`(
    minutes: Int, isGap: Bool
  ) async throws {
    try await tick(0, ["settle", "other"])
    try write("schedule: '0 * * * *'\n", of: "other", at: minutes)
    try await tick(day, ["settle", "other"])
    #expect(subjects == (isGap ? ["nothing ran for 23 hours"] : []))
  }

  @Test func `a late job is late through a gap, until a run of it begins`() async throws {
    try write("schedule: '*/5 * * * *'\n", of: "settle", at: -day)
    for minute in [0, 5] { try await tick(minute, ["settle", "other"]) }
    for minute in stride(from: 10, through: 80, by: 5) { try await tick(minute) }
    #expect(subjects == ["other was not started"])
    for minute in [600, 605] { try await tick(minute) }
    #expect(subjects.dropFirst() == ["nothing ran for 8 hours"])
    try workspace.write("kind: nothing\n", to: "jobs/other.yml")
    try await tick(610)
    try write("schedule: '0 * * * *'\n", of: "other", at: 612)
    try await tick(615)
    #expect(subjects.count == 2)
    try await tick(620, ["settle", "other"])
    #expect(subjects.dropFirst(2) == ["other was started again"])
  }

  @Test func `a late job whose schedule is taken out is not called started`() async throws {
    try write("schedule: '*/5 * * * *'\n", of: "settle", at: -day)
    for minute in [0, 5] { try await tick(minute, ["settle", "other"]) }
    for minute in stride(from: 10, through: 80, by: 5) { try await tick(minute) }
    try write("", of: "other", at: 82)
    for minute in [85, 90] { try await tick(minute) }
    #expect(subjects == ["other was not started", "other is no longer expected"])
  }

  @Test func `a wrong firetally.yml ends a sleep, too, and its starts are no sleep`() async throws {
    try write("schedule: '*/5 * * * *'\n", of: "settle", at: -day)
    try await tick(0)
    let error = WorkspaceError.interrupted
    for minute in [300, 305, 310] {
      let now = morning + .seconds(Int64(60 * minute))
      #expect(ConfigurationIncident.isNews(error, in: workspace.folder, at: now) == (minute == 300))
    }
    // By hand, after the sleep.
    try await tick(312, isScheduled: false)
    try await tick(315)
    #expect(subjects == ["the configuration is right again", "nothing ran for 4 hours"])
    try await tick(400)
    #expect(subjects.last == "nothing ran for 80 min" && subjects.count == 3)
  }

  @Test(
    arguments: [
      (74, nil), (75, "nothing ran for 60 min"), (300, "nothing ran for 4 hours"),
    ] as [(Int, String?)])
  func `a sleep while firetally.yml is wrong is a gap once it is right`(
    wakes: Int, gap: String?
  ) async throws {
    try write("schedule: '*/5 * * * *'\n", of: "settle", at: -day)
    try await tick(0)
    for minute in [5, 10, wakes, wakes + 5] {
      let now = morning + .seconds(Int64(60 * minute))
      let isNews = ConfigurationIncident.isNews(.interrupted, in: workspace.folder, at: now)
      #expect(isNews == (minute == 5))
    }
    try await tick(wakes + 10)
    #expect(subjects == ["the configuration is right again"] + [gap].compactMap(\.self))
    #expect(try workspace.store.read { try $0.silences() }.isEmpty)
  }

  @Test func `a sleep while firetally.yml is wrong is one gap, however many starts end it`()
    async throws
  {
    try write("schedule: '*/5 * * * *'\n", of: "settle", at: -day)
    try await tick(0)
    let times = [5, 300, 310].map { morning + .seconds(Int64(60 * $0)) }
    _ = ConfigurationIncident.isNews(.interrupted, in: workspace.folder, at: times[0])
    // Two of the same moment, and one that died before it recorded more.
    for now in [times[1], times[1], times[2]] {
      try IncidentLedger(workspace.store).recordStoppedStart(at: now)
    }
    _ = ConfigurationIncident.isNews(.interrupted, in: workspace.folder, at: times[2])
    #expect(
      try workspace.store.read { try $0.silences() } == [Silence(start: times[0], end: times[1])])
    try await tick(315)
    #expect(subjects == ["the configuration is right again", "nothing ran for 4 hours"])
  }

  @Test(arguments: [(3_599, false), (3_600, true)])
  func `an hour between two stopped starts is a silence`(seconds: Int, isSilence: Bool) throws {
    let later = morning + .seconds(seconds)
    for now in [morning, later] {
      _ = ConfigurationIncident.isNews(.interrupted, in: workspace.folder, at: now)
    }
    #expect(
      try workspace.store.read { try $0.silences() }
        == (isSilence ? [Silence(start: morning, end: later)] : []))
  }

  @Test(arguments: [83, 84, 85])
  func `of many silences the last 84 are kept`(count: Int) throws {
    let silences = (0..<count).map { number in
      Silence(
        start: morning + .seconds(7_200 * number), end: morning + .seconds(7_200 * number + 3_600))
    }
    try workspace.store.write { try $0.setSilences(silences) }
    #expect(try workspace.store.read { try $0.silences() } == Array(silences.suffix(84)))
  }

  @Test func `times without a start that cannot be read are forgotten, with a warning`()
    async throws
  {
    func incidents(_ minute: Int) throws -> WorkspaceIncidents {
      WorkspaceIncidents(
        try workspace.context(
          at: ManualClock(start: morning + .seconds(60 * minute)),
          options: RunOptions(isScheduled: true)))
    }
    try await tick(0)
    try workspace.store.write { try $0.setMark("{}", named: "silences") }
    _ = ConfigurationIncident.isNews(
      .interrupted, in: workspace.folder, at: morning + .seconds(60 * 5))
    #expect(try incidents(10).begin()?.contains("`silences`") == true)
    #expect(try workspace.store.read { try $0.silences() }.isEmpty)
    #expect(try incidents(15).begin() == nil)
  }

  @Test func `where nothing can be recorded a wrong firetally.yml is told once a day`() throws {
    let broken = try TestWorkspace(jobs: [:])
    try broken.store.close()
    try FileManager.default.removeItem(atPath: broken.folder.databasePath)
    try FileManager.default.createDirectory(
      atPath: broken.folder.databasePath, withIntermediateDirectories: true)
    #expect(ConfigurationIncident.isNews(.interrupted, in: broken.folder, at: morning))
  }
}
