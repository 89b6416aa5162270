import Fixtures
import Foundation
import Testing

@testable import Firestore

/// What a token command may print, and how long it may take.
@Suite struct TokenCommandTests {
  private func error(_ command: String, limit: Duration = .seconds(20)) async -> CredentialsError? {
    await #expect(throws: CredentialsError.self, "\(command)") {
      try await TokenCommand(command: command, environment: [:], limit: limit).token()
    }
  }

  /// How messages name a command: its arguments may hold a secret.
  private func shown(_ command: String) -> String {
    let words = command.split(separator: " ")
    if words[0].contains("=") { return "***" }
    return words.count > 1 ? "\(words[0]) ***" : command
  }

  @Test func `a command may take 30 seconds and print 64 KiB`() {
    #expect(TokenCommand.longestRun == .seconds(30))
    #expect(TokenCommand.longestOutput == 65_536)
  }

  @Test(arguments: [
    ("true", "printed nothing"), ("printf ' \\n\\n'", "printed nothing"),
    ("echo a; echo b", "printed 2 lines"), ("printf 'a\\r\\nb\\r\\n'", "printed 2 lines"),
    ("printf 'a\\033[1mb'", "printed a character that no token has"),
    ("printf 'a\\000b'", "printed a character that no token has"),
    ("printf 'a\\177b'", "printed a character that no token has"),
    ("echo a b", "printed a character that no token has"),
    ("printf '\\377'", "printed a character that no token has"),
    ("echo é", "printed a character that no token has"),
  ])
  func `anything but one line of plain text is refused, with the command's name`(
    command: String, problem: String
  ) async throws {
    let error = await error(command)
    #expect(error?.description.contains("token_command `\(shown(command))` ") == true)
    #expect(error?.description.contains(problem) == true)
    #expect(error?.isTransient == false)
  }

  @Test(arguments: [
    ("nosuchcmd", 127, ": ***: not found"), ("ya29.s3cret x", 127, ": ***: not found"),
    ("echo first >&2; echo oops. >&2; exit 1", 1, ": oops"),
    ("printf 'a\\033[1mb\\tc\\n \\n' >&2; exit 1", 1, #": a\u{1B}[1mb c"#),
    ("exit 1", 1, ""), ("printf '\\n' >&2; exit 1", 1, ""),
    ("echo seven-7; echo got seven-7 >&2; exit 1", 1, ": got seven-7"),
    ("echo eight--8; echo got eight--8 >&2; exit 1", 1, ": got ***"),
    ("echo s3cr3t-tok; echo got s3cr3t-tok >&2; exit 1", 1, ": got ***"),
    ("echo got \(String(repeating: "ab1.", count: 8)) now >&2; exit 1", 1, ": got *** now"),
    (
      "echo got \(String(repeating: "a", count: 30))1 >&2; exit 1", 1,
      ": got \(String(repeating: "a", count: 30))1"
    ),
    (
      "i=0; while [ $i -lt 2000 ]; do printf x >&2; i=$((i+1)); done; echo ' end' >&2; exit 1", 1,
      ": end"
    ),
  ])
  func `the last line of the errors tells why a command failed, and no token`(
    command: String, status: Int, said: String
  ) async throws {
    let error = await error(command)
    let name = status == 127 ? "***" : shown(command)
    #expect(
      error?.description
        == "token_command `\(name)` ended with status \(status)\(said). Run it by hand "
        + "to see why.")
  }

  @Test func `a command runs in the folder of the workspace`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("from-the-folder", to: "token")
    let source = CredentialSource(
      choice: .tokenCommand("cat ./token"), environment: ["PATH": "/usr/bin:/bin"],
      folder: folder.path)
    let credentials = Credentials(source, http: Stage.http, now: { Stage.now })
    #expect(try await credentials.token().secret.revealed == "from-the-folder")
  }

  @Test func `errors do not fill the pipe of a command that prints a token`() async throws {
    let command = "head -c 300000 /dev/zero >&2; echo token"
    let token = try await TokenCommand(
      command: command, environment: ["PATH": "/usr/bin:/bin"], limit: .seconds(20)
    ).token()
    #expect(token.secret == Secret("token"))
  }

  @Test(arguments: ["tok", "\ntok\r\n\n", " tok"])
  func `a token with line ends around it is the token`(text: String) async throws {
    let token = try await TokenCommand(
      command: "printf %s \"$TEXT\"", environment: ["TEXT": text]
    ).token()
    #expect(token.secret == Secret("tok"))
  }

  @Test(arguments: [(65_535, true), (65_536, true), (65_537, false)])
  func `output without end is cut off, the command ended`(count: Int, isTaken: Bool) async throws {
    let command = "head -c \(count) /dev/zero | tr '\\0' a"
    guard !isTaken else {
      let token = try await TokenCommand(
        command: command, environment: ["PATH": "/usr/bin:/bin"]
      ).token()
      return #expect(token.secret.revealed.count == count)
    }
    let error = await error("PATH=/usr/bin:/bin; \(command)")
    #expect(error?.description.contains("printed more than 65,536 bytes") == true)
    #expect(await self.error("PATH=/usr/bin:/bin; yes")?.isTransient == false)
  }

  @Test(arguments: [
    "echo $$ > F; exec sleep 600", "sleep 600 & echo $! > F; wait",
  ])
  func `a command that does not end is ended with its children`(command: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "pid")
    let error = await error(
      "PATH=/usr/bin:/bin; \(command.replacing("F", with: "'\(file)'"))", limit: .seconds(1))
    #expect(error?.description.contains("did not end within 1 seconds") == true)
    try await expectEnd(in: file)
  }

  @Test
  func `what a command with a token left running is ended, and not waited for`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "pid")
    let token = try await TokenCommand(
      command: "PATH=/usr/bin:/bin; sleep 600 & echo $! > '\(file)'; echo token", environment: [:]
    ).token()
    #expect(token.secret == Secret("token"))
    try await expectEnd(in: file)
  }

  @Test
  func `a command is waited for no longer when it started something in another session`()
    async throws
  {
    let error = await error("PATH=/usr/bin:/bin; setsid sleep 5 & sleep 600", limit: .seconds(1))
    #expect(error?.description.contains("did not end within 1 seconds") == true)
    let token = try await TokenCommand(
      command: "PATH=/usr/bin:/bin; setsid sleep 5 & echo token", environment: [:]
    ).token()
    #expect(token.secret == Secret("token"))
  }

  /// Expects that the process, whose number the file has, ends.
  private func expectEnd(in file: String) async throws {
    let text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    let child = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    for _ in 1...200 where !hasEnded(child) { try await Task.sleep(for: .milliseconds(10)) }
    #expect(hasEnded(child))
  }

  /// Whether the process is gone, or dead and not yet waited for.
  private func hasEnded(_ pid: pid_t) -> Bool {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return true }
    return String(decoding: bytes, as: UTF8.self).contains(") Z ")
  }
}
