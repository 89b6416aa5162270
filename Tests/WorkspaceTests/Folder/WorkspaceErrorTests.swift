import Model
import Testing

@testable import Workspace

struct WorkspaceErrorTests {
  private static let wrong = ConfigurationError([
    ConfigurationProblem(file: "a.yml", line: 1, column: 2, keyPath: "app", message: "is odd")
  ])
  private static let owner = LockOwner(
    pid: 123, host: "mars", since: Instant(unixSeconds: 0), command: "firetally run --all")

  private static func budget(
    perRun: Int? = nil, perDay: Int? = nil, edition: FirestoreEdition = .standard
  ) -> ReadBudget {
    ReadBudget(
      maxPerRun: perRun, maxPerDay: perDay, readToday: 40, now: Instant(unixSeconds: 0),
      edition: edition)
  }

  @Test(
    arguments: [
      (WorkspaceError.notAWorkspace(path: "/x"), WorkspaceError.Category.configuration),
      (.configuration(wrong), .configuration),
      (.jobFiles(wrong), .badData),
      (.unknownJob(name: "x", closest: nil, known: []), .usage),
      (.lockHeld(by: nil, waited: .zero), .tryLater),
      (.file(FileFailure(action: "write", path: "/x", code: 28)), .failed),
      (.readBudget(budget(perRun: 1), spent: 1), .tryLater),
      (.readBudgetTooSmall(budget(perRun: 1), needed: 2), .tryLater),
    ])
  func `every error has its category`(error: WorkspaceError, category: WorkspaceError.Category) {
    #expect(error.category == category)
  }

  @Test func `a folder that is no workspace says how to make one`() {
    #expect(
      WorkspaceError.notAWorkspace(path: "/srv").description
        == "/srv is not a workspace: it has no firetally.yml. "
        + "Type `firetally init` there to make one, or name another folder with -C.")
  }

  @Test func `configuration errors are their problems, one a line`() {
    #expect(WorkspaceError.configuration(Self.wrong).description == "a.yml:1:2: app: is odd")
    #expect(WorkspaceError.jobFiles(Self.wrong).description == "a.yml:1:2: app: is odd")
  }

  @Test(arguments: [
    ("settings" as String?, ["settings"], "Did you mean 'settings'?"),
    (nil, ["a", "b"], "Its jobs are: a, b."),
    (nil, [], "It has no job files: `firetally init` adds the shipped ones."),
  ])
  func `an unknown job is answered with what there is`(
    closest: String?, known: [String], advice: String
  ) {
    #expect(
      WorkspaceError.unknownJob(name: "x", closest: closest, known: known).description
        == "There is no job 'x' in this workspace. \(advice)")
  }

  @Test func `a held lock names its holder, the wait and the way out`() {
    #expect(
      WorkspaceError.lockHeld(by: Self.owner, waited: .seconds(10)).description
        == "Another process holds this workspace: pid 123 (firetally run --all) on mars "
        + "since 1970-01-01T00:00:00Z. Waited 10s; try again later, or wait longer with --lock-wait."
    )
    #expect(
      WorkspaceError.lockHeld(by: nil, waited: .zero).description.contains("it did not say which"))
  }

  @Test(arguments: [
    (LockVerdict.covered, ", and runs a job that online-users needs. Waited 10s."),
    (.otherWork, ". Waited 10s; try again later, or wait longer with --lock-wait."),
    (
      .overtime,
      ", longer than its timeout of 5m allows. Waited 10s; try again later, or wait "
        + "longer with --lock-wait."
    ),
  ])
  func `a job that was locked out names the holder's job, and what that means`(
    verdict: LockVerdict, end: String
  ) {
    var owner = Self.owner
    owner.begin(job: "settings", timeout: .seconds(300), at: Instant(unixSeconds: 9))
    let lockout = Lockout(
      job: "online-users", owner: owner, waited: .seconds(10), verdict: verdict)
    #expect(
      lockout.description
        == "Not run: the job settings of pid 123 (firetally run --all) on mars since "
        + "1970-01-01T00:00:00Z holds the workspace\(end)")
    #expect(WorkspaceError.lockedOut(lockout).category == .tryLater)
  }

  @Test func `a spent budget says what was read, which limit it was, and when to go on`() {
    #expect(
      WorkspaceError.readBudget(Self.budget(perRun: 50, perDay: 100), spent: 50).description
        == "Stopped at the read budget: this run used 50 billed reads; max_reads in the job "
        + "file allows 50. What it read is stored, and the next run continues "
        + "from there.")
    #expect(
      WorkspaceError.readBudget(Self.budget(perDay: 100), spent: 60).description
        == "Stopped at the read budget: this run used 60 billed reads; "
        + "cost.max_reads_per_day in firetally.yml allows 100 a day; other runs used 40. "
        + "What it read is stored, and the next run continues from there after "
        + "1970-01-01T08:00:00Z, midnight Pacific time.")
    #expect(
      WorkspaceError.readBudgetTooSmall(Self.budget(perDay: 100), needed: 250).description.contains(
        "may need 250 billed reads"))
    let endless = WorkspaceError.readBudgetTooSmall(Self.budget(perDay: 100), needed: nil)
      .description
    #expect(endless.contains("may need any number of billed reads"))
    #expect(!endless.contains("midnight"))
  }

  @Test(arguments: [
    (FirestoreEdition.standard, 0, "0 billed reads"), (.standard, 1, "1 billed read"),
    (.standard, 2, "2 billed reads"), (.enterprise, 1, "1 read unit"),
    (.enterprise, 50, "50 read units"),
  ])
  func `a spent budget counts what the edition bills`(
    edition: FirestoreEdition, count: Int, words: String
  ) {
    let budget = Self.budget(perRun: 9, edition: edition)
    let start = "Stopped at the read budget: this"
    #expect(
      WorkspaceError.readBudget(budget, spent: count).description
        .hasPrefix("\(start) run used \(words); max_reads in the job file allows 9."))
    #expect(
      WorkspaceError.adHocBudget(budget, spent: count).description
        .hasPrefix("\(start) command used \(words); --max-reads allows 9."))
    #expect(
      WorkspaceError.readBudgetTooSmall(budget, needed: count).description
        .contains("may need \(words); max_reads"))
    #expect(
      WorkspaceError.readBudgetTooSmall(budget, needed: nil).description
        .contains("any number of \(edition.billedNoun)s (max_documents: all)"))
  }

  @Test(arguments: [false, true])
  func `the end of a run adds the edition, and whether a scan did not fit`(atScan: Bool) {
    let ended = Self.budget(perRun: 9).ended(on: .enterprise, atScan: atScan)
    let sentence = WorkspaceError.readBudget(ended, spent: 4).description
    #expect(sentence.contains("used 4 read units;"))
    #expect(sentence.contains("make the index that `firetally plan` prints") == atScan)
  }
}
