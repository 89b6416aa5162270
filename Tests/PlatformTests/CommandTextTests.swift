import Testing

@testable import Platform

struct CommandTextTests {
  @Test(arguments: [
    ("msmtp -t", "msmtp", "msmtp ***"), ("msmtp", "msmtp", "msmtp"),
    ("/usr/sbin/sendmail\t-t", "/usr/sbin/sendmail", "/usr/sbin/sendmail ***"),
    (" cat", "cat", "cat ***"), ("A=b prog", nil, "***"), ("A=b", nil, "***"), ("", nil, "***"),
    ("https://h.example/KEY", nil, "***"), ("htps//h.example/KEY", nil, "***"),
    ("u@h x", nil, "***"), ("$TELL x", nil, "***"),
  ])
  func `a command is shown by its program, and not where it sets a variable first`(
    command: String, program: String?, shown: String
  ) {
    #expect(CommandText.program(of: command) == program)
    #expect(CommandText.shown(command) == shown)
  }
}
