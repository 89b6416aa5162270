import Fixtures
import Foundation
import Platform
import Testing

@testable import Feeds
@testable import Jobs
@testable import Workspace

struct RejectsFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/list.txt" }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func rejection(_ line: Int, _ text: String = "x") -> GA4Export.Rejection {
    GA4Export.Rejection(line: line, reason: "no event_name", text: text)
  }

  private func list(_ file: String, _ pages: [[GA4Export.Rejection]]) throws {
    var list = RejectsFile(path: path, file: file)
    for page in pages { try list.add(page) }
    try list.write()
  }

  @Test func `lines stand in their order, with file, number, reason and beginning`() throws {
    try list("a", [[rejection(1), rejection(5, "b\nc\r\nd")], [rejection(9)]])
    #expect(
      try folder.text(of: "list.txt")
        == "a:1: no event_name: x\na:5: no event_name: b c d\na:9: no event_name: x\n")
  }

  @Test func `a file that is read again replaces its own lines and no others`() throws {
    try list("a", [[rejection(1)]])
    try list("ab", [[rejection(2)]])
    try list("a", [[rejection(3)]])
    #expect(
      try folder.text(of: "list.txt") == "ab:2: no event_name: x\na:3: no event_name: x\n")
    try list("a", [])
    #expect(try folder.text(of: "list.txt") == "ab:2: no event_name: x\n")
  }

  @Test func `nothing to list makes no file`() throws {
    try list("a", [[], []])
    #expect(try folder.names() == [])
  }

  @Test func `a list that is not finished leaves the present one, and nothing beside it`() throws {
    try list("a", [[rejection(1)]])
    var unfinished: RejectsFile? = RejectsFile(path: path, file: "a")
    try unfinished?.add([rejection(2)])
    unfinished = nil
    #expect(try folder.text(of: "list.txt") == "a:1: no event_name: x\n")
    #expect(try folder.names() == ["list.txt"])
  }

  @Test func `what a process that was killed has left of a list goes with the next one`() throws {
    let dead = try Process.run(URL(filePath: "/bin/true"), arguments: [])
    dead.waitUntilExit()
    let writer = DraftWriter(process: dead.processIdentifier)
    let others = [
      ".list.txt.\(DraftWriter.current).2a.tmp", ".other.txt.\(writer).2a.tmp",
      ".mylist.txt.\(writer).2a.tmp",
    ]
    for name in others + [".list.txt.\(writer).2a.tmp"] {
      try folder.write("half", to: name)
    }
    try list("a", [[rejection(1)]])
    #expect(try folder.names() == (others + ["list.txt"]).sorted())
  }

  @Test func `a list of a hundred thousand lines has them all`() throws {
    try list("a", (0..<100).map { page in (1...1_000).map { rejection(page * 1_000 + $0) } })
    let lines = try folder.text(of: "list.txt").split(separator: "\n")
    #expect(lines.count == 100_000)
    #expect(lines.last == "a:100000: no event_name: x")
  }

  @Test func `a folder in its place is an error, and stays`() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: WorkspaceError.self) { try list("a", [[rejection(1)]]) }
    #expect(try folder.names() == ["list.txt"])
  }
}
