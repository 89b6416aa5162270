import ArgumentParser
import Foundation
import Jobs
import Operations
import Workspace

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the effective configuration, and schemas for editors.",
    group: [Show.self, Schema.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show every key with its value and its source.",
      discussion: """
        Shows firetally.yml, or a job's file with the hooks that it inherits. Hides addresses of \
        hooks, commands, and the values of variables that are secret by their names.
        """,
      examples: ["firetally config show", "firetally config show online-users --json"])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The job. Default: firetally.yml.", completion: NameCompletion.jobs)
    var job: String?

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let values = try values(opened.workspace, invocation)
      try invocation.output.print(values, as: "config_value", columns)
    }

    private func values(
      _ workspace: Workspace, _ invocation: Invocation
    ) throws -> [EffectiveValue] {
      guard let job else {
        return try EffectiveConfiguration.workspace(workspace, invocation.serviceAccess)
      }
      let selection = try JobSelection(named: [job], of: try workspace.jobs())
      if let broken = selection.broken.first { throw broken.problem }
      return try selection.jobs.flatMap { try EffectiveConfiguration.job($0, in: workspace) }
    }

    private var columns: [OutputColumn<EffectiveValue>] {
      [
        OutputColumn("KEY", "key") { $0.key },
        OutputColumn("VALUE", "value") { $0.value },
        OutputColumn("FROM", "source", value: { $0.word }, cell: { $0.origin }),
        .members { value in
          // The job is null for `firetally.yml`.
          [
            "job": job, "file": value.place?.file, "line": value.place?.line,
            "variables": value.allVariables,
          ]
        },
      ]
    }
  }

  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema",
      abstract: "Print the JSON Schema of firetally.yml or of job files.",
      discussion: """
        Draft 2020-12, with the keys that this version reads. `firetally init` writes both schemas \
        into schema/. After an upgrade, --write writes them again. (For the database, see \
        `firetally schema`.)
        """,
      examples: [
        "firetally config schema workspace", "firetally config schema job",
        "firetally config schema --write",
      ])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "What the schema describes. Default: workspace.")
    var kind: ConfigurationSchema?

    @Flag(help: "Write both schemas into the workspace's folder schema/ instead.")
    var write = false

    func validate() throws {
      guard write, kind != nil else { return }
      throw ValidationError("--write writes both schemas: leave out workspace and job.")
    }

    func run() throws {
      let invocation = Invocation(global)
      guard write else {
        return invocation.output.print(String((kind ?? .workspace).text.dropLast()))
      }
      let workspace = try Workspace.find(at: global.workspace)
      for path in try WorkspaceTemplate.writeSchemas(to: workspace) {
        invocation.output.remark("wrote  \(path)")
      }
    }
  }
}

extension ConfigurationSchema: ExpressibleByArgument {}

extension EffectiveValue {
  /// The place in a file; nil for a value of another source.
  fileprivate var place: (file: String, line: Int)? {
    if case .file(let path, let line) = source { (path, line) } else { nil }
  }

  /// The variables in the value, or the one that is the value.
  fileprivate var allVariables: [String] {
    if case .environment(let variable) = source { [variable] } else { variables }
  }

  fileprivate var word: String {
    switch source {
    case .file: "file"
    case .environment: "environment"
    case .option: "option"
    case .default: "default"
    }
  }

  fileprivate var origin: String {
    switch source {
    case .file(let path, let line):
      (["\(path):\(line)"] + variables).joined(separator: ", ")
    case .environment(let variable): "environment, \(variable)"
    case .option(let name): "option, \(name)"
    case .default: value == nil ? "not set" : "default"
    }
  }
}
