import JobsTesting
import Model
import Testing

@testable import Workspace

/// What hooks send: addresses, texts and messages.
struct HookReportTests {
  private static var failed: HookReport {
    var report = HookReport(
      app: "Chat", job: "settings", run: 17, moment: .ended(.failed), failures: 3)
    report.exitCode = 69
    report.duration = .milliseconds(12_400)
    report.summary = "Failed."
    report.error = "No route."
    report.warnings = ["Slow."]
    return report
  }

  private func ping(
    _ url: String, _ moment: HookReport.Moment, body: Hook.Body = .none, isCheck: Bool = false
  ) -> HookPing {
    var report = Self.failed
    report.moment = moment
    return HookPing(
      Hook(action: .ping(url: url), body: body, isCheck: isCheck), url: url, about: report)
  }

  @Test func `the text says what happened, of which run, and why`() {
    #expect(
      Self.failed.text == """
        Chat: settings failed.
        Run 17, exit code 69, 12.4 s, failure 3 in a row.
        Failed.
        Warning: Slow.
        Error: No route.

        """)
  }

  @Test func `a success after failures says that the job works again`() {
    let report = HookReport(app: "Chat", job: "a", moment: .ended(.fresh), failures: 2)
    #expect(report.text.hasPrefix("Chat: a works again, after 2 runs that failed.\n"))
    let well = HookReport(app: "Chat", job: "a", moment: .ended(.ok))
    #expect(well.text.hasPrefix("Chat: a ended: ok.\n"))
  }

  @Test func `a test says so first`() {
    var report = Self.failed
    report.isTest = true
    #expect(report.text.hasPrefix("This is a test of the hooks; no such run took place.\n"))
  }

  @Test(arguments: [0, 1, 9_000, 9_900, 9_950, 10_000, 40_000])
  func `the text has at most 10,000 bytes, and keeps its head and its end`(count: Int) {
    var report = Self.failed
    report.error = String(repeating: "ä\n", count: count) + "the end"
    #expect(report.text.utf8.count <= HookReport.longestText)
    #expect(report.text.hasPrefix("Chat: settings failed.\n"))
    #expect(report.text.hasSuffix("the end\n"))
    #expect(report.text.contains("(The beginning was left out.)") == (count > 9_000 / 3))
    #expect(!report.text.contains("\u{FFFD}"))
  }

  @Test func `one endless line is cut, too`() {
    var report = Self.failed
    report.error = String(repeating: "é", count: 20_000)
    #expect(report.text.utf8.count <= HookReport.longestText)
    #expect(!report.text.contains("\u{FFFD}"))
  }

  @Test func `FIRETALLY_ERROR is cut, and holds no character that acts`() {
    var report = Self.failed
    report.error = "\u{0}\u{1B}[31m" + String(repeating: "ä", count: 5_000)
    let error = report.environment["FIRETALLY_ERROR"] ?? ""
    #expect(error.utf8.count <= HookReport.longestError + 3)
    #expect(error.hasPrefix("␀␛[31mä") && error.hasSuffix("ä…"))
  }

  @Test(arguments: [
    ("https://hc.example/a", "https://hc.example/a/fail"),
    ("https://hc.example/a/", "https://hc.example/a/fail"),
    ("https://hc.example/k/{job}?create=1", "https://hc.example/k/settings/fail?create=1"),
    ("https://hc.example/a#b", "https://hc.example/a/fail#b"),
  ])
  func `a check hears of a failure at the end of its path`(url: String, expected: String) {
    #expect(ping(url, .ended(.failed), isCheck: true).url == expected)
  }

  @Test(arguments: [
    (HookReport.Moment.started, "/start"), (.ended(.ok), ""), (.ended(.fresh), ""),
    (.ended(.blocked), "/fail"), (.ended(.interrupted), "/fail"),
  ])
  func `each moment of a check has its address`(moment: HookReport.Moment, suffix: String) {
    #expect(ping("https://h/a", moment, isCheck: true).url == "https://h/a\(suffix)")
    #expect(ping("https://h/a", moment).url == "https://h/a")
  }

  @Test func `a plain ping has no body`() {
    #expect(ping("https://h/a", .ended(.failed)).body == nil)
  }

  @Test func `a body of text is posted as it is`() {
    let ping = ping("https://h/a", .ended(.failed), body: .text)
    #expect(ping.body.map { String(decoding: $0, as: UTF8.self) } == Self.failed.text)
    #expect(ping.contentType == "text/plain; charset=utf-8")
  }

  @Test func `a message for Slack is JSON, with Slack's own signs escaped`() {
    var report = Self.failed
    report.error = #"<!channel> & "quoted""#
    let hook = Hook(action: .ping(url: "https://h"), body: .slack)
    let ping = HookPing(hook, url: "https://h", about: report)
    let text = ping.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.hasPrefix(#"{"text":"Chat: settings failed.\nRun 17"#))
    #expect(text.contains(#"&lt;!channel&gt; &amp; \"quoted\""#))
    #expect(ping.contentType == "application/json; charset=utf-8")
  }
}
