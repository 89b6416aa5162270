import Fixtures
import Foundation
import ReportWriters
import Testing

@testable import Jobs
@testable import Workspace

/// Reading a style sheet of the reader's own: docs/reports.md#your-own-style-sheet.
struct StyleSheetFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ bytes: some Collection<UInt8>) throws -> StyleSheet {
    let path = "\(folder.path)/house.css"
    try Data(bytes).write(to: URL(filePath: path))
    return try StyleSheetFile(name: "house.css", path: path).read()
  }

  private func refusal(of bytes: some Collection<UInt8>) -> String {
    do {
      _ = try read(bytes)
      return "none"
    } catch let error as WorkspaceError {
      return error.category == .badData ? error.description : "not bad data: \(error)"
    } catch {
      return "\(error)"
    }
  }

  @Test func `line ends and a byte order mark make no difference`() throws {
    let plain = try read("a { }\nb { }\n".utf8)
    #expect(try read("a { }\r\nb { }\r\n".utf8) == plain)
    #expect(try read("a { }\rb { }\r".utf8) == plain)
    #expect(try read("\u{FEFF}a { }\nb { }\n".utf8) == plain)
    #expect(try read("a { }\nb { } ".utf8) != plain)
  }

  @Test func `every problem is named with its file and line, all at once`() {
    #expect(
      refusal(of: "a { b: url(x) }\n\n@import 'y';\n</style>".utf8) == """
        house.css:1: url() would load a file, and a page loads nothing; only url(#id) may be used. Leave it out.
        house.css:3: @import would load another file, and a page loads nothing. Copy its rules here.
        house.css:4: '</' would end the style sheet inside the page. Leave it out.
        """)
    #expect(refusal(of: "a {\n\u{0} }".utf8).hasPrefix("house.css:2: a control character (code 0)"))
  }

  @Test func `bytes that are no UTF-8 are refused with their line`() {
    #expect(
      refusal(of: Array("a { }\nb".utf8) + [0xFF])
        == "house.css:2: is not UTF-8. Save it as UTF-8.")
  }

  @Test func `a sheet may have 64 kB and not a byte more`() {
    let most = String(repeating: "a{}\n", count: StyleSheetFile.sizeLimit / 4)
    #expect(refusal(of: most.utf8) == "none")
    #expect(refusal(of: (most + " ").utf8).hasPrefix("house.css:1: is larger than 65536 bytes"))
  }

  @Test func `a file that is not there is named`() {
    let path = "\(folder.path)/none.css"
    do {
      _ = try StyleSheetFile(name: "none.css", path: path).read()
      Issue.record("a missing file was read")
    } catch {
      #expect(error.category == .failed && error.description.contains(path))
    }
  }
}
