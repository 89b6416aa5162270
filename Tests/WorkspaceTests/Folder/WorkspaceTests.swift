import Fixtures
import Glibc
import JobsTesting
import Testing

@testable import Jobs
@testable import Workspace

struct WorkspaceTests {
  private let folder: TemporaryFolder
  private var workspace: Workspace { Workspace(root: folder.path) }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a folder with a firetally.yml is a workspace, also when it is wrong`() throws {
    try folder.write("nonsense", to: "firetally.yml")
    #expect(try Workspace.find(at: folder.path + "/") == workspace)
  }

  @Test func `a folder without is none, nor is one that does not exist`() {
    #expect(throws: WorkspaceError.notAWorkspace(path: folder.path)) {
      try Workspace.find(at: folder.path)
    }
    #expect(throws: WorkspaceError.notAWorkspace(path: "/nowhere/at/all")) {
      try Workspace.find(at: "/nowhere/at/all")
    }
  }

  /// Root may look everywhere, so a loop of links stands for what nobody can tell.
  @Test func `a folder that cannot be looked into is not said to be no workspace`() throws {
    symlink("firetally.yml", workspace.configurationPath)
    #expect(throws: WorkspaceError.cannot("open", folder.path, code: ELOOP)) {
      try Workspace.find(at: folder.path)
    }
    guard geteuid() != 0 else { return }
    chmod(folder.path, 0)
    defer { chmod(folder.path, 0o700) }
    #expect(throws: WorkspaceError.cannot("open", folder.path, code: EACCES)) {
      try Workspace.find(at: folder.path)
    }
  }

  @Test func `a file is no workspace`() throws {
    try folder.write("x", to: "file")
    expectRefusal(.configuration, "\(folder.path)/file is not a folder. ") {
      try Workspace.find(at: folder.path + "/file")
    }
  }

  @Test(arguments: ["new", "new/", "one/new", "one/two//new"])
  func `folders above a new workspace are made, with the usual mode`(
    path: String
  ) throws {
    let workspace = Workspace(root: folder.path + "/" + path)
    for _ in 1...2 { try workspace.makeFolders() }
    #expect(try FileModeTests.bits(of: workspace.root) == 0o700)
    guard path.contains("one") else { return }
    let usual = folder.path + "/usual"
    mkdir(usual, 0o777)
    #expect(try FileModeTests.bits(of: folder.path + "/one") == FileModeTests.bits(of: usual))
  }

  @Test func `a folder that cannot be made is an error that names it`() throws {
    try folder.write("x", to: "file")
    let path = folder.path + "/file/one"
    #expect(throws: WorkspaceError.cannot("make the folder", path, code: ENOTDIR)) {
      try Workspace(root: path + "/new").makeFolders()
    }
  }

  @Test func `a folder inside a workspace is none`() throws {
    try folder.write("x", to: "firetally.yml")
    try folder.write("x", to: "jobs/a.yml")
    #expect(throws: WorkspaceError.self) { try Workspace.find(at: folder.path + "/jobs") }
  }

  @Test func `everything has its place`() {
    let workspace = Workspace(root: "/w/")
    #expect(workspace.configurationPath == "/w/firetally.yml")
    #expect(workspace.jobsFolder == "/w/jobs")
    #expect(workspace.outputFolder == "/w/output")
    #expect(workspace.databasePath == "/w/data/firetally.sqlite")
    #expect(workspace.rejectsFolder == "/w/data/rejects")
    #expect(workspace.lockPath == "/w/data/firetally.lock")
    #expect(workspace.path("a/b") == "/w/a/b")
    #expect(workspace.path("/etc/key.json") == "/etc/key.json")
    #expect(Workspace(root: "").root == ".")
  }

  @Test func `folders are made once, and stay`() throws {
    try workspace.makeFolders()
    try folder.write("kept", to: "output/page.html")
    try workspace.makeFolders()
    #expect(try folder.names() == ["data", "jobs", "output"])
    #expect(try folder.text(of: "output/page.html") == "kept")
  }

  @Test func `wrong configuration and wrong job files are told apart`() throws {
    try folder.write("app: 5\n", to: "firetally.yml")
    try folder.write("kind: odd\n", to: "jobs/a.yml")
    let configuration = #expect(throws: WorkspaceError.self) { try workspace.config() }
    #expect(configuration?.category == .configuration)
    let broken = try workspace.jobs().broken
    #expect(broken.map(\.name) == ["a"] && broken.first?.problem.category == .badData)
    #expect(broken.first?.problem.description.hasPrefix("jobs/a.yml:1:7: kind: ") == true)
  }

  @Test func `only job files are read as jobs`() throws {
    for name in ["a.yml", "b.yaml"] { try folder.write("kind: report", to: "jobs/\(name)") }
    for name in [".hidden.yml", "c.yml~", "d.txt", "e.yml.orig", "deep/f.yml"] {
      try folder.write("nonsense", to: "jobs/\(name)")
    }
    #expect(try workspace.jobs().jobs.map(\.name) == ["a", "b"])
  }

  @Test func `a missing jobs folder is an error, and a folder named like a job is a broken job`()
    throws
  {
    #expect(
      throws: WorkspaceError.file(
        FileFailure(action: "list", path: folder.path + "/jobs", code: ENOENT))
    ) {
      try workspace.jobs()
    }
    try folder.write("x", to: "jobs/a.yml/inner")
    try folder.write("kind: report", to: "jobs/b.yml")
    let catalog = try workspace.jobs()
    #expect(catalog.jobs.map(\.name) == ["b"] && catalog.broken.map(\.name) == ["a"])
    let failure = FileFailure(action: "read", path: folder.path + "/jobs/a.yml", code: EISDIR)
    #expect(catalog.error?.description == "jobs/a.yml:1: \(failure)")
  }

  @Test func `a file too big to be meant is not read whole`() throws {
    try folder.write(String(repeating: "#", count: 200_000), to: "firetally.yml")
    let error = #expect(throws: WorkspaceError.self) { try workspace.config() }
    #expect(error?.description == "firetally.yml:1: the file is bigger than 65536 bytes")
  }
}
