import Fixtures
import Foundation
import Platform
import Testing

@testable import Workspace

struct AbandonedFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `what a dead process was writing goes, all else stays`() throws {
    let dead = try Process.run(URL(filePath: "/bin/true"), arguments: [])
    dead.waitUntilExit()
    let writer = DraftWriter(process: dead.processIdentifier)
    let own = DraftWriter.current
    let stays = [
      ".page.html.\(own).2a.tmp", ".page.html.tmp", ".x.2a.tmp", ".page.html.0.2a.tmp",
      "page.html", "page.html.\(writer).2a.tmp", ".page.html.\(writer).2a.tmp-",
      ".page.html.\(own).2a.tmp-wal",
    ]
    let goes = ["tmp", "tmp-wal", "tmp-shm", "tmp-journal"].map {
      ".page.html.\(writer).2a.\($0)"
    }
    for name in stays + goes {
      try folder.write("half", to: name)
    }
    try AtomicFile.removeAbandoned(in: folder.path)
    #expect(try folder.names() == stays.sorted())
  }

  @Test func `a folder that is not there is an error`() {
    #expect(throws: WorkspaceError.self) {
      try AtomicFile.removeAbandoned(in: folder.path + "/none")
    }
  }
}
