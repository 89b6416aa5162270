import Fixtures
import Foundation
import Glibc
import Model
import Platform
import Synchronization
import Testing

@testable import Jobs
@testable import Workspace
@testable import ReportWriters
@testable import Reports

/// Dated copies: whole or not there, whatever dies while they are written.
struct HistoryFolderTests {
  private let folder: TemporaryFolder
  private var path: String { "\(folder.path)/history" }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// No process has it: beyond the largest that Linux gives.
  private static let dead = DraftWriter(process: 4_194_305)

  private static func summary(_ day: String, taps: Int = 1) throws -> [UInt8] {
    let now = try #require(Instant(iso8601: "\(day)T06:30:00Z"))
    let frame = ReportContext(
      appName: "ChatHub", now: now, timeZone: "UTC", start: now - .seconds(86_400), end: now)
    let report = Report(
      name: .usage, title: "Usage", context: frame,
      dataTime: Report.DataTime(label: "Newest event", at: nil), summary: "",
      headline: [Figure(id: "taps", label: "Taps", value: .count(taps))], sections: [])
    return try #require(PastReport(of: [report])).bytes()
  }

  /// Does all that a run does with the folder.
  private func write(
    _ day: String, keeping count: Int = 2, taps: Int = 1, calls: FileCalls = .system,
    writer: DraftWriter = .current
  ) throws {
    let history = HistoryFolder(path: path, calls: calls, writer: writer)
    try history.prepare()
    let copy = try DatedCopy(of: day, in: history)
    for name in ["index.html", "usage.csv"] {
      try copy.write(Array("\(day) \(taps)".utf8), as: name)
    }
    try copy.finish(try Self.summary(day, taps: taps))
    try history.prune(keeping: count, today: day)
  }

  /// Every file under the folder with its text, by its path.
  private func tree() throws -> [String: String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return Dictionary(
      uniqueKeysWithValues: names.filter { $0.contains("/") }.map { name in
        (name, (try? folder.text(of: "history/\(name)")) ?? "?")
      })
  }

  private var days: [String] { get throws { try HistoryFolder(path: path).days() } }

  @Test func `each day has one copy, the newest so many stay`() throws {
    for day in ["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-20"] { try write(day) }
    #expect(try days == ["2026-11-20", "2026-11-19"])
    #expect(
      try tree().keys.sorted() == [
        "2026-11-19/index.html", "2026-11-19/summary.json", "2026-11-19/usage.csv",
        "2026-11-20/index.html", "2026-11-20/summary.json", "2026-11-20/usage.csv",
      ])
  }

  @Test func `the copy before a day gets its link, and the oldest one loses that to one that went`()
    throws
  {
    let history = HistoryFolder(path: path)
    try write("2026-11-19")
    let page = #"<p><span class="earlier"> · <a>old</a></span><span class="later"></span></p>"#
    try folder.write(page, to: "history/2026-11-19/index.html")
    try write("2026-11-20")
    let day = try #require(HistoryReport.Day("2026-11-20", report: nil))
    try history.link("2026-11-19", to: HistoryReport.link(to: day), on: .later)
    try history.link("2026-11-19", to: nil, on: .earlier)
    try history.link("2026-11-01", to: nil, on: .earlier)
    let linked = try #require(try tree()["2026-11-19/index.html"])
    #expect(linked.contains(#"<a href="../2026-11-20/index.html">The one after, of "#))
    #expect(linked.contains(#"<span class="earlier"></span>"#))
    #expect(try tree()["2026-11-19/usage.csv"] == "2026-11-19 1")
  }

  @Test func `the last report of a day is the one that is kept`() throws {
    try write("2026-11-20", taps: 1)
    try write("2026-11-20", taps: 2)
    #expect(try folder.text(of: "history/2026-11-20/index.html") == "2026-11-20 2")
    #expect(try folder.names() == ["history"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["2026-11-20"])
  }

  private func writeOften(_ calls: FileCalls) throws {
    for round in 0..<10 {
      for day in ["2026-11-19", "2026-11-20"] {
        try write(day, keeping: 1, taps: round, calls: calls)
      }
    }
  }

  @Test func `reports that are written at once all end, and leave one whole copy`() async throws {
    var calls = FileCalls.system
    let rename = calls.rename
    calls.rename = { path, target in
      // Leaves the others time to come between two steps.
      usleep(1_000)
      return rename(path, target)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask { [calls] in
          // Tasks alone could take turns on few threads, and never meet.
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(with: Result { try writeOften(calls) })
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try write("2026-11-20", keeping: 1, taps: 11)
    #expect(try days == ["2026-11-20"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["2026-11-20"])
    #expect(try folder.text(of: "history/2026-11-20/index.html") == "2026-11-20 11")
  }

  @Test func `the copy of today stays, though there are newer ones`() throws {
    for day in ["2026-11-19", "2026-11-20", "2026-11-10"] { try write(day) }
    #expect(try days == ["2026-11-20", "2026-11-19", "2026-11-10"])
  }

  @Test func `the one before a day is the newest of an earlier day`() throws {
    let history = HistoryFolder(path: path)
    #expect(try history.report(before: "2026-11-20") == .absent)
    for day in ["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21"] {
      try write(day, keeping: 9, taps: 7)
    }
    let expected = try #require(PastReport(decoding: try Self.summary("2026-11-19", taps: 7)))
    #expect(try history.report(before: "2026-11-20") == .report(expected))
    #expect(try history.report(before: "2026-11-18") == .absent)
  }

  @Test func `a summary that is cut, empty or of another version is unreadable`() throws {
    try write("2026-11-19")
    let whole = try folder.text(of: "history/2026-11-19/summary.json")
    let history = HistoryFolder(path: path)
    let texts = [
      "", "{}", "[]", String(whole.dropLast(3)), String(whole.prefix(whole.count / 2)),
      whole.replacing("\"schema\" : 1", with: "\"schema\" : 2"),
      whole.replacing("\"usage\"", with: "\"abuse\""), String(repeating: "[", count: 2_000_000),
    ]
    for text in texts {
      try folder.write(text, to: "history/2026-11-19/summary.json")
      #expect(try history.report(before: "2026-11-20") == .unreadable(day: "2026-11-19"))
    }
    #expect(try days == ["2026-11-19"])
  }

  @Test func `what is no copy of ours is neither listed nor removed`() throws {
    let strange = [
      "2026-01-01/index.html", "2026-02-30/summary.json", "notes/summary.json", "2026-01-02",
      ".2026-01-03.\(getpid()).2a.tmp/index.html", "index.txt",
    ]
    for name in strange { try folder.write("mine", to: "history/\(name)") }
    for day in ["2026-11-18", "2026-11-19", "2026-11-20"] { try write(day, keeping: 1) }
    #expect(try days == ["2026-11-20"])
    for name in strange { #expect(try folder.text(of: "history/\(name)") == "mine") }
  }

  @Test func `what somebody put into a copy outlives it`() throws {
    try write("2026-11-18")
    try folder.write("mine", to: "history/2026-11-18/notes.txt")
    try write("2026-11-18", taps: 2)
    #expect(try folder.text(of: "history/2026-11-18/notes.txt") == "mine")
    for day in ["2026-11-19", "2026-11-20"] { try write(day) }
    #expect(try tree().keys.filter { $0.hasPrefix("2026-11-18") } == ["2026-11-18/notes.txt"])
    #expect(try days == ["2026-11-20", "2026-11-19"])
  }

  @Test func `a folder of that day which is no copy is an error that names it`() throws {
    try folder.write("mine", to: "history/2026-11-20/index.html")
    let error = #expect(throws: WorkspaceError.self) { try write("2026-11-20") }
    #expect(error?.description.contains("2026-11-20") == true)
    #expect(try tree() == ["2026-11-20/index.html": "mine"])
  }

  /// Calls that fail from the given one on, as for a process that is killed there.
  private static func dying(after count: Int) -> (calls: FileCalls, made: @Sendable () -> Int) {
    let made = Counter()
    @Sendable func alive() -> Bool {
      errno = EIO
      return made.next() <= count
    }
    let system = FileCalls.system
    let calls = FileCalls(
      write: { alive() ? system.write($0, $1) : -1 }, sync: { alive() ? system.sync($0) : -1 },
      rename: { alive() ? system.rename($0, $1) : -1 },
      makeFolder: { alive() ? system.makeFolder($0) : -1 },
      remove: { alive() ? system.remove($0) : -1 },
      removeFolder: { alive() ? system.removeFolder($0) : -1 })
    return (calls, { made.count })
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func next() -> Int {
      value.withLock { value in
        value += 1
        return value
      }
    }
  }

  /// The days before, and an earlier report of the same day.
  private func begin() throws {
    for day in ["2026-11-18", "2026-11-19"] { try write(day) }
    try write("2026-11-20", keeping: 3, taps: 1)
    try folder.write("mine", to: "history/2026-11-20/notes.txt")
  }

  @Test func `dying at any step and running again ends as if it had not died`() throws {
    try begin()
    try write("2026-11-20", taps: 2)
    let expected = try tree()
    var step = 0
    while true {
      try FileManager.default.removeItem(atPath: path)
      try begin()
      let (calls, made) = Self.dying(after: step)
      do {
        try write("2026-11-20", taps: 2, calls: calls, writer: Self.dead)
        #expect(made() <= step)
        break
      } catch {
        let whole = try days.allSatisfy { HistoryFolder(path: path).report(of: $0) != nil }
        #expect(whole, "step \(step)")
      }
      try write("2026-11-20", taps: 2)
      #expect(try tree() == expected, "step \(step)")
      let left = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      #expect(left == ["2026-11-19", "2026-11-20"], "step \(step)")
      step += 1
    }
    #expect(step > 20)
  }

  @Test(arguments: [["1a", "2b"], ["2b", "1a"]])
  func `of two copies between which a kill came the newer one stays`(names: [String]) throws {
    for (age, name) in zip([2.0, 1.0], names) {
      try write("2026-11-20", taps: 3 - Int(age))
      let hidden = "\(path)/.2026-11-20.\(Self.dead).\(name).tmp"
      try FileManager.default.moveItem(atPath: "\(path)/2026-11-20", toPath: hidden)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_800_000_000 - age)],
        ofItemAtPath: "\(hidden)/\(PastReport.fileName)")
    }
    try HistoryFolder(path: path).prepare()
    #expect(try folder.text(of: "history/2026-11-20/usage.csv") == "2026-11-20 2")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["2026-11-20"])
  }

  @Test func `a copy that was moved out of its place and never replaced is put back`() throws {
    try write("2026-11-20")
    let hidden = "\(path)/.2026-11-20.\(Self.dead).2a.tmp"
    try FileManager.default.moveItem(atPath: "\(path)/2026-11-20", toPath: hidden)
    try HistoryFolder(path: path).prepare()
    #expect(try days == ["2026-11-20"])
    #expect(!FileManager.default.fileExists(atPath: hidden))
  }

  @Test func `names of a copy are ours, all others are not`() {
    let own = [
      "index.html", "runs.csv", "report.json", "users.txt", "summary.json", ".usage.html.12.2a.tmp",
      ".summary.json.12.2a.tmp",
    ]
    let others = [
      "notes.txt", "index", "index.pdf", "history.html", "index.html.bak", "summary.json.bak", "",
      ".usage.html", "a.index.html", ".notes.txt.12.2a.tmp",
    ]
    #expect(own.allSatisfy(HistoryFolder.isOwn))
    #expect(!others.contains(where: HistoryFolder.isOwn))
  }
}
