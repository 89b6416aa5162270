import Foundation
import Testing

/// What README names is explained where its links lead.
struct ReadmeTests {
  /// A paragraph, an item, a row or a block of commands.
  private struct Block {
    var text: String
    /// The part of README that it is in, from one heading to the next.
    let section: String
  }

  private static func blocks(of text: String) -> [Block] {
    text.split(separator: "\n## ").flatMap { section -> [Block] in
      var blocks: [Block] = []
      var isOpen = false
      for line in section.split(separator: "\n", omittingEmptySubsequences: false) {
        let begins = line.hasPrefix("|") || line.hasPrefix("- ")
        if isOpen, !begins, !line.isEmpty {
          blocks[blocks.count - 1].text += "\n" + line
        } else if !line.isEmpty {
          blocks.append(Block(text: String(line), section: String(section)))
        }
        isOpen = !line.isEmpty && !line.hasPrefix("|")
      }
      return blocks
    }
  }

  /// Options, keys, variables, roles, and fields of documents that a text names.
  private static func names(in text: String) -> Set<String> {
    let code =
      text.contains("```sh")
      ? text.split(separator: "\n").map { String($0.prefix { $0 != "#" }) }
      : text.matches(of: /`([^`\n]+)`/).map { String($0.output.1) }
    let options = code.flatMap { $0.matches(of: /(?:^| )(--[a-z][a-z-]*|-[A-Z])/).map(\.output.1) }
    let words = code.filter {
      $0.wholeMatch(of: /roles\/[a-z.]+|[A-Za-z]+(?:[_.][A-Za-z]+)*/) != nil
        && $0.contains(/_|^roles\/|[a-z][A-Z]/)
    }
    return Set(options.map(String.init) + words)
  }

  /// The pages, or their sections, that the links of a text lead to.
  private static func targets(of text: String) throws -> [String] {
    try text.matches(of: /\]\((docs\/[\w\/.-]+\.md)(?:#([\w-]+))?\)/).map { match in
      let page = try Repository.text(of: String(match.output.1))
      guard let anchor = match.output.2 else { return page }
      let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
      let start = try #require(
        lines.firstIndex { $0.hasPrefix("#") && CitationCheck.anchor(of: $0) == anchor })
      let level = lines[start].prefix { $0 == "#" }
      let end = lines[(start + 1)...].firstIndex {
        $0.hasPrefix("#") && $0.prefix { $0 == "#" }.count <= level.count
      }
      return lines[start..<(end ?? lines.endIndex)].joined(separator: "\n")
    }
  }

  @Test func `each option that README names stands on a page that its link names`() throws {
    let blocks = Self.blocks(of: try Repository.text(of: "README.md"))
    var count = 0
    for block in blocks {
      let own = try Self.targets(of: block.text)
      let pages = own.isEmpty ? try Self.targets(of: block.section) : own
      for name in Self.names(in: block.text) {
        count += 1
        #expect(
          pages.contains { $0.contains(name) }, "\(name): no link of \(block.text.prefix(80))")
      }
    }
    #expect(count >= 30)
  }

  @Test func `the manual begins with tasks, and names every page`() throws {
    let text = try Repository.text(of: "docs/README.md")
    let begin = try #require(text.range(of: "## I want to ..."))
    let end = try #require(text.range(of: "## All pages"))
    #expect(begin.lowerBound < end.lowerBound)
    #expect(text[begin.upperBound..<end.lowerBound].matches(of: /\n\| [^|]+ \| .*\.md/).count >= 25)
    let docs = Repository.root.appending(path: "docs").path
    for page in try FileManager.default.contentsOfDirectory(atPath: docs)
    where page.hasSuffix(".md") && page != "README.md" {
      #expect(text.contains("(\(page))"), "\(page)")
    }
  }
}
