import Jobs
import Model
import ReportWriters
import Workspace

/// The JSON Schemas of the files, generated from the keys that the parser reads.
///
/// They contain keys, types and bounds. Only the program checks rules that depend on other keys or
/// on a server; see `docs/configuration.md#schemas`.
package enum ConfigurationSchema: String, CaseIterable, Sendable {
  /// The schema of `firetally.yml`.
  case workspace
  /// The schema of the files in `jobs/`.
  case job

  /// The path that `firetally init` writes it to, relative to the workspace.
  package var path: String {
    switch self {
    case .workspace: "schema/firetally.json"
    case .job: "schema/job.json"
    }
  }

  /// The schema's text, with a final line end.
  package var text: String {
    switch self {
    case .workspace:
      Self.whole("firetally.yml", JSONNode.mapping(of: WorkspaceConfig.keys)).schemaText
    case .job: Self.whole("A job file of Firetally", Self.jobSchema, kinds: Self.kinds).schemaText
    }
  }

  /// Returns the first line of a workspace file, which shows editors the schema's path.
  package static func comment(for path: String) -> String? {
    guard path.hasSuffix(".yml") else { return nil }
    let place = path.hasPrefix("jobs/") ? "../\(Self.job.path)" : Self.workspace.path
    return "# yaml-language-server: $schema=\(place)\n"
  }

  private static func whole(
    _ title: String, _ schema: [String: JSONNode], kinds: [String: JSONNode] = [:]
  ) -> JSONNode {
    let shared: [String: JSONNode] = [
      "hook": .object(JSONNode.mapping(of: Hook.keys)),
      // A text with a variable, which can stand for a value of any type.
      "variable": ["type": "string", "pattern": #"\$\{[A-Za-z_]"#],
    ]
    return .object(
      schema.merging([
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .text(title),
        "type": "object", "$defs": .object(shared.merging(kinds) { first, _ in first }),
      ]) { $1 })
  }

  /// The keys of a job file, which depend on its kind.
  private static var jobSchema: [String: JSONNode] {
    let choices = JobKindName.allCases.map { kind -> JSONNode in
      [
        "if": ["properties": ["kind": ["const": .text(kind.rawValue)]], "required": ["kind"]],
        "then": ["$ref": .text("#/$defs/\(kind.rawValue)")],
      ]
    }
    return [
      "required": ["kind"],
      "properties": ["kind": JSONNode(.choice(of: JobKindName.self), isRequired: true)],
      "allOf": .list(choices),
    ]
  }

  private static var kinds: [String: JSONNode] {
    Dictionary(
      uniqueKeysWithValues: JobRegistry.all.map { type in
        (type.kind.rawValue, .object(JSONNode.mapping(of: JobFile.commonKeys + type.keys)))
      })
  }
}

extension JSONNode {
  /// Returns the schema of a mapping with these keys; other keys are refused.
  fileprivate static func mapping(of keys: [ConfigurationKey]) -> [String: JSONNode] {
    var properties: [String: JSONNode] = [:]
    var others = JSONNode.boolean(false)
    for key in keys {
      var schema = JSONNode(key.form, isRequired: key.isRequired)
      if case .object(var members) = schema, let value = key.default.flatMap(key.form.value) {
        members["default"] = value
        schema = .object(members)
      }
      if key.name != "*" {
        properties[key.name] = schema
      } else if let names = key.names {
        for name in names { properties[name] = schema }
      } else {
        others = schema
      }
    }
    var members: [String: JSONNode] = [
      "type": "object", "properties": .object(properties), "additionalProperties": others,
    ]
    let required = keys.filter(\.isRequired).map { JSONNode.text($0.name) }
    if !required.isEmpty { members["required"] = .list(required) }
    return members
  }

  /// A value of the form, null, or a text with a variable.
  fileprivate init(_ form: ValueForm, isRequired: Bool) {
    guard form != .any else {
      self = .boolean(true)
      return
    }
    let forms = Self.alternatives(of: form)
    let hasVariable = form.isScalar && !forms.contains(Self.plainText)
    let all =
      forms + (hasVariable ? [["$ref": "#/$defs/variable"]] : [])
      + (isRequired ? [] : [["type": "null"]])
    self = all.count == 1 ? all[0] : ["anyOf": .list(all)]
  }

  private static let plainText: JSONNode = ["type": "string", "minLength": 1]

  private static func alternatives(of form: ValueForm) -> [JSONNode] {
    switch form {
    case .either(let forms): forms.flatMap(alternatives)
    case .hook: [["$ref": "#/$defs/hook"]]
    case .object(let keys): [.object(mapping(of: keys))]
    case .list(let item):
      [["type": "array", "minItems": 1, "items": JSONNode(item, isRequired: true)]]
    default: [value(of: form)]
    }
  }

  private static func value(of form: ValueForm) -> JSONNode {
    switch form {
    case .guarded(let form): value(of: form)
    case .pattern(let pattern): ["type": "string", "pattern": .text(pattern)]
    case .address: ["type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://"]
    case .secureAddress, .hookAddress:
      ["type": "string", "pattern": .text(WebAddress.securePattern)]
    case .time: ["type": "string", "pattern": "^0*[1-9][0-9]*[smhd]$"]
    case .choice(let words): ["enum": .list(words.map(JSONNode.text))]
    case .word(let word): ["const": .text(word)]
    case .boolean: ["type": "boolean"]
    case .amount: ["type": "number", "minimum": 0]
    case .integer(let range): integer(in: range)
    default: plainText
    }
  }

  private static func integer(in range: ClosedRange<Int>) -> JSONNode {
    var members: [String: JSONNode] = ["type": "integer"]
    if range.lowerBound != .min { members["minimum"] = .integer(range.lowerBound) }
    if range.upperBound != .max { members["maximum"] = .integer(range.upperBound) }
    return .object(members)
  }
}

extension ValueForm {
  /// Whether it can be a scalar, so that a variable can supply it.
  fileprivate var isScalar: Bool {
    switch self {
    case .object, .hook, .list, .any: false
    case .either(let forms): forms.contains(where: \.isScalar)
    case .guarded(let form): form.isScalar
    default: true
    }
  }

  /// Returns the default of a key as JSON; nil when it is not a single value.
  fileprivate func value(_ text: String) -> JSONNode? {
    switch self {
    case .list: nil
    case .guarded(let form): form.value(text)
    case .boolean: .boolean(text == "true")
    case .integer: Int(text).map(JSONNode.integer)
    case .amount: Double(text).map(JSONNode.decimal)
    case .either: Int(text).map(JSONNode.integer) ?? .text(text)
    default: .text(text)
    }
  }
}
