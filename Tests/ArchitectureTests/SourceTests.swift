import Foundation
import Testing

/// The sources as they are, held against the rules of the code (`docs/decisions/001-modules.md`).
struct SourceTests {
  /// Records every finding as an issue of its own, in the form that editors jump to.
  private func expectNothing(from check: some Check, in files: [SwiftFile]) {
    for finding in files.flatMap({ check.findings(in: $0) }) {
      Issue.record("\(finding)")
    }
  }

  private static let allSources = Result { try Repository.files(under: "Sources") }
  private static let allTests = Result { try Repository.files(under: "Tests") }

  private static func sources() throws -> [SwiftFile] { try allSources.get() }
  private static func tests() throws -> [SwiftFile] { try allTests.get() }

  @Test func `there are sources to look at`() throws {
    let modules = Set(try Self.sources().compactMap(\.module))
    #expect(modules.isSuperset(of: ["Model", "Workspace", "App", "Jobs", "firetally"]))
  }

  @Test func `every import points down`() throws {
    expectNothing(from: ImportCheck(), in: try Self.sources())
  }

  @Test func `no file and no function is too long`() throws {
    let files = try Self.sources() + Self.tests()
    expectNothing(from: LengthCheck(), in: files)
  }

  @Test func `few files are so short that they should join a neighbour`() throws {
    let short = LengthCheck.shortFiles(of: try Self.sources())
    #expect(
      short.count <= LengthCheck.shortFileLimit, "\(short.map(\.path).joined(separator: "\n"))")
  }

  @Test func `every file is named after one of its types`() throws {
    expectNothing(from: FileNameCheck(), in: try Self.sources())
  }

  @Test func `no two modules have types of one name`() throws {
    for finding in TypeNameCheck().findings(in: try Self.sources()) { Issue.record("\(finding)") }
  }

  @Test func `no name says nothing`() throws {
    let files = try Self.sources() + Self.tests()
    expectNothing(from: NameCheck(), in: files)
  }

  @Test func `no banned word is in the sources`() throws {
    expectNothing(from: WordCheck.everywhere, in: try Self.sources())
  }

  @Test func `what is escaped for others is found by its scalars`() throws {
    let escaping = ##"\breplacing\(#*"(?:\\["\\]|["'|&<>$%])"##
    for file in try Self.sources() {
      let lines = try Repository.text(of: file.path).split(
        separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated()
      where line.range(of: escaping, options: .regularExpression) != nil {
        Issue.record("\(file.path):\(index + 1): replacingScalars, since a mark may follow")
      }
    }
  }

  @Test func `no message and no help says what sounds translated`() throws {
    expectNothing(from: ProseCheck(), in: try Self.sources())
  }

  @Test(arguments: [
    "NeverForceUnwrap", "NeverUseForceTry", "NeverUseImplicitlyUnwrappedOptionals",
  ])
  func `the linter forbids to force, and excuses no file`(rule: String) throws {
    #expect(try Repository.text(of: ".swift-format").contains("\"\(rule)\": true"))
    for file in try Self.sources() {
      #expect(try !Repository.text(of: file.path).contains("swift-format-ignore"), "\(file.path)")
    }
  }

  @Test func `nothing below the program prints, asks the time or the environment`() throws {
    let files = try Self.sources().filter { $0.module != "firetally" }
    expectNothing(from: WordCheck.belowTheProgram, in: files)
  }

  @Test func `every temporary folder of a test is the one that cleans up`() throws {
    expectNothing(from: WordCheck.inTests, in: try Self.tests())
  }

  @Test func `every section of the manual that the sources cite is there`() throws {
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: Repository.root.appending(path: "docs").path)
    let pages = try names.filter { $0.hasSuffix(".md") }.map {
      ("docs/\($0)", try Repository.text(of: "docs/\($0)"))
    }
    let check = CitationCheck(pages: Dictionary(uniqueKeysWithValues: pages))
    expectNothing(from: check, in: try Self.sources())
  }

  @Test func `the manifest gives no module more than the plan does`() throws {
    let manifest = try Repository.text(of: "Package.swift")
    for (module, allowed) in ImportCheck.modules where module != "firetally" {
      let dependencies = try #require(Manifest.dependencies(of: module, in: manifest), "\(module)")
      let modules = dependencies.filter { ImportCheck.modules.keys.contains($0) }
      #expect(Set(modules).isSubset(of: allowed), "\(module)")
    }
  }
}
