import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Workspace

/// When messages about incidents are delivered, and that each is delivered once:
/// docs/incidents.md#delivery.
struct IncidentDeliveryTests {
  private static let notify =
    "app: {name: Chat, bundle_id: com.example.app}\n"
    + "notify: {ping: https://ntfy.sh/x, body: text}\n"

  private let workspace: TestWorkspace

  init() throws {
    workspace = try TestWorkspace(
      jobs: [
        "settings": "kind: sync-settings\nschedule: '*/5 * * * *'\n",
        "settle": "kind: settle\nschedule: '*/5 * * * *'\n",
      ], configuration: Self.notify)
    try workspace.fill(users: 0)
  }

  private func tick(
    _ minutes: Int, _ jobs: [String] = ["settings"], hookStatus: Int = 200
  ) async throws {
    let clock = ManualClock(start: .morning + .seconds(60 * minutes))
    _ = try await workspace.scheduler(
      at: clock, options: RunOptions(isForced: true, isScheduled: true), hookStatus: hookStatus
    ).run(JobRequest(.named(jobs)))
  }

  private func fail(_ error: (any Error)? = FirestoreError.refusal(.unavailable)) {
    workspace.services.failFirestore(with: error)
  }

  private var subjects: [String] {
    workspace.posted.map { String($0.prefix { $0 != "\n" }) }
  }

  private func open() throws -> [JobIncident] {
    try workspace.store.read {
      try $0.incidents(at: .morning + .seconds(10 * 86_400), onlyOpen: true, limit: 100)
    }
  }

  @Test(arguments: [300, 301])
  func `what a long command told is not told again at its end`(seconds: Int) async throws {
    try workspace.write("kind: settle\n", to: "jobs/a.yml")
    fail()
    let clock = ManualClock(start: .morning)
    let scheduler = try workspace.scheduler(
      at: clock, options: RunOptions(isForced: true, isScheduled: true),
      ended: { report in
        if report.run.job == "a" { clock.advance(by: .seconds(seconds)) }
        return RunPrintout()
      })
    _ = try await scheduler.run(JobRequest(.named(["a", "settings"])))
    #expect(subjects == ["Chat: no answer from Firestore"])
  }

  @Test(arguments: [(69, false), (70, true)])
  func `hours in which no job is due are no gap; an hour since a missed start is`(
    minutes: Int, isGap: Bool
  ) async throws {
    try workspace.write(
      "kind: sync-settings\nschedule: '*/10 8-18 * * *'\n", to: "jobs/settings.yml")
    try workspace.write("kind: settle\nschedule: '15 3 * * *'\n", to: "jobs/settle.yml")
    try await tick(640, ["settings", "settle"])
    try await tick(650)
    try await tick(1_155, ["settle"])
    try await tick(1_440)
    #expect(subjects.isEmpty)
    try await tick(1_440 + minutes)
    #expect(subjects == (isGap ? ["Chat: nothing ran for 60 min"] : []))
  }

  @Test func `an incident of a job that was removed ends, and does not say that it works`()
    async throws
  {
    fail()
    try await tick(0)
    try await tick(5, ["settle"])
    #expect(try open().count == 1)
    try FileManager.default.removeItem(atPath: workspace.folder.path("jobs/settings.yml"))
    try await tick(10, ["settle"])
    #expect(subjects == ["Chat: no answer from Firestore", "Chat: settings is gone"])
    #expect(try open().isEmpty)
    try await tick(1_455, ["settle"])
    #expect(subjects.count == 3 && subjects[2].hasPrefix("Chat: nothing ran"))
  }

  @Test func `a late job that was renamed is gone, and was not started again`() async throws {
    try await tick(0, ["settings", "settle"])
    try await tick(20)
    #expect(subjects == ["Chat: settle was not started"])
    try FileManager.default.removeItem(atPath: workspace.folder.path("jobs/settle.yml"))
    try await tick(25)
    #expect(subjects == ["Chat: settle was not started", "Chat: settle is gone"])
  }

  @Test(arguments: [0, 5])
  func `a schedule that was edited makes no start late that was due before`(edited: Int)
    async throws
  {
    try await tick(0, ["settings", "settle"])
    let edit = Instant.morning + .seconds(60 * edited)
    try FileManager.default.setAttributes(
      [.modificationDate: edit.date], ofItemAtPath: workspace.folder.path("jobs/settle.yml"))
    try await tick(20)
    #expect(subjects.isEmpty == (edited == 5))
  }

  @Test func `a clock that was set back removes no incident and makes no gap`() async throws {
    fail()
    try await tick(0)
    let before = try open()
    try await tick(-60 * 24 * 400, ["settle"])
    #expect(try open().contains(before[0]))
    for minute in [5, 10] { try await tick(minute) }
    #expect(subjects.filter { $0.contains("no answer") }.count == 1)
    #expect(!subjects.contains { $0.contains("nothing ran") })
    #expect(try workspace.store.read { try $0.lastTick() } == .morning + .seconds(600))
  }

  @Test func `what is dated in the future goes when runs are forgotten`() throws {
    let ahead = Instant.morning + .seconds(301)
    try workspace.store.write { try $0.setLastTick(ahead) }
    let found = try workspace.store.read { try $0.futureIncidents(at: .morning) }
    #expect(found.count == 0 && found.withStart)
    _ = try workspace.store.write { try $0.removeFutureRuns(at: .morning + .seconds(1)) }
    #expect(try workspace.store.read { try $0.lastTick() } == ahead)
    _ = try workspace.store.write { try $0.removeFutureRuns(at: .morning) }
    #expect(try workspace.store.read { try $0.lastTick() } == nil)
  }

  @Test(
    arguments: [
      (0, 300, true), (0, 301, false), (300, nil, true), (301, nil, false), (-60, nil, true),
    ] as [(Int, Int?, Bool)])
  func `an incident that begins or ends in the future is forgotten with the runs`(
    begin: Int, end: Int?, isKept: Bool
  ) throws {
    var incident = JobIncident(
      .gap, causes: ["gap"], sentence: "x", beganAt: .morning + .seconds(begin))
    incident.endedAt = end.map { Instant.morning + .seconds($0) }
    try workspace.store.write { [incident] in _ = try $0.save(incident) }
    let found = try workspace.store.read { try $0.futureIncidents(at: .morning) }
    #expect(found.count == (isKept ? 0 : 1) && !found.withStart)
    _ = try workspace.store.write { try $0.removeFutureRuns(at: .morning) }
    let left = try workspace.store.read {
      try $0.incidents(at: .morning + .seconds(600), onlyOpen: false, limit: 10)
    }
    #expect(left.count == (isKept ? 1 : 0))
  }

  @Test func `an interruption does not end the warning of a hook`() async throws {
    try workspace.write(
      "kind: sync-settings\nhooks: {on_success: {ping: 'https://h/x'}}\n", to: "jobs/settings.yml")
    try await tick(0, hookStatus: 500)
    fail(CancellationError())
    try await tick(5)
    #expect(try open().map(\.kind) == [.warning])
    try workspace.write("kind: nothing\n", to: "jobs/settings.yml")
    try await tick(10)
    #expect(try open().map(\.kind) == [.warning, .file].reversed())
    try workspace.write("kind: sync-settings\n", to: "jobs/settings.yml")
    fail(nil)
    try await tick(15)
    #expect(try open().isEmpty)
  }

  @Test(arguments: [
    (Duration.zero, false), (IncidentRule.claim - .microseconds(1), false),
    (IncidentRule.claim, true), (.seconds(-300), false), (.seconds(-301), true),
  ])
  func `whoever claims a message has a quarter of an hour for it alone`(
    pause: Duration, isFree: Bool
  ) throws {
    let (first, second) = (IncidentLedger(workspace.store), IncidentLedger(workspace.store))
    let trouble = JobTrouble(.failure, "Wrong.")
    let observation = IncidentRule.RunObservation(of: "a", .failed, trouble: trouble, lockedAt: nil)
    let start = Instant.morning - .seconds(1_000)
    let notice = try #require(try first.record(observation, startedAt: start, at: start).first)
    let claimed = try #require(try first.claim(notice, at: .morning))
    #expect((try second.claim(notice, at: .morning + pause) != nil) == isFree)
    try first.recordDeliveries([claimed], at: .morning)
    #expect(try second.claim(notice, at: .morning + .seconds(900)) == nil)
  }

  @Test func `while notify is down each command tries one message, once`() async throws {
    fail()
    try workspace.write("kind: nothing\n", to: "jobs/settle.yml")
    for (minute, tries) in [(0, 1), (5, 1), (10, 1), (15, 2), (20, 2)] {
      try await tick(minute, ["settings", "settle"], hookStatus: 500)
      #expect(workspace.pinged.count == tries, "\(minute)")
    }
    for minute in [35, 40] { try await tick(minute, ["settings", "settle"]) }
    #expect(workspace.pinged.count == 4)
  }

  @Test func `while notify is down each message is printed once`() async throws {
    fail()
    try workspace.write("kind: nothing\n", to: "jobs/settle.yml")
    var printed: [IncidentNotice] = []
    for minute in [0, 5, 15] {
      let now = Instant.morning + .seconds(60 * minute)
      let reports = try await workspace.scheduler(
        at: ManualClock(start: now), options: RunOptions(isForced: true, isScheduled: true),
        hookStatus: 500, ended: { RunPrintout(of: $0.notices.filter(\.isForErrors)) }
      ).run(JobRequest(.named(["settings", "settle"])))
      printed += reports.flatMap(\.notices).filter(\.isForErrors)
    }
    #expect(Set(printed.map(\.incident.kind)) == [.server, .file] && printed.count == 2)
    #expect(Set(printed.map(\.failure)).count == 1 && printed[0].failure != nil)
  }

  @Test(arguments: [false, true])
  func `a reason that is added while a message is sent is told next`(isAdded: Bool) throws {
    let ledger = IncidentLedger(workspace.store)
    func fail(_ reason: String) throws -> IncidentNotice? {
      try ledger.record(
        IncidentRule.RunObservation(
          of: "a", .failed, trouble: JobTrouble(.failure, reason), lockedAt: nil),
        startedAt: .morning, at: .morning
      ).first
    }
    try ledger.recordDeliveries([try #require(try fail("Wrong."))], at: .morning)
    let changed = try #require(try fail("Other."))
    let claimed = try #require(try ledger.claim(changed, at: .morning))
    if isAdded { _ = try fail("Third.") }
    try ledger.recordDeliveries([claimed], at: .morning)
    #expect(try open()[0].isChanged == isAdded)
  }

  @Test(arguments: [
    (IncidentRule.longestUntold, true), (IncidentRule.longestUntold + .microseconds(1), false),
  ])
  func `an end that nobody was told for seven days is dropped`(age: Duration, isKept: Bool) throws {
    var incident = JobIncident(.failure, causes: ["x"], sentence: "X.", beganAt: .morning - age)
    incident.endedAt = incident.beganAt
    try workspace.store.write { _ = try $0.save(incident) }
    #expect(try workspace.store.read { try $0.openIncidents(at: .morning) }.isEmpty != isKept)
  }

  @Test func `quietly without notify an end is left to the next command`() async throws {
    try workspace.write(
      "app: {name: Chat, bundle_id: com.example.app}\n", to: "firetally.yml")
    fail()
    try await tick(0)
    try workspace.store.write { writer in
      var incident = try writer.openIncidents(at: .morning)[0]
      incident.lastMessage = JobIncident.Message(.began, at: .morning)
      incident.claimedAt = nil
      _ = try writer.save(incident)
    }
    fail(nil)
    for (isQuiet, isTold) in [(true, false), (false, true)] {
      let reports = try await workspace.run(
        .named(["settings"]), at: .morning + .seconds(60),
        options: RunOptions(isForced: true, isQuiet: isQuiet))
      #expect(reports[0].notices.contains { $0.moment == .ended } == isTold)
    }
  }

  @Test func `a run that used no credentials does not end the warning of a key`() async throws {
    workspace.services.warn(of: ["The key k can be read by others."])
    fail(FirestoreError.refusal(.permissionDenied))
    try await tick(0)
    #expect(try open().map(\.kind).contains(.warning))
    workspace.services.warn(of: [])
    fail(nil)
    // Nothing goes over the wire in these tests.
    try await tick(5)
    #expect(try open().map(\.kind) == [.warning])
  }

  @Test func `a job that stays late says for how long`() async throws {
    try await tick(0, ["settings", "settle"])
    for minute in stride(from: 30, through: 1_500, by: 30) { try await tick(minute) }
    #expect(
      subjects == [
        "Chat: settle was not started", "Chat: settle was not started, for 24 hours now",
      ])
  }

  @Test(arguments: [(500, 3_599, false), (500, 3_600, true), (200, 3_600, false)])
  func `a full disk that could not be told is told again after an hour`(
    status: Int, seconds: Int, isNews: Bool
  ) async throws {
    let scheduler = try workspace.scheduler(hookStatus: status)
    let selection = try scheduler.selection(JobRequest(.all))
    _ = try await scheduler.reportUnrecorded(
      selection, because: StoreError.diskFull(path: "/d"), after: nil)
    let note = UnrecordedRuns.note(of: workspace.folder)
    #expect(
      UnrecordedRuns.isNews(note, after: nil, at: .morning + .seconds(seconds)) == isNews)
  }
}
