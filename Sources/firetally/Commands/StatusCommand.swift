import ArgumentParser
import Jobs
import Model
import Reports
import Store

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the health of every job and of the outbox.",
    discussion: """
      Judges as the first page of the reports does. Exit status: 0 success; 1 a job is overdue, \
      failed or was killed, a job file is wrong, or a server rejected an outbox item.

      EXAMPLES:
        firetally status
        firetally status --json
      """)

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let invocation = Invocation(global)
    let opened = try invocation.openWorkspace()
    let status = try WorkspaceStatus.read(opened, now: invocation.now)
    if invocation.output.isJSON {
      try invocation.output.show(json: status.line)
    } else {
      invocation.output.show(status.text(on: invocation.output))
    }
    guard status.health.isWell else { throw StatusOnly(status: .failed) }
  }
}
