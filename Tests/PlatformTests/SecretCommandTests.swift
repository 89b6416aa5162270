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
}
