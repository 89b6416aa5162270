import Foundation

/// The JSON Schemas of the files, made of the keys that the parser reads.
///
/// They know keys, types and bounds. What depends on other keys, or on a server, only the program
/// checks; see `docs/configuration.md#schemas`.
package enum ConfigurationSchema: String, CaseIterable, Sendable {
  /// Of `firetally.yml`.
  case workspace
  /// Of the files in `jobs/`.
  case job

  /// Where `firetally init` writes it, relative to the workspace.
  package var path: String {
    switch self {
    case .workspace: "schema/firetally.json"
    case .job: "schema/job.json"
    }
  }

  /// The schema's text, which ends with a line end.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(schema), as: UTF8.self) + "\n"
    } catch {
      preconditionFailure("a schema is always encodable: \(error)")
    }
  }

  /// The first line of a file at a path of the workspace: editors read the schema's place there.
  package static func comment(for path: String) -> String? {
    guard path.hasSuffix(".yml") else { return nil }
    let place =
      path.hasPrefix("jobs/") ? "../\(Self.job.path)" : Self.workspace.path
    return "# yaml-language-server: $schema=\(place)\n"
  }

  private var schema: SchemaValue {
    switch self {
    case .workspace: Self.whole("firetally.yml", SchemaValue.object(of: WorkspaceConfig.keys))
    case .job: Self.whole("A job file of Firetally", Self.jobSchema, kinds: Self.kinds)
    }
  }

  private static func whole(
    _ title: String, _ schema: [String: SchemaValue], kinds: [String: SchemaValue] = [:]
  ) -> SchemaValue {
    let shared: [String: SchemaValue] = [
      "hook": .object(SchemaValue.object(of: Hook.keys)), "variable": SchemaValue.variable,
    ]
    return .object(
      schema.merging([
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .text(title),
        "type": "object", "$defs": .object(shared.merging(kinds) { first, _ in first }),
      ]) { $1 })
  }

  /// Chooses the keys by the kind.
  private static var jobSchema: [String: SchemaValue] {
    let kinds = JobKind.allCases.map(\.rawValue)
    return [
      "required": ["kind"],
      "properties": .object(["kind": SchemaValue(.choice(of: JobKind.self), isRequired: true)]),
      "allOf": .list(
        kinds.map { kind in
          .object([
            "if": .object([
              "properties": .object(["kind": .object(["const": .text(kind)])]),
              "required": ["kind"],
            ]), "then": .object(["$ref": .text("#/$defs/\(kind)")]),
          ])
        }),
    ]
  }

  private static var kinds: [String: SchemaValue] {
    let all = JobRegistry.all.map { type in
      (
        type.kind.rawValue,
        SchemaValue.object(SchemaValue.object(of: JobFile.commonKeys + type.keys))
      )
    }
    return Dictionary(uniqueKeysWithValues: all)
  }
}
