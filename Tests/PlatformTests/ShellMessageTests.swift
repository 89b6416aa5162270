import Testing

@testable import Platform

struct ShellMessageTests {
  @Test(arguments: [
    ("/bin/sh: 1: h2nter: not found", "/bin/sh: 1: ***: not found"),
    ("/bin/sh: 1: https://h.example/KEY: not found", "/bin/sh: 1: ***: not found"),
    ("/bin/sh: line 1: h2nter: command not found", "/bin/sh: line 1: ***: command not found"),
    ("/bin/sh: 1: /x: Permission denied", "/bin/sh: 1: ***: Permission denied"),
    ("/bin/sh: 1: cannot open /x: No such file", "/bin/sh: 1: ***: No such file"),
    ("/bin/sh: 1: KEY: parameter not set", "/bin/sh: 1: ***"),
    ("/bin/sh: -c: line 1: `echo (KEY'", "/bin/sh: -c: line 1: ***"),
    (
      "/bin/sh: 1: Syntax error: Unterminated quoted string",
      "/bin/sh: 1: Syntax error: Unterminated quoted string"
    ),
    ("/bin/sh: 1: Syntax error: \"(\" unexpected", "/bin/sh: 1: Syntax error: \"(\" unexpected"),
    ("/bin/sh: 1: Bad substitution", "/bin/sh: 1: Bad substitution"),
    ("tool: /bin/sh: 1: x: not found", "tool: /bin/sh: 1: x: not found"),
    ("cat: KEY: No such file", "cat: KEY: No such file"), ("", ""),
  ])
  func `of the shell's own words those of the command are hidden`(line: String, shown: String) {
    #expect(ShellMessage.shown(line) == shown)
  }
}
