import ArgumentParser
import Foundation
import Jobs

struct HooksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hooks", abstract: "Try the hooks that tell you how jobs went.",
    subcommands: [Test.self])

  struct Test: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "test",
      abstract: "Run hooks with a made-up run, and show what each answered.",
      discussion: """
        Pings and commands really run. Their text and FIRETALLY_TEST say that it is a test, and \
        nothing is recorded. A hook that several jobs have runs once. Exit status: 0 success; \
        1 a hook failed.

        EXAMPLES:
          firetally hooks test
          firetally hooks test settings --event on_failure
        """)

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
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let catalog = try opened.workspace.jobs().inheriting(opened.config.hooks)
      let selection = try JobSelection(
        named: job.map { [$0] } ?? catalog.jobs.map(\.name), of: catalog)
      if job != nil, let broken = selection.broken.first { throw broken.problem }
      let tests = HookTest.all(of: selection.jobs, event: event)
      if tests.isEmpty, !invocation.output.isJSON {
        let of = event.map { " for \($0)" } ?? ""
        invocation.output.show("No hook to run: \(place) has none\(of).")
      }
      var hasFailed = false
      let runner = invocation.hooks(opened)
      for test in tests {
        let answer = await runner.run(test.hook, about: test.report(app: opened.config.app.name))
        try show(answer, test, on: invocation.output)
        hasFailed = hasFailed || !answer.succeeded
      }
      if hasFailed { throw StatusOnly(status: .failed) }
    }

    private var place: String { job.map { "the job '\($0)'" } ?? "the workspace" }

    private func show(_ answer: HookRunner.Answer, _ test: HookTest, on output: Output) throws {
      guard !output.isJSON else {
        return try output.show(
          json: JSONOutput(
            event: test.event, jobs: test.jobs, succeeded: answer.succeeded, answer: answer.text))
      }
      let others = test.jobs.count > 1 ? " and \(test.jobs.count - 1) more" : ""
      let mark = answer.succeeded ? "ok  " : "FAIL"
      output.show("\(mark)  \(test.event) of \(test.jobs[0])\(others) \(answer.text).")
    }

    private struct JSONOutput: Encodable {
      let message_type = "hook_test"
      let event: String
      /// Those that have this hook; the run was one of the first.
      let jobs: [String]
      let succeeded: Bool
      let answer: String
    }
  }
}
