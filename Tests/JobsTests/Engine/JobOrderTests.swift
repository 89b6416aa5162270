import Fixtures
import Testing

@testable import Jobs
@testable import Workspace

struct JobOrderTests {
  static let needs = [
    "report": ["events", "users"], "users": ["settings"], "events": [], "settings": [],
    "maintain": [], "alone": ["gate"], "gate": ["maintain"],
  ]
  static let jobs = needs.map {
    Job(name: $0.key, definition: MaintainOptions(), needs: $0.value)
  }

  private func order(_ names: [String], withNeeds: Bool = false) throws(WorkspaceError) -> [String]
  {
    try JobSelection(named: names, of: JobCatalog(jobs: Self.jobs), withNeeds: withNeeds)
      .jobs.map(\.name)
  }

  @Test func `a job alone runs alone`() throws {
    #expect(try order(["report"]) == ["report"])
  }

  @Test func `what a selected job needs comes before it`() throws {
    #expect(try order(["report", "settings", "users"]) == ["settings", "users", "report"])
  }

  @Test func `jobs that do not depend on each other come by name`() throws {
    #expect(try order(["settings", "maintain", "events"]) == ["events", "maintain", "settings"])
  }

  @Test func `a need through a job that is not selected still orders`() throws {
    #expect(try order(["alone", "maintain"]) == ["maintain", "alone"])
    #expect(try order(["report", "settings"]) == ["settings", "report"])
  }

  @Test func `with needs, all that is needed is selected, and nothing else`() throws {
    #expect(
      try order(["report"], withNeeds: true) == ["events", "settings", "users", "report"])
    #expect(try order(["events"], withNeeds: true) == ["events"])
  }

  @Test func `all jobs run by name as far as their needs allow`() throws {
    #expect(
      try order(Self.needs.keys.sorted()) == [
        "events", "maintain", "gate", "alone", "settings", "users", "report",
      ])
  }

  @Test func `a report comes last, unless another job needs it`() throws {
    func job(_ name: String, _ definition: any JobKind, needs: [String] = []) -> Job {
      Job(name: name, definition: definition, needs: needs)
    }
    let maintain = MaintainOptions()
    let report = ReportOptions()
    var jobs = [job("a-report", report), job("settle", maintain), job("zebra", maintain)]
    let names = jobs.map(\.name)
    #expect(
      try JobOrder.order(names, of: jobs).map(\.name) == ["settle", "zebra", "a-report"])
    jobs[2].needs = ["a-report"]
    #expect(
      try JobOrder.order(names, of: jobs).map(\.name) == ["settle", "a-report", "zebra"])
  }

  @Test func `a selection tells jobs from those whose files are wrong`() throws {
    let maintain = MaintainOptions()
    let error = ConfigurationError([])
    let catalog = JobCatalog(
      jobs: [
        Job(name: "a", definition: maintain, needs: ["bad"]), Job(name: "b", definition: maintain),
      ],
      broken: [BrokenJob(name: "bad", error: error), BrokenJob(name: "worse", error: error)])
    func names(_ selection: JobSelection) -> [[String]] {
      [selection.jobs.map(\.name), selection.broken.map(\.name)]
    }
    #expect(names(try JobSelection(named: ["a"], of: catalog)) == [["a"], []])
    #expect(
      names(try JobSelection(named: ["a"], of: catalog, withNeeds: true)) == [["a"], ["bad"]])
    #expect(names(try JobSelection(named: ["b", "worse"], of: catalog)) == [["b"], ["worse"]])
    let unknown = #expect(throws: WorkspaceError.self) {
      try JobSelection(named: ["bat"], of: catalog)
    }
    #expect(unknown == .unknownJob(name: "bat", closest: "bad", known: ["a", "b", "bad", "worse"]))
  }

  @Test func `a job named twice runs once, and nothing named runs nothing`() throws {
    #expect(try order(["events", "events"]) == ["events"])
    #expect(try order([]) == [])
  }

  @Test func `an unknown name is an error with the closest job`() {
    #expect(
      throws: WorkspaceError.unknownJob(
        name: "event", closest: "events", known: Self.needs.keys.sorted())
    ) { try order(["report", "event"]) }
  }

  @Test(arguments: UInt64(1)...20)
  func `the order of the selection does not matter`(seed: UInt64) throws {
    let names = Self.needs.keys.sorted()
    var generator = SeededGenerator(seed: seed)
    let shuffled = names.shuffled(using: &generator)
    #expect(shuffled != names, "The seed leaves the order as it was.")
    #expect(try order(shuffled) == order(names))
  }
}
