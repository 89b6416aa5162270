import Fixtures
import Foundation
import Testing

@testable import Workspace

struct GzipTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Bytes that compress, in part.
  private static func sample(_ count: Int) -> Data {
    var state: UInt64 = 42
    return Data(
      (0..<count).map { index in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return index % 3 == 0 ? UInt8(truncatingIfNeeded: state >> 33) : UInt8(index % 7)
      })
  }

  private func write(_ data: Data, to name: String) throws -> String {
    try data.write(to: folder.url.appending(path: name))
    return folder.path(of: name)
  }

  private func compress(_ data: Data) throws -> (path: String, digest: FileDigest) {
    let source = try write(data, to: "plain")
    let path = folder.path(of: "packed.gz")
    let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, to: "write")
    try Gzip.compress(source, into: file.number, at: path)
    return (path, try FileDigest(ofFile: path))
  }

  private func expand(_ path: String) throws -> (Data, problem: String?) {
    let target = folder.path(of: "expanded")
    let file = try FileDescriptor.open(target, O_WRONLY | O_CREAT | O_TRUNC, to: "write")
    let problem = try Gzip.expand(path, into: file, at: target)
    return (try Data(contentsOf: URL(filePath: target)), problem)
  }

  @Test(arguments: [0, 1, 2, 262_143, 262_144, 262_145, 1_000_000])
  func `what was compressed expands to the same bytes`(count: Int) throws {
    let data = Self.sample(count)
    let (path, digest) = try compress(data)
    #expect(digest.bytes == Int64(try Data(contentsOf: URL(filePath: path)).count))
    let (expanded, problem) = try expand(path)
    #expect(expanded == data && problem == nil)
  }

  @Test func `other programs agree on the format and the digest`() throws {
    let (path, digest) = try compress(Self.sample(500_000))
    for (program, arguments, expected) in [
      ("/usr/bin/gzip", ["-t", path], ""),
      ("/usr/bin/sha256sum", [path], "\(digest.sha256)  \(path)\n"),
    ] {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = URL(filePath: program)
      process.arguments = arguments
      process.standardOutput = pipe
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && output == expected)
    }
  }

  @Test func `two members are one file, as after cat`() throws {
    let (path, _) = try compress(Self.sample(1_000))
    let member = try Data(contentsOf: URL(filePath: path))
    let both = try write(member + member, to: "both.gz")
    let (expanded, problem) = try expand(both)
    #expect(expanded == Self.sample(1_000) + Self.sample(1_000) && problem == nil)
  }

  @Test func `a file cut anywhere is cut short, also by its last byte`() throws {
    let (path, _) = try compress(Self.sample(2_000))
    let whole = try Data(contentsOf: URL(filePath: path))
    for count in [2, 9, 10, 11, whole.count / 2, whole.count - 8, whole.count - 1] {
      let cut = try write(whole.prefix(count), to: "cut.gz")
      #expect(try expand(cut).problem == "it is cut short", "\(count)")
    }
  }

  @Test func `a changed bit is found`() throws {
    let (path, _) = try compress(Self.sample(600_000))
    var bytes = try Data(contentsOf: URL(filePath: path))
    for position in [bytes.count / 2, bytes.count - 5] {
      bytes[position] ^= 1
      let problem = try expand(try write(bytes, to: "changed.gz")).problem
      #expect(problem?.hasPrefix("its gzip data is damaged (i") == true, "\(problem ?? "")")
      bytes[position] ^= 1
    }
  }

  @Test func `what follows the last member and is none is left out, as gzip does`() throws {
    let (path, _) = try compress(Self.sample(100))
    let tail = try Data(contentsOf: URL(filePath: path)) + Data("tail".utf8)
    let (expanded, problem) = try expand(try write(tail, to: "tail.gz"))
    #expect(expanded == Self.sample(100) && problem == nil)
  }

  @Test func `a file of another format is copied`() throws {
    for data in [Data(), Data([0x1F]), Data("SQLite".utf8), Self.sample(300_000)] {
      let (copied, problem) = try expand(try write(data, to: "other"))
      #expect(copied == data && problem == nil)
    }
  }

  @Test func `a file that is missing is an error with its name`() {
    #expect {
      _ = try expand(folder.path(of: "none.gz"))
    } throws: { error in
      "\(error)".contains("none.gz")
    }
  }
}
