import Fixtures
import Foundation
import Testing

@testable import firetally

/// The manual pages that are installed: `docs/install.md#completions-and-manual-pages`.
@Suite struct ManualPagesTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(.enabled(if: PythonProgram.isThere(modules: "json")))
  func `every command has a page, and the pages of files have every key of the tables`() throws {
    let folder = try TemporaryFolder()
    let script = Self.root.appending(path: "scripts/package/manuals.py").path
    let said = try PythonProgram.output(
      of: """
        import runpy, sys
        sys.argv = ["manuals.py", "\(BuiltProgram.url.path)", "\(folder.path)"]
        runpy.run_path("\(script)", run_name="__main__")
        """, in: folder.path)
    #expect(said.contains(" manual pages in "), "\(said)")
    for leaf in LeafCommand.all {
      let page = try folder.text(of: "man1/firetally-\(leaf.path.joined(separator: "-")).1")
      #expect(page.contains(".Sh EXAMPLES"), "\(leaf.name)")
    }
    let jobs = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "docs/jobs").path)
    let pages = [
      "firetally.yml": ["docs/jobs.md"], "firetally-job": jobs.map { "docs/jobs/\($0)" },
    ]
    for (name, sources) in pages {
      let page = try folder.text(of: "man5/\(name).5")
      for source in sources {
        let text = try String(contentsOf: Self.root.appending(path: source), encoding: .utf8)
        let part = text.components(separatedBy: "\n## Job files")[0]
        let keys = part.matches(of: /\n\| `([a-z_A-Z.*]+)` \| [^|]+ \| [^|]* \| [^|]*\|/)
          .map(\.output.1)
        #expect(!keys.isEmpty, "\(source)")
        for key in keys { #expect(page.contains(".It Cm \(key)\n"), "\(source): \(key)") }
      }
      #expect(!page.contains("]("), "a link of the manual stays in \(name)")
    }
  }
}
