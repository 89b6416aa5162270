import Testing

@testable import Platform

struct SecretCommandTests {
  @Test func `a secret is without the spaces and tabs around it, and keeps other blanks`()
    async throws
  {
    let command = SecretCommand(
      "printf ' \\t\u{A0}se cret\u{A0}\\t \\n'", environment: ["PATH": "/usr/bin:/bin"],
      limit: .seconds(20), longestOutput: 100)
    #expect(try await command.line() == "\u{A0}se cret\u{A0}")
  }

  @Test(arguments: [
    "yes", "yes >&2 & yes", "trap '' TERM; yes", "head -c 65537 /dev/zero; exec sleep 600",
    "head -c 65537 /dev/zero; sleep 600 >&2 & wait",
  ])
  func `a command that prints without end is ended at its limit`(command: String) async throws {
    let limit = Duration.seconds(300)
    let command = SecretCommand(
      command, environment: ["PATH": "/usr/bin:/bin"], limit: limit, longestOutput: 65_536)
    let begin = ContinuousClock.now
    let failure = await #expect(throws: SecretCommand.Failure.self) { try await command.line() }
    #expect(failure == .misbehaved("printed more than 65,536 bytes"))
    #expect(ContinuousClock.now - begin < limit / 5)
  }
}
