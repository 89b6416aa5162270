import Foundation
import Testing

/// The lists of `docs/walks.md`, held against the sources and against what they may come to.
struct WalkTests {
  /// A list of the page: what it says in words, and the files that it names.
  private struct Walk {
    let title: String
    var claim = ""
    /// The modules in the order of their entries.
    var entries: [String] = []
    /// As `Sources/Model/Time/Instant.swift`.
    var files: [String] = []

    var numbers: String { "\(files.count) files, \(entries.count - 1) crossings." }
  }

  private static func walks() throws -> [Walk] {
    var walks: [Walk] = []
    var isList = false
    for line in try Repository.text(of: "docs/walks.md").split(separator: "\n") {
      if line.hasPrefix("## ") { walks.append(Walk(title: String(line.dropFirst(3)))) }
      guard !walks.isEmpty else { continue }
      let last = walks.count - 1
      if line.hasPrefix("```") {
        isList.toggle()
      } else if !isList {
        walks[last].claim += line + " "
      } else {
        var names = line.split(separator: " ")
        if line.first != " " { walks[last].entries.append(String(names.removeFirst().dropLast())) }
        let module = walks[last].entries.last ?? ""
        walks[last].files += names.map { "Sources/\(module)/\($0).swift" }
      }
    }
    return walks
  }

  @Test func `every file of a walk is there, and is entered once`() throws {
    for walk in try Self.walks() {
      for file in walk.files {
        let path = Repository.root.appending(path: file).path
        #expect(FileManager.default.fileExists(atPath: path), "\(walk.title): \(file)")
      }
      #expect(Set(walk.files).count == walk.files.count, "\(walk.title)")
    }
  }

  @Test func `a walk has as many files and crossings as it says`() throws {
    for walk in try Self.walks() {
      #expect(walk.claim.contains(walk.numbers), "\(walk.title) has \(walk.numbers)")
      #expect(zip(walk.entries, walk.entries.dropFirst()).allSatisfy { $0 != $1 }, "\(walk.title)")
    }
  }

  /// The numbers may fall; a change that lets one rise says why.
  @Test(arguments: [
    ("A refresh", 30, 15),
    ("A run", 60, 30),
    ("The usage report", 45, 18),
  ])
  func `no walk enters more files, or modules more often, than now`(
    title: String, files: Int, crossings: Int
  ) throws {
    let walk = try #require(try Self.walks().first { $0.title == title })
    #expect(walk.files.count <= files)
    #expect(walk.entries.count - 1 <= crossings)
  }
}
