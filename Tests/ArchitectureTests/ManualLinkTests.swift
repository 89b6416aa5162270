import Foundation
import Testing

/// The pages of the manual, held against each other and against the files that they name.
struct ManualLinkTests {
  /// The pages that people read in the repository, by path.
  private static func pages() throws -> [String: String] {
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: Repository.root.appending(path: "docs").path)
    let paths = names.filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
    let pages = try (paths + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]).map {
      ($0, try Repository.text(of: $0))
    }
    return Dictionary(uniqueKeysWithValues: pages)
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path)
  }

  /// The path from the root that a link of a page means, without its section.
  private static func target(of link: Substring, on page: String) -> String {
    guard !link.isEmpty else { return page }
    let folder = URL(filePath: "/\(page)").deletingLastPathComponent()
    return String(folder.appending(path: String(link)).standardized.path.dropFirst())
  }

  @Test func `every link of the manual leads to a page and a section that are there`() throws {
    let pages = try Self.pages()
    let anchors = CitationCheck(pages: pages).anchors
    for (page, text) in pages {
      for match in text.matches(of: /\]\(([^()\s:#]*)(?:#([\w-]+))?\)/) {
        let path = Self.target(of: match.output.1, on: page)
        #expect(Self.exists(path), "\(page) links to \(path)")
        guard let section = match.output.2, let known = anchors[path] else { continue }
        #expect(known.contains(String(section)), "\(page) links to \(path)#\(section)")
      }
    }
  }

  @Test(arguments: ["CONTRIBUTING.md", "docs/architecture.md"])
  func `every file that the way in names is there`(page: String) throws {
    let text = try Repository.text(of: page)
    let named = text.matches(of: /`((?:Sources|Tests|docs|bench)\/[\w\/+.-]+)`/)
    #expect(!named.isEmpty)
    for match in named {
      #expect(Self.exists(String(match.output.1)), "\(page) names \(match.output.1)")
    }
  }

  @Test func `no line of prose is longer than 100 columns, and no page than 400 lines`() throws {
    for (page, text) in try Self.pages() {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      // The program prints that page, a table of the database after the other.
      #expect(lines.count <= 401 || page == "docs/schema.md", "\(page)")
      var isCode = false
      for (number, line) in zip(1..., lines) {
        if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
        guard !isCode, !line.hasPrefix("|"), !line.hasPrefix("    ") else { continue }
        #expect(line.count <= 100, "\(page):\(number)")
      }
    }
  }

  @Test func `an entry of the changelog is one line`() throws {
    let text = try Repository.text(of: "CHANGELOG.md")
    let lines = text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("- ") })
    for (number, line) in zip(1..., lines) { #expect(!line.hasPrefix(" "), "line \(number)") }
  }

  /// The lists of old releases stay as they are.
  @Test func `no page of the manual says what sounds translated`() throws {
    for (page, text) in try Self.pages() where !page.hasPrefix("docs/releases/") {
      for finding in ProseCheck.findings(inMarkdown: text, at: page) { Issue.record("\(finding)") }
    }
  }

  @Test(arguments: ["Sources/Reports/Sections", "Sources/Operations/Template/Files", "jobs"])
  func `no text of a report's page and no comment of a job file does`(folder: String) throws {
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: Repository.root.appending(path: folder).path
    ).filter { [".json", ".sql", ".yml"].contains(where: $0.hasSuffix) }
    #expect(!names.isEmpty)
    for path in names.map({ "\(folder)/\($0)" }) {
      let text = try Repository.text(of: path)
      let header = text.range(of: "---*/").map { String(text[..<$0.lowerBound]) } ?? text
      for finding in ProseCheck.findings(inLinesOf: header, at: path) { Issue.record("\(finding)") }
    }
  }
}
