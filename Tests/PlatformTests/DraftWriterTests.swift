import Fixtures
import Foundation
import Testing

@testable import Platform

/// Which drafts count as abandoned.
struct DraftWriterTests {
  private let folder: TemporaryFolder
  private var path: String { "\(folder.path)/draft" }
  private static let written = 1_800_000_000

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("half", to: "draft")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(Self.written))], ofItemAtPath: path)
  }

  private func dead() throws -> DraftWriter {
    let process = try Process.run(URL(filePath: "/bin/true"), arguments: [])
    process.waitUntilExit()
    return DraftWriter(process: process.processIdentifier)
  }

  @Test func `the draft of a process that died here is abandoned at once`() throws {
    #expect(try dead().hasAbandoned(path, at: Self.written))
  }

  @Test func `one of a process that cannot be looked up, or that lives, is after a day`() throws {
    let dead = try dead()
    let elsewhere = [
      DraftWriter(process: dead.process, space: dead.space.map { $0 ^ 1 }),
      DraftWriter(process: dead.process, space: nil), DraftWriter.current,
    ]
    for writer in elsewhere {
      #expect(!writer.hasAbandoned(path, at: Self.written))
      #expect(!writer.hasAbandoned(path, at: Self.written + 86_400))
      #expect(writer.hasAbandoned(path, at: Self.written + 86_401))
      #expect(!writer.hasAbandoned(path + "gone", at: Self.written + 86_401))
    }
  }

  @Test func `a writer is read as it is written`() throws {
    let writers = [
      DraftWriter.current, DraftWriter(process: 1, space: 0),
      DraftWriter(process: 4711, space: nil),
    ]
    for writer in writers { #expect(DraftWriter(writer.description) == writer) }
    #expect(DraftWriter(process: 4711, space: 0x9F3A).description == "4711_9f3a")
    #expect(DraftWriter("4711")?.space == nil)
    for text in ["", "0", "-1", "_1", "1_", "1_g", "1_2_3", "4711_1ffffffff", "x"] {
      #expect(DraftWriter(text) == nil, "\(text)")
    }
  }
}
