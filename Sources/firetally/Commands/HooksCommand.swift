import ArgumentParser
import Foundation
import HTTP
import Jobs
import Operations
import Workspace

struct HooksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hooks", abstract: "Test notifications.",
    group: [Test.self])

  struct Test: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "test",
      abstract: "Run hooks for a made-up run, and show each answer.",
      discussion: """
        Pings and commands really run. Their text and FIRETALLY_TEST say that it is a test, and \
        nothing is recorded. A hook of several jobs runs once.

        Exit status: 0 success; 1 a hook failed.
        """,
      examples: ["firetally hooks test", "firetally hooks test settings --event on_failure"])

    @OptionGroup var global: GlobalOptions

    @Argument(
      help: "The job whose hooks are run. Default: all jobs.", completion: NameCompletion.jobs)
    var job: String?

    @Option(
      help: ArgumentHelp(
        "\(HookTest.events.joined(separator: ", ")). Default: all of them.", valueName: "event"),
      completion: .list(HookTest.events))
    var event: String?

    func validate() throws {
      guard let event, !HookTest.events.contains(event) else { return }
      throw ValidationError(
        "There is no event '\(event)'; it is one of \(HookTest.events.joined(separator: ", ")).")
    }

    func run() async throws {
      let (invocation, opened) = try global.openWorkspace(runsHooks: true)
      let catalog = try opened.workspace.jobs().inheriting(opened.config.hooks)
      let selection = try JobSelection(
        named: job.map { [$0] } ?? catalog.jobs.map(\.name), of: catalog)
      if job != nil, let broken = selection.broken.first { throw broken.problem }
      let tests = HookTest.all(of: selection.jobs, event: event)
      let target = job == nil && event == nil ? opened.config.notify : nil
      if tests.isEmpty, target == nil, !invocation.output.isJSON {
        let place = job.map { "the job '\($0)'" } ?? "the workspace"
        let of = event.map { " for \($0)" } ?? ""
        invocation.output.print("No hook to run: \(place) has none\(of).")
      }
      let runner = invocation.hooks(opened)
      var hasFailed = false
      /// Prints a result; `jobs` share the hook, and the run was that of the first one.
      func show(_ answer: HookRunner.Outcome, of event: String, _ jobs: [String]) throws {
        let others = jobs.count > 1 ? " and \(jobs.count - 1) more" : ""
        let place = jobs.first.map { " of \($0)\(others)" } ?? ""
        try invocation.output.print(
          "\(answer.succeeded ? "ok  " : "FAIL")  \(event)\(place) \(answer.text).",
          json: [
            "message_type": "hook_test", "event": event, "jobs": jobs,
            "succeeded": answer.succeeded, "answer": answer.text,
          ])
        hasFailed = hasFailed || !answer.succeeded
      }
      let app = opened.config.app.name
      if let target { try show(await target.test(app: app, with: runner), of: "notify", []) }
      for test in tests {
        let answer = await runner.run(test.hook, about: test.report(app: app))
        try show(answer, of: test.event, test.jobs)
      }
      if hasFailed { throw StatusOnly(status: .failed) }
    }
  }
}

extension HTTPRequest {
  /// Creates the request of a hook, with the hook's timeout.
  init(_ ping: HookPing) {
    let connect = min(HTTPTimeouts().connect, ping.timeout)
    self.init(
      ping.body == nil ? .get : .post, ping.url,
      headers: HTTPHeaders(ping.body == nil ? [] : [("Content-Type", ping.contentType)]),
      body: ping.body ?? [],
      timeouts: HTTPTimeouts(connect: connect, stall: ping.timeout, total: ping.timeout))
  }
}
