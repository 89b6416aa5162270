import ArgumentParser
import Jobs

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a workspace: firetally.yml, the job files, cron.example.",
    discussion: "Files that are there already are left as they are.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The folder; that of -C unless given.")
  var folder: String?

  func run() throws {
    let invocation = Invocation(global)
    let workspace = Workspace(root: folder ?? global.workspace)
    let outcomes = try WorkspaceTemplate.write(to: workspace)
    let output = invocation.output
    if output.isJSON {
      for outcome in outcomes {
        try output.show(json: Line(path: outcome.path, written: outcome.wasWritten))
      }
      return
    }
    for outcome in outcomes {
      output.remark(outcome.wasWritten ? "wrote  \(outcome.path)" : "kept   \(outcome.path)")
    }
    output.remark(
      "Next: name your project and app in \(workspace.configurationPath), then "
        + "`firetally -C \(workspace.root) run --all`.")
  }

  private struct Line: Encodable {
    let message_type = "file"
    let path: String
    let written: Bool
  }
}
