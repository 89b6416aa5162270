import Fixtures
import Foundation
import Model
import Synchronization
import Testing

@testable import Jobs

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
    ping: @escaping HookRunner.Ping = { _ in 200 },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) -> HookRunner {
    HookRunner(
      workspace: Workspace(root: folder.path),
      environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }, ping: ping, sleep: sleep)
  }

  private func job(_ hook: Hook) -> Job {
    Job(
      name: "my-job", kind: .maintain(MaintainOptions()),
      hooks: JobHooks(onStart: hook, onSuccess: hook, onFailure: hook))
  }

  @Test(arguments: [
    (HookRunner.Moment.started, "on_start"), (.ended(.ok), "on_success"),
    (.ended(.partial), "on_success"), (.ended(.fresh), "on_success"),
    (.ended(.failed), "on_failure"), (.ended(.blocked), "on_failure"),
    (.ended(.interrupted), "on_failure"),
  ])
  func `every moment has its hook`(moment: HookRunner.Moment, name: String) {
    #expect(job(.command("x")).hooks.hook(at: moment)?.name == name)
  }

  @Test func `a job without a hook does nothing`() async {
    let job = Job(name: "a", kind: .maintain(MaintainOptions()))
    let runner = runner(ping: { _ in
      Issue.record("nothing asked for a ping")
      return 200
    })
    #expect(await runner.run(.started, of: job) == nil)
    #expect(await runner.run(.ended(.failed), of: job) == nil)
  }

  @Test func `a command runs in the workspace and is told job and outcome`() async throws {
    let command = Hook.command(#"echo "$FIRETALLY_JOB $FIRETALLY_OUTCOME" > told.txt"#)
    #expect(await runner().run(.ended(.partial), of: job(command)) == nil)
    #expect(try folder.text(of: "told.txt") == "my-job partial\n")
    #expect(await runner().run(.started, of: job(command)) == nil)
    #expect(try folder.text(of: "told.txt") == "my-job started\n")
  }

  @Test func `a command sees no secret of the environment`() async throws {
    let environment = ["GOOGLE_APPLICATION_CREDENTIALS": "/key", "TOKEN": "t", "LANG": "C"]
    let warning = await runner(environment: environment).run(
      .started, of: job(.command("env > seen.txt")))
    #expect(warning == nil)
    let names = try folder.text(of: "seen.txt").split(separator: "\n").compactMap {
      $0.split(separator: "=").first.map(String.init)
    }
    let expected = ["PATH", "LANG", "FIRETALLY_JOB", "FIRETALLY_OUTCOME"]
    #expect(Set(names).subtracting(["PWD", "OLDPWD", "_", "SHLVL"]) == Set(expected))
  }

  @Test(arguments: [
    ("exit 3", "ended with the status 3"), ("kill -9 $$", "was ended by the signal 9"),
    ("/no/such/program", "ended with the status 127"),
  ])
  func `a command that fails is a warning with the reason`(text: String, reason: String) async {
    let warning = await runner().run(.ended(.failed), of: job(.command(text)))
    #expect(
      warning == "The on_failure hook of the job 'my-job' \(reason). "
        + "The job itself is not affected.")
  }

  @Test(arguments: ["sleep 600", "(trap '' TERM; sleep 600)"])
  func `a command that hangs is ended with all that it started`(child: String) async throws {
    let warning = await runner(sleep: { _ in try await Task.sleep(for: .microseconds(50)) }).run(
      .started, of: job(.command("\(child) & echo $! > child.txt; wait")))
    #expect(warning?.contains("was stopped after 30s") == true)
    let text = try folder.text(of: "child.txt")
    let child = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(try await isGone(child))
  }

  @Test func `a cancelled hook is ended and is a warning`() async throws {
    let runner = runner(sleep: { _ in throw CancellationError() })
    let warning = await runner.run(.started, of: job(.command("sleep 600")))
    #expect(warning?.contains("could not run") == true)
  }

  @Test func `a workspace that is gone is a warning`() async {
    let runner = HookRunner(
      workspace: Workspace(root: folder.path + "/gone"), environment: ["PATH": "/bin"],
      ping: { _ in 200 }, sleep: { try await Task.sleep(for: $0) })
    let warning = await runner.run(.started, of: job(.command("true")))
    #expect(warning?.contains("ended with the status") == true)
  }

  @Test(arguments: [
    (200, true), (204, true), (399, true), (199, false), (400, false), (500, false),
  ])
  func `a ping is well below the status 400`(status: Int, isFine: Bool) async {
    let pinged = Mutex<[String]>([])
    let runner = runner(ping: { url in
      pinged.withLock { $0.append(url) }
      return status
    })
    let warning = await runner.run(.ended(.ok), of: job(.ping(url: "https://hc.example/secret")))
    #expect(pinged.withLock { $0 } == ["https://hc.example/secret"])
    let expected =
      "The on_success hook of the job 'my-job' got the status \(status) from hc.example. "
      + "The job itself is not affected."
    #expect(warning == (isFine ? nil : expected))
  }

  @Test func `a ping that does not arrive is a warning without the address`() async {
    let runner = runner(ping: { _ in throw Unreachable() })
    let warning = await runner.run(.started, of: job(.ping(url: "https://hc.example/secret")))
    #expect(warning?.contains("could not reach hc.example: no route") == true)
    #expect(warning?.contains("secret") == false)
  }

  /// Whether a process ends within a few seconds; one that nobody waited for is gone too.
  private func isGone(_ pid: Int32) async throws -> Bool {
    for _ in 0..<100 {
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
