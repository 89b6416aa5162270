import ArgumentParser
import Foundation
import Jobs

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show what the configuration says, and its schemas.",
    subcommands: [Show.self, Schema.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show every key with its value and where that comes from.",
      discussion: """
        Shows firetally.yml, or the file of a job with the hooks that it inherits. Addresses of \
        hooks, commands, and values of variables whose names say that they are secret are hidden.

        EXAMPLES:
          firetally config show
          firetally config show online-users --json
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The job. Default: firetally.yml.", completion: NameCompletion.jobs)
    var job: String?

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let values = try values(opened.workspace, invocation)
      guard !invocation.output.isJSON else {
        for value in values { try invocation.output.show(json: Line(value, job: job)) }
        return
      }
      var table = TextTable(["KEY", "VALUE", "FROM"])
      for value in values {
        table.add([value.key, value.value ?? "-", value.origin])
      }
      invocation.output.show(table.text)
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

    private struct Line: Encodable {
      let message_type = "config_value"
      /// Nil for `firetally.yml`.
      let job: String?
      let key: String
      let value: String?
      let source: String
      let file: String?
      let line: Int?
      let variables: [String]

      private enum CodingKeys: String, CodingKey {
        case message_type, job, key, value, source, file, line, variables
      }

      init(_ value: EffectiveValue, job: String?) {
        self.job = job
        key = value.key
        self.value = value.value
        source = value.word
        var variables = value.variables
        switch value.source {
        case .file(let path, let number): (file, line) = (path, number)
        case .environment(let variable):
          (file, line) = (nil, nil)
          variables = [variable]
        case .option, .standard: (file, line) = (nil, nil)
        }
        self.variables = variables
      }

      /// Every member is always there.
      func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: CodingKeys.self)
        try line.encode(message_type, forKey: .message_type)
        try line.encode(job, forKey: .job)
        try line.encode(key, forKey: .key)
        try line.encode(value, forKey: .value)
        try line.encode(source, forKey: .source)
        try line.encode(file, forKey: .file)
        try line.encode(self.line, forKey: .line)
        try line.encode(variables, forKey: .variables)
      }
    }
  }

  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema",
      abstract: "Print the JSON Schema of firetally.yml or of job files.",
      discussion: """
        Draft 2020-12, made of the keys that this version reads. `firetally init` writes both \
        schemas into schema/; --write writes them again, after an upgrade. (The database is \
        described by `firetally schema`.)

        EXAMPLES:
          firetally config schema workspace
          firetally config schema job
          firetally config schema --write
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "workspace or job. Default: workspace.")
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
        return invocation.output.show(String((kind ?? .workspace).text.dropLast()))
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
  fileprivate var word: String {
    switch source {
    case .file: "file"
    case .environment: "environment"
    case .option: "option"
    case .standard: "default"
    }
  }

  fileprivate var origin: String {
    switch source {
    case .file(let path, let line):
      (["\(path):\(line)"] + variables).joined(separator: ", ")
    case .environment(let variable): "environment, \(variable)"
    case .option(let name): "option, \(name)"
    case .standard: value == nil ? "not set" : "default"
    }
  }
}
