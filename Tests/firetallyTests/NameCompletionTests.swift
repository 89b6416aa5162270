import ArgumentParser
import Foundation
import Jobs
import Reports
import Testing

@testable import firetally

/// What shells offer: `docs/install.md#completions-and-manual-pages`.
@Suite struct NameCompletionTests {
  @Test(arguments: [
    (["firetally", "run"], "."), (["firetally", "-C", "/srv/a", "run"], "/srv/a"),
    (["firetally", "run", "--workspace", "/srv/a"], "/srv/a"),
    (["firetally", "--workspace=/srv/a", "run"], "/srv/a"),
    // As bash splits the words.
    (["firetally", "--workspace", "=", "/srv/a", "run"], "/srv/a"),
    (["firetally", "run", "--workspace", "="], "."),
    (["firetally", "-C", "/srv/a", "-C", "/srv/b", "run"], "/srv/b"),
    (["firetally", "run", "-C"], "."),
  ])
  func `the workspace is the one that the line names last, else the current folder`(
    words: [String], folder: String
  ) {
    #expect(NameCompletion.folder(in: words) == folder)
  }

  @Test
  func `the program itself offers the workspace's jobs and profiles, and nothing without one`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("profile", "create", "ana")
    let path = workspace.folder.path
    let line = ["-C", path, "run", ""]
    let jobs = NameCompletion.names(in: line) { try $0.jobs().jobs.map(\.name) }
    #expect(jobs.contains("online-users") && jobs.contains("settings"))
    // In a process of its own: the parser remembers the shell of the last script that it wrote.
    let offered = try await workspace.program.start(
      ["---completion", "run", "--", "positional@0", "0", "0"] + ["firetally"] + line
    ).wait()
    #expect(offered.output.split(separator: "\n").map(String.init).sorted() == jobs.sorted())
    #expect(
      NameCompletion.names(in: ["-C", path + "/no"]) { try $0.jobs().jobs.map(\.name) } == [])
  }

  @Test func `a name with a colon is one word of zsh's`() {
    #expect(NameCompletion.wordOfZsh(#"team:red\x"#) == #"team\:red\\x"#)
  }

  /// What bash offers for the last of the words that it has split.
  private func offered(by workspace: TemporaryWorkspace, _ words: [String]) async throws -> [String]
  {
    let script = workspace.folder.appending(path: "completion").path
    try CompletionScript.text(for: .bash).write(
      toFile: script, atomically: true, encoding: .utf8)
    let all = ["firetally"] + words
    let quoted = all.map { "'\($0)'" }.joined(separator: " ")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = [
      "-c",
      """
      firetally() { "$PROGRAM" "$@"; }
      source '\(script)'
      COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count); COMP_LINE="${COMP_WORDS[*]}"
      COMP_POINT=${#COMP_LINE}
      _firetally firetally "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """,
    ]
    process.environment = ["PATH": "/usr/bin:/bin", "PROGRAM": BuiltProgram.url.path]
    process.currentDirectoryURL = workspace.folder
    return try await Running.started(process).wait().output.split(separator: "\n").map(String.init)
  }

  @Test func `bash completes behind an option with an equals sign`() async throws {
    let workspace = try await TemporaryWorkspace()
    let path = workspace.folder.path
    for words in [["--workspace", "=", path], ["--workspace", path], ["-C", path]] {
      #expect(
        try await offered(by: workspace, words + ["run", "sett"]).sorted()
          == ["settings", "settle"], "\(words)")
    }
    #expect(
      try await offered(by: workspace, ["--workspace", "=", path + "/jo"]) == [path + "/jobs"])
    #expect(try await offered(by: workspace, ["--workspace", "="]).contains("jobs"))
  }

  @Test func `backups are offered of the folder that the line names, and periods by name`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("run", "settings")
    let (own, other) = (workspace.folder.path, workspace.folder.appending(path: "usb").path)
    _ = try await workspace.run("backup", "--to", other)
    for (words, count) in [(["-C", own], 1), (["-C", own, "--from", other], 2)] {
      let offered = try await workspace.program.start(
        ["---completion", "verify", "--", "positional@0", "0", "0", "firetally"] + words
          + ["verify", ""]
      ).wait()
      let names = offered.output.split(separator: "\n").map(String.init)
      #expect(names.count == count && names.first == "latest", "\(names)")
      #expect(names.dropFirst().allSatisfy { $0.hasSuffix(".sqlite.gz") })
    }
    for name in ReportPeriod.names { #expect(ReportPeriod(name) != nil) }
    let script = try await workspace.program.start(["--generate-completion-script", "fish"]).wait()
    for name in ReportPeriod.names { #expect(script.output.contains(name)) }
  }
}
