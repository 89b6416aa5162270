import App
import Fixtures
import Foundation
import Model
import Testing

@Suite("Replaying a file")
struct ReplayRunTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private struct Result {
    var lines: [String] = []
    var rejected: [Int] = []
    var decided = 0
  }

  private func replay(_ text: String, set: [SettingKey: String] = [:]) throws -> Result {
    try folder.write(text, to: "attempts.ndjson")
    var result = Result()
    let run = ReplayRun(.file(path: folder.path + "/attempts.ndjson")) { line, _ in
      result.rejected.append(line)
    }
    var bytes: [UInt8] = []
    result.decided = try run.decide(
      under: SettingsRule.resolve(fetched: [], workspace: set)
    ) { bytes += $0 }
    result.lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return result
  }

  /// One attempt of u1 at refresh, so many seconds after the tests' morning.
  private func line(_ action: String, at seconds: String, _ more: String = "") -> String {
    "{\"at\":\(seconds),\"user\":\"u1\",\"feature\":\"refresh\",\"verb\":\"\(action)\"\(more)}\n"
  }

  /// What stands behind the verb.
  private func answers(_ result: Result) -> [String] {
    result.lines.compactMap { line in
      line.range(of: "\"canProceed\"").map { String(line[$0.lowerBound...].dropLast()) }
    }
  }

  private func answer(
    _ proceeds: Bool, popup: Bool, remaining: String = "0", usage: Int, type: String = "free_user",
    _ events: [String]
  ) -> String {
    """
    "canProceed":\(proceeds),"showPopup":\(popup),"remainingCooldown":\(remaining),\
    "currentUsage":\(usage),"limit":2,"isLimitReached":\(usage >= 2),"userType":"\(type)",\
    "events":[\(events.map { "\"\($0)\"" }.joined(separator: ","))]
    """
  }

  @Test func `a line of output has its keys in their order, and the attempt as it came`() throws {
    let result = try replay(line("use", at: "1769846400.25", #","ok":true,"tier":"free","x":1"#))
    #expect(
      result.lines == [
        #"{"at":1769846400.25,"user":"u1","feature":"refresh","verb":"use","canProceed":true,"#
          + #""showPopup":true,"remainingCooldown":0,"currentUsage":1,"limit":2,"#
          + #""isLimitReached":false,"userType":"free_user","events":["popup_shown","performed"]}"#
      ])
    #expect(result.decided == 1)
  }

  @Test func `two free uses, a block that starts the cooldown, a wait, a fresh allowance`() throws {
    let attempts = [
      line("use", at: "100"), line("use", at: "101", #","ok":false"#), line("use", at: "102"),
      line("peek", at: "103"), line("use", at: "104"), line("check", at: "105.5"),
      line("use", at: "222.9994"), line("use", at: "223"),
    ]
    #expect(
      try answers(replay(attempts.joined())) == [
        answer(true, popup: true, usage: 1, ["popup_shown", "performed"]),
        answer(true, popup: true, usage: 1, ["popup_shown"]),
        answer(true, popup: true, usage: 2, ["popup_shown", "performed"]),
        answer(false, popup: true, usage: 2, []),
        answer(
          false, popup: true, remaining: "120", usage: 2, ["popup_shown", "blocked_limit_reached"]),
        answer(
          false, popup: true, remaining: "118.5", usage: 2, ["popup_shown", "blocked_cooldown"]),
        answer(
          false, popup: true, remaining: "1.001", usage: 2, ["popup_shown", "blocked_cooldown"]),
        answer(true, popup: false, usage: 1, ["limit_reset", "cooldown_completed", "performed"]),
      ])
  }

  @Test func `a clock that goes back restarts the cooldown`() throws {
    let attempts = [
      line("use", at: "100"), line("use", at: "100"), line("check", at: "100"),
      line("use", at: "40.5"), line("use", at: "50.5"),
    ]
    #expect(
      try answers(replay(attempts.joined())).suffix(2) == [
        answer(
          false, popup: true, remaining: "120", usage: 2,
          ["clock_skew", "popup_shown", "blocked_cooldown"]),
        answer(
          false, popup: true, remaining: "110", usage: 2, ["popup_shown", "blocked_cooldown"]),
      ])
  }

  @Test func `subscribers and new users proceed without a popup or a count`() throws {
    let attempts = [
      line("use", at: "7300", #","tier":"pro","firstAccountCreatedAt":7300"#),
      line("use", at: "7300", #","firstAccountCreatedAt":100.000001"#),
      line("check", at: "7300", #","firstAccountCreatedAt":100"#),
      line("check", at: "7300", #","firstAccountCreatedAt":7600"#),
      line("check", at: "7300", #","firstAccountCreatedAt":7600.000001"#),
    ]
    #expect(
      try answers(replay(attempts.joined())) == [
        answer(
          true, popup: false, usage: 0, type: "lite_subscriber",
          ["lite_subscriber_bypass", "performed"]),
        answer(
          true, popup: false, usage: 0, type: "new_user", ["new_user_bypass", "performed"]),
        answer(true, popup: true, usage: 0, ["popup_shown"]),
        answer(true, popup: false, usage: 0, type: "new_user", ["new_user_bypass"]),
        answer(true, popup: true, usage: 0, ["popup_shown"]),
      ])
  }

  @Test func `without a limit there is null, until the settings name one`() throws {
    let text = #"{"at":1,"user":"u","feature":"message","verb":"use"}"#
    #expect(
      try replay(text).lines.first?.hasSuffix(
        #""currentUsage":0,"limit":null,"isLimitReached":false,"userType":"free_user","#
          + #""events":["performed"]}"#) == true)
    #expect(
      try replay(text, set: [.messageLimit: "1"]).lines.first?.hasSuffix(
        #""currentUsage":1,"limit":1,"isLimitReached":true,"userType":"free_user","#
          + #""events":["popup_shown","performed"]}"#) == true)
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("1.50", "1.5"), ("-0.000001", "-0.000001"), ("-12.25", "-12.25"),
    ("1e2", "100"), ("1769846400.123456", "1769846400.123456"), ("5.000000", "5"),
    ("253402300799.999999", "253402300799.999999"),
  ])
  func `a time comes back as it went in, without zeros at the end`(input: String, output: String)
    throws
  {
    let lines = try replay(line("peek", at: input)).lines
    #expect(lines.first?.hasPrefix("{\"at\":\(output),\"user\"") == true)
  }

  @Test func `a user's name is printed as JSON, whatever it is`() throws {
    let text = #"{"at":1,"user":"\u0061\"\\\n\u0000é\/","feature":"filter","verb":"peek"}"#
    let lines = try replay(text).lines
    #expect(lines.first?.contains(#""user":"a\"\\\n\u0000é/","#) == true)
    let object = try JSONSerialization.jsonObject(with: Data(lines.joined().utf8))
    #expect((object as? [String: Any])?["user"] as? String == "a\"\\\n\0é/")
  }

  @Test func `bad lines are handed over, and the good ones decided`() throws {
    let result = try replay("x\n\(line("use", at: "1"))\n{}\n\(line("use", at: "2"))")
    #expect(result.rejected == [1, 4])
    #expect(result.decided == 2)
    #expect(result.lines.count == 2)
  }

  @Test func `an error comes after what was decided before it`() throws {
    let text = (0..<3_000).map { line("use", at: String($0)) }.joined()
    try folder.write(text, to: "attempts.ndjson")
    struct Full: Error {}
    var blocks = 0
    let run = ReplayRun(.file(path: folder.path + "/attempts.ndjson")) { _, _ in }
    #expect(throws: Full.self) {
      _ = try run.decide(under: SettingsRule.resolve(fetched: [])) { _ in
        blocks += 1
        throw Full()
      }
    }
    #expect(blocks >= 1)
    #expect(try replay(text).lines.count == 3_000)
  }
}
