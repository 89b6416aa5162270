import Fixtures
import Testing

@testable import Jobs
@testable import Workspace

struct ExportFileTests {
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
  }

  @Test(arguments: ["app", "app[1]", "app*", "a?p", #"a\pp"#, "[", "{a,b}", "a b", "a*\u{301}b"])
  func `the folder of the workspace is no pattern`(name: String) throws {
    try temporary.write("", to: "\(name)/data/a.ndjson")
    try temporary.write("", to: "\(name)/data/b.ndjson")
    try temporary.write("", to: "app1/data/a.ndjson")
    try temporary.write("", to: "apple/data/a.ndjson")
    let workspace = Workspace(root: "\(temporary.path)/\(name)")
    func paths(_ pattern: String) -> [String] {
      ExportFile.matching(pattern, in: workspace).map(\.path)
    }
    #expect(
      paths("data/*.ndjson") == ["a", "b"].map { "\(workspace.root)/data/\($0).ndjson" })
    #expect(paths("data/[b-z].ndjson") == ["\(workspace.root)/data/b.ndjson"])
    #expect(paths("data/a.ndjson") == ["\(workspace.root)/data/a.ndjson"])
    #expect(paths("data/c*") == [])
    #expect(
      paths("\(temporary.path)/[a]pp1/data/a.ndjson") == ["\(temporary.path)/app1/data/a.ndjson"])
  }
}
