import Fixtures
import Foundation
import Testing

@Suite struct ReplayCommandTests {
  private let temporary: TemporaryFolder
  private var folder: URL { temporary.url }

  init() throws {
    temporary = try TemporaryFolder()
  }

  private func file(_ lines: [String], name: String = "attempts.ndjson") throws -> String {
    let url = folder.appendingPathComponent(name)
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: url)
    return url.path
  }

  private func use(_ at: Int, user: String = "u1", feature: String = "refresh") -> String {
    #"{"at":\#(at),"user":"\#(user)","feature":"\#(feature)","verb":"use"}"#
  }

  private func replay(_ arguments: String...) async throws -> BuiltProgram.Result {
    try await BuiltProgram().start(["limits", "replay"] + arguments, in: folder).wait()
  }

  private func proceeds(_ result: BuiltProgram.Result) -> [Bool] {
    result.output.split(separator: "\n").map { $0.contains("\"canProceed\":true") }
  }

  @Test
  func `a replay needs no workspace: the built-in settings, a remark, one line a decision`()
    async throws
  {
    let result = try await replay(try file([use(1), use(2), use(3)]))
    #expect(result.status == 0)
    #expect(proceeds(result) == [true, true, false])
    #expect(result.errors.contains("built-in settings"))
    #expect(result.output.hasPrefix(#"{"at":1,"user":"u1","feature":"refresh","verb":"use","canP"#))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    let quiet = try await replay(try file([use(1)]), "--quiet")
    #expect(quiet.errors.isEmpty)
  }

  @Test func `a folder that -C names must be a workspace`() async throws {
    let result = try await replay(try file([use(1)]), "-C", folder.path)
    #expect(result.status == 78)
    #expect(result.output.isEmpty)
  }

  @Test
  func `firetally.yml counts without a database, --set wins over it, and no database is made`()
    async throws
  {
    let path = try file([use(1), use(2), use(3)])
    try Data(
      "app: {name: Mine, bundle_id: com.example.mine}\nsettings: {refresh.limit: 1}\n".utf8
    ).write(to: folder.appendingPathComponent("firetally.yml"))
    let result = try await replay(path)
    #expect(result.errors.isEmpty)
    #expect(proceeds(result) == [true, false, false])
    #expect(try await proceeds(replay(path, "--set", "refresh.limit=3")) == [true, true, true])
    let both = try await replay(path, "--set", "refresh.limit=2", "--set", "refresh.cooldown=60")
    #expect(both.output.contains("\"remainingCooldown\":60,"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
  }

  @Test(arguments: [
    ("refesh.limit=5", "Did you mean 'refresh.limit'?"), ("refresh.limit", "no assignment"),
    ("refresh.limit=0", "from 1"), ("refresh.limit=-1", "from 1"),
    ("refresh.cooldown=", "from 1"),
    ("refresh.limit=1.5", "from 1"), ("refresh.limit=+1", "from 1"),
    ("refresh.limit=2147483648", "2147483647"), ("rating.threshold=1", "There is no setting"),
    ("newUserFreePeriodSeconds=x", "whole number"), ("=1", "There is no setting"),
    ("", "no assignment"), ("refresh.limit=1,", "no assignment"),
  ])
  func `a bad --set ends with 64 and says what is meant`(text: String, words: String) async throws {
    let result = try await replay(try file([use(1)]), "--set", text)
    #expect(result.status == 64)
    #expect(result.errors.contains(words))
    #expect(result.output.isEmpty)
  }

  @Test(arguments: ["0", "-5"])
  func `the grace for new users is switched off by 0 and less`(period: String) async throws {
    let line = #"{"at":99,"user":"u","feature":"refresh","verb":"use","firstAccountCreatedAt":98}"#
    let path = try file([line])
    #expect(try await replay(path).output.contains("new_user_bypass"))
    let off = try await replay(path, "--set", "newUserFreePeriodSeconds=\(period)")
    #expect(off.output.contains("popup_shown"))
  }

  @Test
  func `bad lines are told as FILE:LINE, good ones decided, and the status is 3`() async throws {
    let path = try file([use(1), "{", "", #"{"at":"1"}"#, use(2)])
    let result = try await replay(path, "--quiet")
    #expect(result.status == 3)
    #expect(proceeds(result) == [true, true])
    #expect(
      result.errors == """
        \(path):2: the line ends inside the record
        \(path):4: at is not a number

        """)
  }

  @Test func `of many bad lines twenty are told, and the others counted`() async throws {
    let exactly = try await replay(
      try file([use(1)] + Array(repeating: "x", count: 20)), "--quiet")
    #expect(exactly.status == 3)
    #expect(exactly.errors.split(separator: "\n").count == 20)
    let more = try await replay(
      try file([use(1)] + Array(repeating: "x", count: 23)), "--quiet")
    #expect(more.errors.split(separator: "\n").count == 21)
    #expect(more.errors.hasSuffix("and 3 more\n"))
  }

  @Test func `a file without a good line ends with 65, an empty one with 0`() async throws {
    let result = try await replay(try file(["x", "y"]), "--quiet")
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("none of its 2 lines could be used"))
    for lines in [[], ["", " "]] {
      let empty = try await replay(try file(lines), "--quiet")
      #expect(empty.status == 0)
      #expect(empty.output.isEmpty && empty.errors.isEmpty)
    }
    let missing = try await replay(folder.path + "/none.ndjson", "--quiet")
    #expect(missing.status == 65)
  }

  @Test
  func `with --json what goes wrong is JSON, line by line, and the decisions are the same`()
    async throws
  {
    let path = try file([use(1), "x"])
    let result = try await replay(path, "--json")
    #expect(result.status == 3)
    let plain = try await replay(path)
    #expect(result.output == plain.output)
    let messages = try result.errors.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(messages.map { $0["message_type"] as? String } == ["log", "bad_line"])
    #expect(messages.last?["line"] as? Int == 2)
    let none = try await replay(try file(["x"]), "--json", "--quiet")
    #expect(none.errors.contains(#""message_type":"error""#))
  }

  @Test func `either a file or --from-events, not both and not neither`() async throws {
    #expect(try await replay().status == 64)
    #expect(try await replay(try file([]), "--from-events").status == 64)
    #expect(try await replay("--from-events").status == 78)
  }

  @Test func `standard input is -`() async throws {
    let path = try file([use(1), use(2), "x"])
    let input = try #require(FileHandle(forReadingAtPath: path))
    let piped = try await BuiltProgram().start(["limits", "replay", "-"], in: folder, input: input)
      .wait()
    #expect(piped.output == (try await replay(path)).output)
    #expect(piped.errors.contains("\n-:3: "))
  }

  @Test func `the first signal ends a replay that waits for standard input`() async throws {
    let pipe = Pipe()
    let running = try BuiltProgram().start(
      ["limits", "replay", "-"], in: folder, input: pipe.fileHandleForReading)
    // The remark on the missing workspace tells that the program is about to read.
    try await running.waitForErrors()
    kill(running.process.processIdentifier, SIGINT)
    #expect(try await running.wait().status == 130)
    try pipe.fileHandleForWriting.close()
  }
}
