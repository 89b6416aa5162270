import JobsTesting
import Fixtures
import Foundation
import Model
import Synchronization
import Testing

@testable import Workspace

struct HookRunnerTests {
  private struct Unreachable: Error, CustomStringConvertible {
    var description: String { "no route" }
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func runner(
    environment: [String: String] = [:],
    ping: @escaping HookRunner.Ping = { _ in HookAnswer(status: 200) },
    said: @escaping HookRunner.Listener = { _, _, _ in },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) -> HookRunner {
    HookRunner(
      workspace: Workspace(root: folder.path),
      environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }, ping: ping,
      said: said, sleep: sleep)
  }

  private func report(
    _ moment: HookReport.Moment = .ended(.failed), failures: Int = 0, error: String? = nil
  ) -> HookReport {
    var report = HookReport(
      app: "Chat", job: "my-job", run: 17, moment: moment, failures: failures)
    report.exitCode = 69
    report.duration = .milliseconds(12_900)
    report.error = error
    return report
  }

  @Test(arguments: [
    (HookReport.Moment.started, HookEvent.onStart), (.ended(.ok), .onSuccess),
    (.ended(.partial), .onSuccess), (.ended(.fresh), .onSuccess),
    (.ended(.failed), .onFailure), (.ended(.blocked), .onFailure),
    (.ended(.interrupted), .onFailure),
  ])
  func `every moment has its event`(moment: HookReport.Moment, event: HookEvent) {
    #expect(HookEvent(moment) == event)
  }

  @Test func `a job that the lock kept from beginning has no event`() {
    #expect(HookEvent(HookReport.Moment.ended(.locked)) == nil)
  }

  @Test func `a command runs in the workspace and is told of the run`() async throws {
    let names = HookReport.variableNames.map { "$\($0)" }.joined(separator: "|")
    let command = Hook.command("echo \"\(names)\" > told.txt")
    let failed = report(failures: 3, error: "No route.\nTry again.")
    #expect(await runner().run(command, about: failed).succeeded)
    #expect(
      try folder.text(of: "told.txt") == "my-job|failed|3|17|69|12|No route.\nTry again.|\n")
    let started = HookReport(app: "Chat", job: "my-job", moment: .started, isTest: true)
    #expect(await runner().run(command, about: started).succeeded)
    #expect(try folder.text(of: "told.txt") == "my-job|started|0|||||1\n")
  }

  @Test func `a command sees no secret of the environment`() async throws {
    let environment = ["GOOGLE_APPLICATION_CREDENTIALS": "/key", "TOKEN": "t", "LANG": "C"]
    let answer = await runner(environment: environment).run(
      .command("env > seen.txt"), about: report())
    #expect(answer.succeeded)
    let names = try folder.text(of: "seen.txt").split(separator: "\n").compactMap {
      $0.split(separator: "=").first.map(String.init)
    }
    let expected = ["PATH", "LANG"] + HookReport.variableNames
    #expect(Set(names).subtracting(["PWD", "OLDPWD", "_", "SHLVL"]) == Set(expected))
  }

  @Test func `a command with a body reads the report, and one without reads nothing`() async throws
  {
    var hook = Hook.command("cat > read.txt")
    #expect(await runner().run(hook, about: report()).succeeded)
    #expect(try folder.text(of: "read.txt").isEmpty)
    hook.body = .text
    let report = report(error: String(repeating: "0123456789\n", count: 2_000))
    #expect(await runner().run(hook, about: report).succeeded)
    #expect(try folder.text(of: "read.txt") == report.text)
  }

  @Test func `a command that reads nothing of its body is well`() async {
    let hook = Hook(action: .command("exit 0"), body: .text)
    #expect(await runner().run(hook, about: report()).succeeded)
  }

  @Test(arguments: [
    ("exit 3", "ended with status 3"), ("kill -9 $$", "was ended by signal 9"),
    ("/no/such/program", "ended with status 127"),
  ])
  func `a command that fails is a warning with the reason`(text: String, reason: String) async {
    let answer = await runner().run(.command(text), about: report())
    #expect(
      answer.warning("on_failure", of: "my-job")
        == "The on_failure hook of the job 'my-job' \(reason). The job itself is not affected.")
  }

  @Test(arguments: ["sleep 600", "(trap '' TERM; sleep 600)"])
  func `a command that hangs is ended with all that it started`(child: String) async throws {
    let hook = Hook(action: .command("\(child) & echo $! > child.txt; wait"), timeout: .seconds(7))
    let mark = "\(folder.path)/child.txt"
    let answer = await runner(sleep: { _ in
      while FileManager.default.contents(atPath: mark)?.isEmpty != false {
        try await Task.sleep(for: .milliseconds(10))
      }
    }).run(hook, about: report())
    #expect(answer.text == "was stopped after 7s" && !answer.succeeded)
    let text = try folder.text(of: "child.txt")
    let child = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(try await isGone(child))
  }

  @Test func `a cancelled hook is ended and is a warning`() async throws {
    let runner = runner(sleep: { _ in throw CancellationError() })
    let answer = await runner.run(.command("sleep 600"), about: report())
    #expect(answer.text.contains("was stopped with the program"))
  }

  @Test func `a workspace that is gone is a warning`() async {
    let runner = HookRunner(
      workspace: Workspace(root: folder.path + "/gone"), environment: ["PATH": "/bin"],
      ping: { _ in HookAnswer(status: 200) }, said: { _, _, _ in },
      sleep: { try await Task.sleep(for: $0) })
    let answer = await runner.run(.command("true"), about: report())
    #expect(answer.text.contains("ended with status") && !answer.succeeded)
  }

  @Test(arguments: [
    (200, true), (204, true), (399, true), (199, false), (400, false), (500, false),
  ])
  func `a ping is well below the status 400`(status: Int, isFine: Bool) async {
    let pinged = Mutex<[HookPing]>([])
    let runner = runner(ping: { ping in
      pinged.withLock { $0.append(ping) }
      return HookAnswer(status: status)
    })
    let answer = await runner.run(
      .ping(url: "https://hc.example/secret"), about: report(.ended(.ok)))
    #expect(pinged.withLock { $0.map(\.url) } == ["https://hc.example/secret"])
    #expect(pinged.withLock { $0.map(\.body) } == [nil])
    let expected =
      "The on_success hook of the job 'my-job' got status \(status) from hc.example. "
      + "The job itself is not affected."
    #expect(answer.warning("on_success", of: "my-job") == (isFine ? nil : expected))
  }

  @Test(arguments: [
    (200, "OK", nil, true), (200, "OK\n", nil, true), (200, "", nil, true),
    (200, "OK (not found)", "not found", false), (200, " ok (Not Found)\n", "not found", false),
    (200, "OK (rate limited)", "rate limited", true), (201, "Created", nil, true),
    (200, "<html>(not found)</html>", nil, true),
  ])
  func `a check has a ping only if its server says a plain OK`(
    status: Int, body: String, reservation: String?, isTriedAgain: Bool
  ) async {
    let tries = Mutex(0)
    let runner = runner(ping: { _ in
      tries.withLock { $0 += 1 }
      return HookAnswer(status: status, body: Array(body.utf8))
    })
    let hook = Hook(action: .ping(url: "https://hc.example/secret"), isCheck: true, retries: 1)
    let answer = await runner.run(hook, about: report(.ended(.ok)))
    #expect(answer.succeeded == (reservation == nil))
    if let reservation {
      let words = "was not taken by hc.example, which answers 'OK (\(reservation))'"
      #expect(answer.text == words + (isTriedAgain ? " (2 tries)" : ""))
    }
    #expect(tries.withLock(\.self) == (reservation != nil && isTriedAgain ? 2 : 1))
    // To another address it is only a page.
    let other = await runner.run(
      .ping(url: "https://hc.example/secret"), about: report(.ended(.ok)))
    #expect(other.succeeded)
  }

  @Test func `a ping that does not arrive is a warning without the address`() async {
    let runner = runner(ping: { _ in throw Unreachable() })
    let answer = await runner.run(.ping(url: "https://hc.example/secret"), about: report())
    #expect(answer.text == "failed: no route")
  }

  @Test(arguments: [
    ([500, 500, 200], 3, [1.0, 2.0], true), ([503, 429, 408, 500], 4, [1, 2, 4], false),
    ([404, 200], 1, [], false), ([200], 1, [], true),
  ])
  func `a hook is tried again after a pause that doubles, unless the request is wrong`(
    statuses: [Int], tries: Int, pauses: [Double], succeeds: Bool
  ) async {
    let left = Mutex(statuses)
    let slept = Mutex<[Double]>([])
    let runner = runner(
      ping: { _ in HookAnswer(status: left.withLock { $0.removeFirst() }) },
      sleep: { pause in slept.withLock { $0.append(pause.fractionalSeconds) } })
    let answer = await runner.run(
      Hook(action: .ping(url: "https://hc.example"), retries: 3), about: report())
    #expect(answer.succeeded == succeeds)
    #expect(statuses.count - left.withLock(\.count) == tries)
    #expect(slept.withLock(\.self) == pauses)
    #expect(answer.text.hasSuffix("(4 tries)") == (tries == 4))
  }

  @Test(arguments: Hook.retryCounts)
  func `all tries of a hook fit into its longest time, with their pauses`(retries: Int) async {
    let tries = Mutex(0)
    let slept = Mutex(Duration.zero)
    let runner = runner(
      ping: { _ in
        tries.withLock { $0 += 1 }
        return HookAnswer(status: 500)
      }, sleep: { pause in slept.withLock { $0 += pause } })
    let hook = Hook(
      action: .ping(url: "https://hc.example"), timeout: Hook.longestTimeout, retries: retries)
    _ = await runner.run(hook, about: report())
    let took = hook.timeout * tries.withLock(\.self) + slept.withLock(\.self)
    #expect(took <= hook.longestTime && hook.longestTime <= took + .seconds(60))
  }

  /// Whether a process ends within a minute; one that nobody waited for is gone too.
  private func isGone(_ pid: Int32) async throws -> Bool {
    for _ in 0..<1_200 {
      let status: String
      do {
        status = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
      } catch {
        return true
      }
      if status.contains(") Z ") { return true }
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }
}
