import Fixtures
import Foundation
import Glibc
import Testing

@testable import Platform

/// Commands that read one file and write another: docs/backup.md#encryption.
struct ShellFilterTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("abc", to: "in")
  }

  /// Filters the file, and returns what the command wrote.
  private func filtered(_ command: String) throws -> String {
    let input = open(folder.path(of: "in"), O_RDONLY)
    let output = open(folder.path(of: "out"), O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer { for file in [input, output] { close(file) } }
    try ShellFilter(command, in: folder.path, environment: ["PATH": "/usr/bin:/bin"])
      .run(from: input, to: output)
    return try String(contentsOfFile: folder.path(of: "out"), encoding: .utf8)
  }

  @Test func `a command reads its standard input, and runs in its folder`() throws {
    #expect(try filtered("tr a-z A-Z; ls") == "ABCin\nout\n")
  }

  @Test(arguments: [
    ("exit 3", 3, nil), ("echo no. >&2; exit 1", 1, "no"),
    ("nosuchcmd", 127, "***: not found"),
    ("kill -TERM $$", 143, nil),
    ("kill -STOP $$", 1, "it asks on the terminal, which it cannot have"),
    ("echo key \(String(repeating: "ab1.", count: 8)) >&2; exit 1", 1, "key ***"),
  ])
  func `how a command did not succeed is told, without what may be a key`(
    command: String, status: Int32, said: String?
  ) {
    #expect(throws: ShellFilter.Failure(status: status, said: said)) { try filtered(command) }
  }

  @Test func `a cancelled task ends the command and its children`() async throws {
    let task = Task { try filtered("echo $$ > id; sleep 600 | cat") }
    while !FileManager.default.fileExists(atPath: folder.path(of: "id")) {
      try await Task.sleep(for: .milliseconds(5))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let id = try String(contentsOfFile: folder.path(of: "id"), encoding: .utf8)
    let group = try #require(pid_t(id.trimmingCharacters(in: .whitespacesAndNewlines)))
    while kill(-group, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test(arguments: [(ErrorTail.limit, "ab cd"), (ErrorTail.limit + 1, "cd")])
  func `what is kept of the errors is whole up to its limit, and has no half word beyond it`(
    bytes: Int, said: String
  ) {
    var tail = ErrorTail()
    tail.add(Array("ab\(String(repeating: " ", count: bytes - 4))cd".utf8))
    #expect(tail.lastLine(hiding: []) == said)
  }

  @Test(arguments: [
    ("no pa 55 wd here", "no *** here"), ("no pa55word, sorry", "no ***, sorry"),
    ("a word: seven77", "a word: seven77"), ("a word: eight888", "a word: ***"),
  ])
  func `of what was printed no line and no word of eight characters is said`(
    line: String, said: String
  ) {
    var tail = ErrorTail()
    tail.add(Array(line.utf8))
    let printed = "  pa 55 wd \npa55word\n\nseven77 eight888\n"
    #expect(tail.lastLine(hiding: Array(printed.utf8)) == said)
  }
}
