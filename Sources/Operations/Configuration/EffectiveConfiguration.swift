import Firestore
import Foundation
package import Jobs
import Platform
package import Workspace
import Yams

/// The effective value of a key, and its source; see `docs/configuration.md#show`.
package struct EffectiveValue: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    case file(path: String, line: Int)
    case environment(variable: String)
    case option(String)
    /// No file, variable or option sets the key.
    case `default`
  }

  /// The path of the key, joined by dots.
  package let key: String
  /// As in YAML, with `***` for a secret's source; nil when the key counts as missing.
  package let value: String?
  package let source: Source
  /// The variables in the file's value.
  package let variables: [String]

  package static let hidden = "***"

  /// Returns the value with the job's name where the manual's default has `JOB`.
  fileprivate func named(for job: String) -> EffectiveValue {
    guard source == .default else { return self }
    return EffectiveValue(
      key: key, value: value?.replacing("JOB", with: job), source: source, variables: variables)
  }
}

/// The values of one file, and the values that override them.
package struct EffectiveConfiguration {
  private let file: SourceFile
  private let root: MappingReader
  private let log: ProblemLog
  private let workspace: Workspace

  /// - Throws: `ConfigurationError` when the file is not valid YAML.
  init(_ file: SourceFile, of workspace: Workspace) throws(ConfigurationError) {
    let variables = workspace.expansion
    self.workspace = workspace
    log = ProblemLog(file: file.path)
    root = MappingReader(
      try VariableExpansion.root(of: file, variables, log: log), keyPath: "", log: log,
      keys: .allPublic)
    self.file = file
  }

  /// Returns the values of `firetally.yml`, in the order of the manual.
  package static func workspace(
    _ workspace: Workspace, _ access: ServiceAccess
  ) throws(WorkspaceError) -> [EffectiveValue] {
    let configuration = try of(WorkspaceConfig.fileName, in: workspace)
    return configuration.values(of: WorkspaceConfig.keys).map { value in
      let others = others(access).filter { other, _ in
        other.key == value.key && other.value?.isEmpty == false
      }
      return others.first { !$0.isWeaker || value.source == .default }?.value ?? value
    }
  }

  /// Returns the values of a job's file; missing hooks are inherited from `firetally.yml`.
  ///
  /// - Throws: `WorkspaceError.file`, or `.jobFiles` when the file is not valid YAML.
  package static func job(
    _ job: Job, in workspace: Workspace
  ) throws(WorkspaceError) -> [EffectiveValue] {
    let inherited = try of(WorkspaceConfig.fileName, in: workspace)
      .values(of: [JobHooks.key]).filter { $0.source != .default }
    let path = try workspace.jobPath(of: job.name)
    let keys = JobFile.commonKeys + type(of: job.definition).keys
    let own = try of(path, in: workspace).values(of: keys)
    return own.flatMap { value -> [EffectiveValue] in
      guard value.source == .default, [JobHooks.key].paths.contains(value.key)
      else { return [value.named(for: job.name)] }
      let defaults = inherited.filter {
        $0.key == value.key || $0.key.hasPrefix(value.key + ".")
      }
      return defaults.isEmpty ? [value] : defaults
    }
  }

  private static func of(
    _ path: String, in workspace: Workspace
  ) throws(WorkspaceError) -> EffectiveConfiguration {
    let file = try workspace.source(path)
    do {
      return try EffectiveConfiguration(file, of: workspace)
    } catch {
      throw path == WorkspaceConfig.fileName ? .configuration(error) : .jobFiles(error)
    }
  }

  /// Returns values that override those of the file, and weaker ones for keys that the file lacks.
  ///
  /// They follow `ServiceAccess`, `Services.live` and `CredentialSource`.
  private static func others(
    _ access: ServiceAccess
  ) -> [(value: EffectiveValue, isWeaker: Bool)] {
    typealias Other = (value: EffectiveValue, isWeaker: Bool)
    func other(
      _ key: String, _ value: String?, _ source: EffectiveValue.Source, isWeaker: Bool = false
    ) -> Other {
      (EffectiveValue(key: key, value: value, source: source, variables: []), isWeaker)
    }
    func variable(_ name: String, _ key: String, isWeaker: Bool = false) -> Other {
      other(key, access.environment[name], .environment(variable: name), isWeaker: isWeaker)
    }
    return [
      other("firestore.project", access.project, .option("--project")),
      variable("GOOGLE_CLOUD_PROJECT", "firestore.project"),
      other(
        "firestore.base_url", Endpoint.emulatorURL(in: access.environment),
        .environment(variable: "FIRESTORE_EMULATOR_HOST")),
      variable("GOOGLE_APPLICATION_CREDENTIALS", "firestore.credentials", isWeaker: true),
      other("firestore.ca_file", access.caFile, .option("--cacert")),
      variable("CURL_CA_BUNDLE", "firestore.ca_file", isWeaker: true),
      variable("SSL_CERT_FILE", "firestore.ca_file", isWeaker: true),
      variable(Services.momentsVariable, "moments.base_url"),
      variable(Services.reviewsVariable, "reviews.base_url"),
    ]
  }

  /// Returns every key that is not a mapping, with its value from the file or its default.
  private func values(of keys: [ConfigurationKey]) -> [EffectiveValue] {
    values(of: keys, in: root)
  }

  private func values(
    of keys: [ConfigurationKey], in reader: MappingReader
  ) -> [EffectiveValue] {
    keys.flatMap { key -> [EffectiveValue] in
      let names = key.name == "*" ? reader.entries.map(\.name) : [key.name]
      return names.flatMap { name -> [EffectiveValue] in
        let entry = reader.entry(name)
        if let inner = key.form.keys, entry?.scalar == .mapping || key.form == .object(inner) {
          return values(of: inner, in: reader.mapping(name))
        }
        return [value(of: key, entry, at: reader.path(name))]
      }
    }
  }

  private func value(
    of key: ConfigurationKey, _ entry: MappingReader.Entry?, at place: String
  ) -> EffectiveValue {
    guard let entry else {
      return EffectiveValue(key: place, value: key.default, source: .default, variables: [])
    }
    let variables = Self.variables(in: entry.value, log)
    let text = Self.text(of: entry.value)
    let hides = variables.contains(where: Self.isSecretName)
    return EffectiveValue(
      key: place, value: hides ? EffectiveValue.hidden : shown(text, as: key.form),
      source: .file(path: file.path, line: entry.value.mark?.line ?? 1), variables: variables)
  }

  /// Returns an address without parts that may be a key, and only the program of a command.
  private func shown(_ text: String, as form: ValueForm) -> String {
    switch form {
    case .guarded(.text): return isName(text) ? text : EffectiveValue.hidden
    case .hookAddress:
      let url = URL(string: text)
      return "\(url?.scheme ?? "https")://\(url?.host() ?? "")/\(EffectiveValue.hidden)"
    case .command:
      return workspace.mayBeSecret(text) ? EffectiveValue.hidden : CommandText.shown(text)
    case .address, .secureAddress:
      guard let query = text.firstIndex(of: "?") else { return text }
      return text[..<query] + "?" + EffectiveValue.hidden
    case .recipient:
      if text.hasPrefix("mail:") { return text }
      return shown(text, as: text.contains("://") ? .hookAddress : .command)
    case .either(let forms) where forms.contains(.recipient): return shown(text, as: .recipient)
    default: return text
    }
  }

  /// Whether a text is the name of a set variable or an existing file.
  ///
  /// Any other text may be a secret in the wrong place.
  private func isName(_ text: String) -> Bool {
    workspace.variables[text] != nil || FileManager.default.fileExists(atPath: workspace.path(text))
  }

  private static func isSecretName(_ variable: String) -> Bool {
    let name = variable.uppercased()
    return ["SECRET", "TOKEN", "PASS", "KEY", "WEBHOOK", "CREDENTIAL"].contains(
      where: name.contains)
  }

  private static func variables(in node: Node, _ log: ProblemLog) -> [String] {
    switch node {
    case .scalar(let scalar):
      VariableExpansion.pieces(of: log.written(at: scalar.mark) ?? "").compactMap {
        guard case .variable(let name, _) = $0 else { return nil }
        return name
      }
    case .sequence(let items): items.flatMap { variables(in: $0, log) }
    case .mapping(let pairs): pairs.flatMap { variables(in: $0.value, log) }
    case .alias: []
    }
  }

  /// Returns a node in YAML's flow style, on one line.
  private static func text(of node: Node) -> String {
    switch node {
    case .scalar(let scalar): scalar.string
    case .sequence(let items): "[\(items.map(text).joined(separator: ", "))]"
    case .mapping(let pairs):
      "{\(pairs.map { "\(text(of: $0.key)): \(text(of: $0.value))" }.joined(separator: ", "))}"
    case .alias: ""
    }
  }
}
