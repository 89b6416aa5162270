import Foundation
import Testing

/// The scripts of findings/, held against the rules of CONTRIBUTING.md#findings.
struct FindingsTests {
  private static let scripts = Result {
    try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appending(path: "findings").path
    ).filter { $0 != "README.md" }.sorted()
  }

  @Test func `the page lists every script once, and no other`() throws {
    let page = try Repository.text(of: "findings/README.md")
    let listed = page.matches(of: /\n\| \[([a-z0-9-]+\.sh)\]\(([a-z0-9-]+\.sh)\) \| [^|\n]+ \|/)
    #expect(listed.allSatisfy { $0.output.1 == $0.output.2 })
    #expect(try listed.map { String($0.output.1) } == Self.scripts.get())
    #expect(try Self.scripts.get().count >= 3)
  }

  @Test func `every script can be run, names its versions and cleans up`() throws {
    for name in try Self.scripts.get() {
      let path = "findings/\(name)"
      let text = try Repository.text(of: path)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(
        FileManager.default.isExecutableFile(
          atPath: Repository.root.appending(path: path).path), "\(path)")
      #expect(lines.first == "#!/usr/bin/env bash", "\(path)")
      #expect(lines.count <= 120 && lines.allSatisfy { $0.count <= 100 }, "\(path)")
      for line in ["set -euo pipefail", "folder=$(mktemp -d)", #"trap 'rm -rf "$folder"' EXIT"#] {
        #expect(lines.contains { $0 == line }, "\(path): \(line)")
      }
      for word in ["# Expected: ", "\n# Seen: ", "EXPECTED\n"] {
        #expect(text.contains(word), "\(path): \(word)")
      }
      // Packages of Python or Debian, each with its version.
      let install = lines.drop { !$0.contains(/\b(?:pip|apt-get|npm)"? (?:install|download)/) }
      let words = install.prefix(2).joined(separator: " ").split(separator: " ")
        .filter { $0.contains(/^[a-z][a-z0-9.-]*[=@]/) }
      #expect(!words.isEmpty && words.allSatisfy { $0.contains(/[=@][0-9]/) }, "\(path)")
      #expect(!text.lowercased().contains("firetally"), "\(path)")
    }
  }
}
