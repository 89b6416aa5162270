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

/// The messages about incidents, with the scheduler in process: docs/incidents.md.
struct IncidentTests {
  private static let notify =
    "app: {name: Chat, bundle_id: com.example.app}\n"
    + "notify: {ping: https://ntfy.sh/x, body: text}\n"
  private static let jobs = [
    "settings": "kind: sync-settings\nschedule: '*/5 * * * *'\n",
    "settle": "kind: settle\nschedule: '*/5 * * * *'\n",
  ]

  private let workspace: TestWorkspace

  init() throws {
    workspace = try TestWorkspace(jobs: Self.jobs, configuration: Self.notify)
    try workspace.fill(users: 0)
  }

  /// What a scheduler starts so many minutes after the morning.
  private func tick(
    _ minutes: Int, _ jobs: [String] = ["settings"], hookStatus: Int = 200
  ) async throws {
    let clock = ManualClock(start: .morning + .seconds(60 * minutes))
    let scheduler = try workspace.scheduler(
      at: clock, options: RunOptions(isForced: true, isScheduled: true), hookStatus: hookStatus)
    _ = try await scheduler.run(JobRequest(.named(jobs)))
  }

  private func fail(_ isFailing: Bool = true) {
    workspace.services.failFirestore(with: isFailing ? FirestoreError.refusal(.unavailable) : nil)
  }

  /// The first line of each message since the last call.
  private var subjects: [String] {
    workspace.posted.map { String($0.prefix { $0 != "\n" }) }
  }

  private func incidents() throws -> [JobIncident] {
    try workspace.store.read {
      try $0.incidents(at: .morning + .seconds(10 * 86_400), onlyOpen: false, limit: 100)
    }
  }

  @Test func `an outage is told when it begins, after a day, and when it ends`() async throws {
    fail()
    for minute in stride(from: 0, through: 1_440, by: 5) { try await tick(minute) }
    #expect(
      subjects == [
        "Chat: no answer from Firestore", "Chat: no answer from Firestore, for 24 hours now",
      ])
    let list = "firetally -C \(workspace.folder.absoluteRoot) incidents\n"
    #expect(workspace.posted.allSatisfy { $0.hasSuffix(" All that is open: \(list)") })
    fail(false)
    for minute in [1_445, 1_450] { try await tick(minute) }
    #expect(subjects.last == "Chat: Firestore answers again" && subjects.count == 3)
    #expect(workspace.posted.last?.contains("after 289 runs that failed since") == true)
  }

  @Test func `a message that did not arrive is sent again after a quarter of an hour`() async throws
  {
    fail()
    try await tick(0, hookStatus: 500)
    #expect(try incidents().map(\.lastMessage) == [nil])
    for (minute, tries) in [(5, 1), (14, 1), (15, 2), (20, 2)] {
      try await tick(minute)
      #expect(workspace.pinged.count == tries, "\(minute)")
    }
  }

  /// A day and ten minutes of ticks, whose first one begins an incident, with an acknowledgement
  /// after five minutes.
  private func acknowledged(
    _ id: String, until: (day: String, at: Instant)? = nil, after minutes: Int = 5
  ) async throws {
    workspace.services.failFirestore(with: FirestoreError.refusal(.permissionDenied))
    try await tick(0)
    try workspace.store.write {
      try $0.acknowledge(
        Acknowledgement(
          id: id, at: .morning + .seconds(60 * minutes), until: until?.day, untilAt: until?.at))
    }
    for minute in stride(from: 10, through: 1_450, by: 10) { try await tick(minute) }
  }

  @Test(arguments: ["incident-1", "runs-job-settings"])
  func `what was acknowledged is not told daily, and what changes in it is`(
    id: String
  ) async throws {
    try await acknowledged(id)
    #expect(subjects == ["Chat: settings fails"])
    // Another reason of the same job, and its end.
    workspace.services.failFirestore(with: FirestoreError.refusal(.invalidArgument))
    for minute in [1_460, 1_470] { try await tick(minute) }
    #expect(subjects == ["Chat: settings fails", "Chat: settings fails"])
    for minute in stride(from: 1_480, through: 3_000, by: 10) { try await tick(minute) }
    #expect(subjects.count == 2)
    fail(false)
    try await tick(3_010)
    #expect(subjects.count == 3 && subjects.last == "Chat: settings works again")
  }

  @Test func `an acknowledgement of before, or whose day has come, keeps nothing quiet`()
    async throws
  {
    try await acknowledged("incident-1", until: ("2026-02-01", .morning + .seconds(86_340)))
    #expect(subjects.count == 2)
  }

  @Test func `an acknowledgement of something earlier keeps nothing quiet`() async throws {
    try await acknowledged("runs-job-settings", after: -1)
    #expect(subjects.count == 2)
  }

  @Test func `jobs that a lost role stops are one incident, whatever each has asked for`()
    async throws
  {
    for (minute, path) in [(0, "AppSettings/com.example"), (5, "Users"), (10, "Feedback/x")] {
      workspace.services.failFirestore(
        with: FirestoreError.refusal(.permissionDenied, request: "read \(path)"))
      try await tick(minute)
    }
    #expect(try incidents().map(\.causes.count) == [1])
    #expect(subjects == ["Chat: settings fails"])
    // An index that is missing is of one query alone.
    for (minute, path) in [(15, "Users"), (20, "Feedback/x")] {
      workspace.services.failFirestore(
        with: FirestoreError.refusal(.failedPrecondition, request: "query \(path)"))
      try await tick(minute)
    }
    #expect(try incidents().map(\.causes.count) == [3])
  }

  @Test func `a pause is told once, and jobs that were due in it are not late`() async throws {
    for minute in [0, 5] { try await tick(minute, ["settings", "settle"]) }
    for minute in [4_330, 4_335, 4_340] { try await tick(minute, ["settings", "settle"]) }
    #expect(subjects == ["Chat: nothing ran for 3 days"])
    #expect(try incidents().map(\.kind) == [.gap])
  }

  @Test func `a job that nothing starts while others run is told, and that it runs again`()
    async throws
  {
    try await tick(0, ["settings", "settle"])
    for minute in stride(from: 5, through: 15, by: 5) { try await tick(minute) }
    #expect(subjects.isEmpty)
    for minute in stride(from: 20, through: 40, by: 5) { try await tick(minute) }
    #expect(subjects == ["Chat: settle was not started"])
    try await tick(45, ["settle"])
    #expect(subjects == ["Chat: settle was not started", "Chat: settle was started again"])
  }

  @Test func `a manual run neither judges starts nor counts as one`() async throws {
    try await tick(0)
    _ = try await workspace.run(.named(["settings"]), at: .morning + .seconds(50_000))
    #expect(subjects.isEmpty)
    try await tick(50_000 / 60)
    #expect(subjects.count == 1)
  }

  @Test func `a wrong job file is told once, and that it is right again`() async throws {
    try workspace.write("kind: nothing\n", to: "jobs/settle.yml")
    for minute in [0, 5, 10] { try await tick(minute, ["settle"]) }
    #expect(subjects == ["Chat: settle cannot run, the file is wrong"])
    try workspace.write("kind: settle\n", to: "jobs/settle.yml")
    try await tick(15, ["settle"])
    #expect(subjects.last == "Chat: settle works again")
  }

  @Test func `runs that could not be recorded are told as over by the first that is`()
    async throws
  {
    try await tick(0)
    let missed = Instant.morning + .seconds(600)
    UnrecordedRuns.leaveNote(in: workspace.folder, at: missed, toldAt: missed)
    for minute in [15, 20] { try await tick(minute) }
    #expect(subjects == ["Chat: runs are recorded again"])
  }

  @Test(
    arguments: [
      (nil, nil, true), (0, nil, false), (86_339, nil, false), (86_340, nil, true),
      (600, 300, true), (600, 900, false), (-301, nil, true),
    ] as [(Int64?, Int64?, Bool)])
  func `runs that cannot be recorded are news once a day, and after one that was`(
    noted: Int64?, newest: Int64?, isNews: Bool
  ) {
    let now = Instant.morning
    let note = noted.map {
      UnrecordedRuns.Note(at: now - .seconds(min($0, 600)), toldAt: now - .seconds($0))
    }
    #expect(
      UnrecordedRuns.isNews(note, after: newest.map { now - .seconds($0) }, at: now) == isNews)
  }

  @Test func `a hook that fails with every run of every job is one incident`() async throws {
    let hooks = "hooks: {on_success: {ping: 'https://h/x'}}\n"
    for (name, text) in Self.jobs { try workspace.write(text + hooks, to: "jobs/\(name).yml") }
    for minute in [0, 5] { try await tick(minute, ["settings", "settle"], hookStatus: 500) }
    let open = try incidents()
    #expect(open.map(\.kind) == [.warning] && open[0].jobs == ["settings", "settle"])
    try await tick(15, ["settings", "settle"])
    #expect(subjects.last == "Chat: a warning of settings and settle is over")
  }
}

/// Whom `notify` names: docs/incidents.md#notify.
struct NotifyTargetTests {
  @Test(
    arguments: [
      (
        "https://ntfy.sh/x",
        NotifyTarget.hook(Hook(action: .ping(url: "https://ntfy.sh/x"), body: .text))
      ),
      (
        "https://hooks.slack.com/services/x",
        .hook(Hook(action: .ping(url: "https://hooks.slack.com/services/x"), body: .slack))
      ),
      ("mail:you@example.com", .mail(address: "you@example.com")),
      ("mail -s hm you", .hook(Hook(action: .command("mail -s hm you"), body: .text))),
      (
        "curl -d @- https://a/b",
        .hook(Hook(action: .command("curl -d @- https://a/b"), body: .text))
      ),
      ("mail:", nil), ("mail:a b@c", nil), ("mail:a@b\nBcc: c", nil), ("mail:-t@b", nil),
      ("ftp://a/b", nil), ("ops@example.com", nil), ("a@b.c, d@e.f", nil), ("a@b.c d@e.f", nil),
      ("./a@b c", .hook(Hook(action: .command("./a@b c"), body: .text))),
    ] as [(String, NotifyTarget?)])
  func `an address, mail or a command`(text: String, target: NotifyTarget?) {
    #expect(NotifyTarget(text) == target)
  }

  @Test func `the key takes a text or a hook, and names what it takes`() throws {
    func config(_ line: String) throws -> NotifyTarget? {
      let workspace = try TestWorkspace(
        jobs: [:], configuration: "app: {name: Chat, bundle_id: com.example.app}\n\(line)\n")
      return try withExtendedLifetime(workspace) { try workspace.folder.config().notify }
    }
    #expect(try config("notify: mail:a@b.c") == .mail(address: "a@b.c"))
    #expect(
      try config("notify: {ping: https://h/x, body: slack, retries: 1}")
        == .hook(Hook(action: .ping(url: "https://h/x"), body: .slack, retries: 1)))
    #expect(try config("notify:") == nil)
    let subject = #"mail -s "${FIRETALLY_MOMENT} ${FIRETALLY_INCIDENT} ${FIRETALLY_HEADLINE}" me"#
    #expect(
      try config("notify: '\(subject)'") == .hook(Hook(action: .command(subject), body: .text)))
    #expect {
      try config("notify: 'mail:'")
    } throws: { "\($0)".contains("must be https://…, mail:you@example.com or a command") }
  }
}
