import Fixtures
import Testing

@testable import Model

/// Held against `docs/incidents.md#rules`.
@Suite struct IncidentRuleTests {
  private let start = Instant.morning
  private let minute = Duration.seconds(60)

  /// The incidents after runs of jobs, each a minute after the one before.
  private func incidents(
    after runs: [(job: String, outcome: Run.Outcome, trouble: JobTrouble?)],
    among before: [JobIncident] = [], from start: Instant = .morning
  ) -> [JobIncident] {
    var all = before
    for (index, run) in runs.enumerated() {
      let now = start + minute * index
      let observation = IncidentRule.RunObservation(
        of: run.job, run.outcome, trouble: run.trouble, lockedAt: now)
      for var after in IncidentRule.judge(observation, among: all, at: now) {
        if let known = all.firstIndex(where: { $0.id == after.id && after.id != nil }) {
          all[known] = after
        } else {
          after.id = Int64(all.count + 1)
          all.append(after)
        }
      }
    }
    return all
  }

  private let refused = JobTrouble(.failure, "Refused after 10 s.")
  private let silent = JobTrouble(.server, cause: "Firestore", "No answer in 10 s.")

  @Test func `failures in a row are one incident, which the next success ends`() {
    let all = incidents(after: [
      ("a", .failed, refused), ("a", .failed, JobTrouble(.failure, "Refused after 9 s.")),
      ("a", .ok, nil), ("a", .ok, nil),
    ])
    #expect(all.count == 1 && all[0].runs == 2 && all[0].beganAt == start)
    #expect(all[0].endedAt == start + minute * 2 && all[0].waiting.isEmpty && all[0].jobs == ["a"])
  }

  @Test func `one silent server is one incident of all jobs, and one answer ends it`() {
    let runs = [("a", Run.Outcome.failed, silent), ("b", .failed, silent), ("c", .failed, silent)]
    let open = incidents(after: runs)
    #expect(open.count == 1 && open[0].waiting == ["a", "b", "c"] && open[0].runs == 3)
    #expect(incidents(after: [("b", .ok, nil)], among: open)[0].isOver)
    #expect(!incidents(after: [("d", .ok, nil)], among: open)[0].isOver)
  }

  /// Each run begins so long after the only one that met the server.
  @Test func `a server that nobody asked is not said to answer again`() {
    let (unmet, tick) = (IncidentRule.longestUnmet, Duration.microseconds(1))
    let cases: [(Run.Outcome, JobTrouble?, Duration, isOver: Bool, isTold: Bool)] = [
      (.fresh, nil, .zero, false, false), (.fresh, nil, unmet - tick, false, false),
      (.fresh, nil, unmet, true, false), (.fresh, nil, .seconds(-301), true, false),
      (.ok, nil, .zero, true, true), (.ok, nil, unmet, true, true),
      (.partial, nil, .zero, true, true), (.failed, refused, .zero, true, false),
      (.blocked, nil, unmet, false, false), (.interrupted, silent, unmet, false, false),
      (.locked, nil, unmet, false, false),
    ]
    for (outcome, trouble, age, isOver, isTold) in cases {
      var open = incidents(after: [("a", .failed, silent)])
      open[0].lastMessage = JobIncident.Message(.began, at: start)
      let after = incidents(after: [("a", outcome, trouble)], among: open, from: start + age)[0]
      #expect(after.isOver == isOver, "\(outcome) after \(age)")
      let message = IncidentRule.message(about: after, at: start + age)
      #expect((message == .ended) == isTold, "\(outcome) after \(age)")
      #expect(after.waiting == (isOver ? [] : ["a"]))
    }
  }

  @Test func `jobs that fail for one reason are one incident until each has done well`() {
    let open = incidents(after: [("a", .failed, refused), ("b", .failed, refused)])
    #expect(open.count == 1)
    let half = incidents(after: [("a", .ok, nil)], among: open)
    #expect(half.count == 1 && half[0].waiting == ["b"] && !half[0].isOver)
    #expect(incidents(after: [("b", .ok, nil)], among: half)[0].isOver)
  }

  @Test func `a job that fails otherwise stays in its incident, and the new reason is news once`() {
    var open = incidents(after: [("a", .failed, refused)])
    #expect(!open[0].isChanged)
    open = incidents(after: [("a", .failed, JobTrouble(.failure, "Wrong."))], among: open)
    #expect(open.count == 1 && open[0].isChanged && open[0].causes.count == 2)
    open[0].isChanged = false
    open = incidents(after: [("a", .failed, refused)], among: open)
    #expect(!open[0].isChanged)
  }

  @Test func `a sentence more of a partial run is news, and one less is not`() {
    func left(_ sentences: String...) -> (String, Run.Outcome, JobTrouble?) {
      ("a", .partial, JobTrouble(.partial, sentences: sentences))
    }
    func sightings(_ troubles: [(String, Run.Outcome, JobTrouble?)]) -> JobIncident {
      var all: [JobIncident] = []
      for case (let job, _, let trouble?) in troubles {
        let observation = IncidentRule.RunObservation(job: job, troubles: [trouble])
        all = IncidentRule.judge(observation, among: all, at: start)
        all[0].id = 1
      }
      return all[0]
    }
    #expect(!sightings([left("X 1.", "Y.")]).isChanged)
    #expect(!sightings([left("X 1.", "Y."), left("X 2.")]).isChanged)
    #expect(sightings([left("X 1."), left("X 1.", "Y.")]).isChanged)
  }

  @Test func `a job that another server stops instead leaves its incident`() {
    let all = incidents(after: [("a", .failed, silent), ("a", .failed, refused)])
    #expect(all.map(\.kind) == [.server, .failure] && all[0].isOver && !all[1].isOver)
  }

  @Test func `an end is told after work that was done, and never beside another failure`() {
    let wrong = JobTrouble(.file, "Wrong.")
    let other = JobTrouble(.server, cause: "a feed", "No answer in 10 s.")
    let cases: [(before: JobTrouble, Run.Outcome, JobTrouble?, isOver: Bool, isTold: Bool)] = [
      (silent, .ok, nil, true, true), (refused, .partial, nil, true, true),
      (silent, .failed, refused, true, false), (silent, .failed, other, true, false),
      (refused, .failed, silent, true, false), (wrong, .failed, refused, true, false),
      (silent, .failed, silent, false, false), (refused, .failed, other, true, false),
      (refused, .interrupted, silent, false, false),
    ]
    for (before, outcome, trouble, isOver, isTold) in cases {
      var open = incidents(after: [("a", .failed, before)])
      open[0].lastMessage = JobIncident.Message(.began, at: start)
      let after = incidents(after: [("a", outcome, trouble)], among: open, from: start + minute)
      let message = IncidentRule.message(about: after[0], at: start + minute)
      #expect(after[0].isOver == isOver && (message == .ended) == isTold, "\(after)")
      // There is a message about the failure that took its place, as one that just began.
      for new in after.dropFirst() {
        #expect(IncidentRule.message(about: new, at: start + minute) == .began)
      }
    }
  }

  @Test(arguments: [
    (Run.Outcome.ok, true, true, true), (.partial, true, false, true), (.fresh, true, false, true),
    (.interrupted, false, false, true), (.blocked, false, false, false),
    (.locked, false, false, false),
  ])
  func `what the end of a run without trouble says`(
    outcome: Run.Outcome, endsFailure: Bool, endsPartial: Bool, endsLock: Bool
  ) {
    let open = [
      JobIncident(.failure, causes: ["x"], sentence: "x", jobs: ["a"], beganAt: start),
      JobIncident(.partial, causes: ["x"], sentence: "x", jobs: ["a"], beganAt: start),
      JobIncident(.lock, causes: ["lock"], sentence: "x", jobs: ["b"], beganAt: start),
    ].enumerated().map { index, incident in
      var incident = incident
      incident.id = Int64(index)
      return incident
    }
    let after = incidents(after: [("a", outcome, nil)], among: open)
    #expect(after.map(\.isOver) == [endsFailure, endsPartial, endsLock])
  }

  @Test func `an interruption begins nothing, and a report does not say that the lock is free`() {
    #expect(incidents(after: [("a", .interrupted, refused)]).isEmpty)
    let observation = IncidentRule.RunObservation(of: "report", .ok, trouble: nil, lockedAt: nil)
    let lock = JobIncident(.lock, causes: ["lock"], sentence: "x", jobs: ["b"], beganAt: start)
    #expect(IncidentRule.judge(observation, among: [lock], at: start).isEmpty)
  }

  /// A command of several jobs goes on while another one waits for its lock.
  @Test(arguments: [
    (Duration.microseconds(-1), Duration.seconds(60), false), (.zero, .seconds(60), true),
    (.microseconds(1), .seconds(60), true), (.seconds(-301), .seconds(-300), false),
    (.seconds(-301), .seconds(-301), true),
  ])
  func `only who took the lock after the last refusal says that it is free`(
    taken: Duration, began: Duration, isOver: Bool
  ) throws {
    let refusal = IncidentRule.RunObservation(
      of: "b", .locked, trouble: JobTrouble(.lock, cause: "lock", "Held."), lockedAt: nil)
    let lock = try #require(IncidentRule.judge(refusal, among: [], at: start).first)
    let run = IncidentRule.RunObservation(of: "a", .ok, trouble: nil, lockedAt: start + taken)
    let after = IncidentRule.judge(run, among: [lock], at: start + began)
    #expect(after.map(\.isOver) == (isOver ? [true] : []))
  }

  @Test(arguments: [
    (IncidentRule.memory - .microseconds(1), 1), (IncidentRule.memory, 1),
    (IncidentRule.memory + .microseconds(1), 2), (.zero, 1),
  ])
  func `trouble that comes back within a day of its end is the same incident`(
    pause: Duration, count: Int
  ) {
    let over = incidents(after: [("a", .failed, refused), ("a", .ok, nil)])
    let back = incidents(
      after: [("a", .failed, refused)], among: over, from: start + minute + pause)
    #expect(back.count == count)
    #expect(back[0].returns == (count == 1 ? 1 : 0) && back[0].isOver == (count == 2))
    let other = incidents(after: [("b", .failed, refused)], among: over, from: start + minute)
    #expect(other.count == 2, "the failure of another job is another incident")
  }

  @Test func `an incident remembers the newest reasons, as many as its limit`() {
    func causes(_ count: Int) -> [String] {
      incidents(
        after: (0..<count).map {
          ("a", .failed, JobTrouble(.failure, String(repeating: "x", count: $0 + 1)))
        })[0].causes
    }
    #expect(causes(IncidentRule.mostReasons).first == "x")
    #expect(causes(IncidentRule.mostReasons + 1).first == "xx")
    #expect(causes(IncidentRule.mostReasons + 1).count == IncidentRule.mostReasons)
  }

  @Test(arguments: [
    (Duration.zero, IncidentRule.claim), (IncidentRule.claim * 2, IncidentRule.claim * 2),
  ])
  func `a claim lasts as long as telling may take, and 15 minutes at least`(
    time: Duration, lasts: Duration
  ) {
    var incident = JobIncident(
      .failure, causes: ["x"], sentence: "X.", beganAt: Instant(unixSeconds: 1_000_000))
    incident.claimedAt = incident.beganAt
    let end = incident.beganAt + lasts
    #expect(IncidentRule.isUnclaimed(incident, at: end, for: time))
    #expect(!IncidentRule.isUnclaimed(incident, at: end - .microseconds(1), for: time))
  }

  private func incident(
    told: JobIncident.Moment?, isOver: Bool = false, returns: Int = 0, isChanged: Bool = false
  ) -> JobIncident {
    var incident = JobIncident(.failure, causes: ["x"], sentence: "x", jobs: ["a"], beganAt: start)
    incident.lastMessage = told.map { JobIncident.Message($0, at: start) }
    incident.endedAt = isOver ? start : nil
    (incident.returns, incident.isChanged) = (returns, isChanged)
    return incident
  }

  @Test func `what there is to tell, by what was told and how long ago`() {
    let (day, hour, tick) = (IncidentRule.repetition, IncidentRule.quiet, Duration.microseconds(1))
    let cases: [(JobIncident, Duration, JobIncident.Moment?)] = [
      (incident(told: nil), .zero, .began), (incident(told: nil, isOver: true), .zero, .ended),
      (incident(told: .began), day - tick, nil), (incident(told: .began), day, .lasts),
      (incident(told: .lasts), day, .lasts), (incident(told: .began, isOver: true), .zero, .ended),
      (incident(told: .ended, isOver: true), day, nil),
      (incident(told: .began, isChanged: true), .zero, .changed),
      (incident(told: .changed, isChanged: true), hour - tick, nil),
      (incident(told: .changed, isChanged: true), hour, .changed),
      (incident(told: .ended, returns: 1), hour - tick, nil),
      (incident(told: .ended, returns: 1), hour, .again),
      (incident(told: .again, isOver: true, returns: 1), hour - tick, nil),
      (incident(told: .again, isOver: true, returns: 1), hour, .ended),
      // The last message has the time of a wrong clock: as if there had been none.
      (incident(told: .began), .seconds(-300), nil),
      (incident(told: .began), .seconds(-300) - tick, .began),
      (incident(told: .ended, isOver: true), .seconds(-301), nil),
    ]
    for (incident, age, moment) in cases {
      #expect(
        IncidentRule.message(about: incident, at: start + age) == moment, "\(incident) \(age)")
    }
  }

  @Test(arguments: [
    (JobIncident.Kind.file, true), (.configuration, true), (.failure, false), (.partial, false),
  ])
  func `another text about a file is told at once, after another one as well`(
    kind: JobIncident.Kind, isAtOnce: Bool
  ) {
    var incident = JobIncident(kind, causes: ["x"], sentence: "x", jobs: ["a"], beganAt: start)
    (incident.lastMessage, incident.isChanged) = (JobIncident.Message(.changed, at: start), true)
    #expect((IncidentRule.message(about: incident, at: start) == .changed) == isAtOnce)
    incident.isChanged = false
    #expect(IncidentRule.message(about: incident, at: start) == nil)
  }

  @Test func `a file that is wrong at another line, or as it was before, is news`() {
    func wrong(_ sentence: String) -> IncidentRule.RunObservation {
      IncidentRule.RunObservation(job: "a", troubles: [JobTrouble(.file, sentence)])
    }
    var open: [JobIncident] = []
    let seen = [("x.yml:1.", false), ("x.yml:2.", true), ("x.yml:2.", false), ("x.yml:1.", true)]
    for (sentence, isNews) in seen {
      open = IncidentRule.judge(wrong(sentence), among: open, at: start)
      #expect(open.count == 1 && open[0].isChanged == isNews, "\(sentence)")
      open[0].isChanged = false
    }
  }

  @Test(arguments: [IncidentRule.mostReasons - 1, IncidentRule.mostReasons, 25])
  func `the reasons of one run are news once, however many there are`(count: Int) {
    func left(_ sentences: [String]) -> IncidentRule.RunObservation {
      IncidentRule.RunObservation(job: "a", troubles: [JobTrouble(.partial, sentences: sentences)])
    }
    let all = (1...count).map { String(repeating: "x", count: $0) }
    var open = IncidentRule.judge(left(["Y."]), among: [], at: start)
    open = IncidentRule.judge(left(all), among: open, at: start)
    #expect(open[0].isChanged && open[0].causes.count == IncidentRule.mostReasons)
    open[0].isChanged = false
    #expect(!IncidentRule.judge(left(all), among: open, at: start)[0].isChanged)
  }

  @Test(arguments: [
    (JobIncident.Kind.partial, 2), (.file, 2), (.failure, 1), (.server, 1), (.warning, 1),
  ])
  func `what two jobs leave out, and two wrong files, are two incidents`(
    kind: JobIncident.Kind, count: Int
  ) {
    var all: [JobIncident] = []
    for job in ["a", "b"] {
      let observation = IncidentRule.RunObservation(
        job: job, troubles: [JobTrouble(kind, "The same.")])
      let after = IncidentRule.judge(observation, among: all, at: start)
      all = count == 1 ? after : all + after
    }
    #expect(all.count == count && all.allSatisfy { $0.jobs.count == 3 - count })
  }

  @Test(arguments: [([], true), (["key"], false), (["other"], true)] as [(Set<String>, Bool)])
  func `a run does not end what it could not have met`(unknown: Set<String>, isOver: Bool) {
    let open = JobIncident(.warning, causes: ["key"], sentence: "x", jobs: ["a"], beganAt: start)
    let observation = IncidentRule.RunObservation(job: "a", cleared: [.warning], unknown: unknown)
    #expect(
      IncidentRule.judge(observation, among: [open], at: start).map(\.isOver)
        == (isOver ? [true] : [])
    )
  }

  @Test(arguments: [(0, true), (-1, false), (-1, true)] as [(Int64, Bool)])
  func `a late job was started, or has no schedule, or is late still`(
    startedAfter: Int64, isScheduled: Bool
  ) {
    var check = WorkspaceCheck(kinds: [.clock], jobs: ["a"])
    check.lastStarts = ["a": start + .microseconds(startedAfter)]
    check.unscheduled = isScheduled ? [] : ["a"]
    let late = JobIncident(.late, causes: ["a"], sentence: "x", jobs: ["a"], beganAt: start)
    let after = check.changes(among: [late], at: start + minute)
    #expect(after.map(\.endedAt) == (startedAfter == 0 || !isScheduled ? [start + minute] : []))
    #expect(after.allSatisfy { $0.isUnscheduled == !isScheduled && $0.waiting.isEmpty })
  }

  @Test func `an incident of jobs that are gone ends when none is left that it waits for`() throws {
    let open = incidents(after: [("a", .failed, refused), ("b", .failed, refused)])[0]
    #expect(IncidentRule.left(open, jobs: ["a", "b", "c"], at: start) == nil)
    let half = try #require(IncidentRule.left(open, jobs: ["b"], at: start))
    #expect(half.jobs == ["b"] && half.waiting == ["b"] && !half.isOver)
    let gone = try #require(IncidentRule.left(half, jobs: [], at: start))
    #expect(gone.isOver && gone.isOfGoneJobs && gone.jobs == ["b"])
    #expect(IncidentRule.left(gone, jobs: [], at: start) == nil)
    let ended = incidents(after: [("b", .ok, nil)], among: [half])[0]
    #expect(ended.isOver && !ended.isOfGoneJobs)
  }

  @Test func `a cause is the sentence with a sign for every number`() {
    #expect(JobTrouble(.failure, "Waited 10 s, 3 of 12.").causes == ["Waited # s, # of #."])
  }
}
