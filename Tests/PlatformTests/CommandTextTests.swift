import Fixtures
import Foundation
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

  @Test(arguments: [
    ("cat", false), (" cat ", false), ("/bin/cat", false), ("bin/tell", false),
    ("./bin/tell", false), ("cat -", false), ("h2nter x", false), ("", false), ("h2nter", true),
    ("/h2nter", true), ("bin/h2nter", true), ("tell", true), ("https://h.example/KEY", true),
    ("A=b", true),
  ])
  func `a lone word that names no program may be the secret itself`(
    command: String, mayBe: Bool
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("#!/bin/sh\n", to: "bin/tell")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/bin/tell")
    for path in [nil, "/usr/bin:/bin"] {
      #expect(CommandText.mayBeSecret(command, in: folder.path, path: path) == mayBe)
    }
  }

  @Test func `a program is looked for where the shell looks`() throws {
    let folder = try TemporaryFolder()
    #expect(CommandText.mayBeSecret("cat", in: folder.path, path: folder.path))
    #expect(!CommandText.mayBeSecret("cat", in: folder.path, path: "\(folder.path):/bin"))
  }
}
