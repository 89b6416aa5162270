import Fixtures
import Foundation
import Model
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

/// The schemas against the tables of keys, and against the parser's own judgement.
struct ConfigurationSchemaTests {
  private static func object(_ schema: ConfigurationSchema) throws -> [String: Any] {
    try #require(
      JSONSerialization.jsonObject(with: Data(schema.text.utf8)) as? [String: Any])
  }

  /// The schema of a mapping, whether or not it may be missing.
  private static func mapping(_ schema: Any?) -> [String: Any]? {
    let schema = schema as? [String: Any]
    if schema?["properties"] != nil { return schema }
    let forms = schema?["anyOf"] as? [[String: Any]] ?? []
    return forms.first { $0["properties"] != nil }
  }

  /// Walks the properties along a path.
  private static func has(_ path: String, _ schema: [String: Any]) -> Bool {
    var here: [String: Any]? = schema
    for part in path.split(separator: ".") {
      guard let mapping = mapping(here) else { return false }
      let properties = mapping["properties"] as? [String: Any] ?? [:]
      if part == "*" {
        return !properties.isEmpty || mapping["additionalProperties"] is [String: Any]
      }
      guard let next = properties[String(part)] else { return false }
      here = next as? [String: Any]
    }
    return true
  }

  @Test func `every key of firetally yml is in its schema`() throws {
    let schema = try Self.object(.workspace)
    for path in WorkspaceConfig.keys.paths { #expect(Self.has(path, schema), "\(path)") }
    #expect(schema["additionalProperties"] as? Bool == false)
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test(arguments: JobKindName.allCases)
  func `every key of a kind is in its schema`(kind: JobKindName) throws {
    let kinds = try #require(try Self.object(.job)["$defs"] as? [String: Any])
    let schema = try #require(kinds[kind.rawValue] as? [String: Any])
    let keys = try #require(JobRegistry.definition(of: kind)?.keys)
    for path in (JobFile.commonKeys + keys).paths { #expect(Self.has(path, schema), "\(path)") }
    #expect(schema["additionalProperties"] as? Bool == false)
  }

  @Test func `the first line of each file names a schema that init writes beside it`() throws {
    let paths = Set(WorkspaceTemplate.files.map(\.path))
    for file in WorkspaceTemplate.files where file.path.hasSuffix(".yml") {
      let line = file.text.split(separator: "\n").first ?? ""
      let place = try #require(
        line.wholeMatch(of: /# yaml-language-server: \$schema=(.+)/)?.output.1)
      let folder = URL(filePath: "/\(file.path)").deletingLastPathComponent()
      let target = folder.appending(path: String(place)).standardized.path.dropFirst()
      #expect(paths.contains(String(target)), "\(file.path): \(place)")
    }
  }

  /// What the parser and the schema have to agree on; what only the parser can know is not here.
  private static let values = [
    "page_size: 0", "page_size: 1", "page_size: 1000", "page_size: 1001", "page_size: '5'",
    "page_size: many", "page_size: 1.5", "page_size: true", "page_size: [1]", "page_size:",
    "page_size: ${PAGE}", "max_documents: all", "max_documents: 5", "max_documents: some",
    "max_documents: 0", "allow_empty: true", "allow_empty: 'true'", "allow_empty: 1",
    "collection: Users", "collection: 5", "collection: ''", "collection: [a]", "colection: a",
    "fields: {User_name: a}", "fields: {User_nam: a}", "fields: {User_name: 5}", "fields: [a]",
    "fields:", "timeout: 5m", "timeout: 0s", "timeout: 5", "timeout: soon", "needs: [a]",
    "needs: []", "needs: a", "needs: [5]", "description: 2048", "description: a",
    "deletes: never", "deletes: sometimes", "partitions: 17", "max_delete: 5%", "max_delete: -1",
    "incremental: {}", "hooks: {on_start: none}", "hooks: {on_start: nothing}",
    "hooks: {on_start: {ping: 'https://h'}}", "hooks: {on_start: {ping: 'ftp://h'}}",
    "hooks: {on_start: {ping: '${URL}'}}",
    "hooks: {on_start: {command: a, retries: 6}}", "hooks: {on_start: {command: a, body: text}}",
    "hooks: {on_start: {command: a, body: html}}", "hooks: {on_stop: none}", "hooks: none",
  ]

  private static let configurations = [
    "", "x: 1", "time_zone: UTC", "time_zone: 5", "firestore: {base_url: 'http://a.b'}",
    "firestore: {base_url: 'http://localhost:1'}", "firestore: {base_url: 'https://a.b'}",
    "firestore: {project: '${PROJECT}'}", "firestore: {projct: a}", "firestore:", "firestore: a",
    "remote_config: {enabled: yes}", "remote_config: {enabled: true}",
    "settings: {refresh.limit: 5}", "settings: {refresh.limits: 5}",
    "settings: {freeRefreshLimit: '5'}", "settings: {freeRefreshLimit: -5}",
    "prices: {lite: 2.99}", "prices: {lite: '2.99'}", "prices: {free: a}",
    "cost: {currency: EUR}", "cost: {currency: euro}", "cost: {currency: '${CURRENCY}'}",
    "cost: {per_100k_reads: -1}", "cost: {per_100k_reads: 0.5}", "cost: {max_reads_per_day: 0}",
    "analytics: {firebase_app_id: '1', app_instance_id: '0123456789abcdef0123456789abcdef', "
      + "api_secret_env: A}", "analytics: {firebase_app_id: '1'}",
    "hooks: {on_failure: {command: a}}", "hooks: {on_failure: {comand: a}}",
  ]

  private static let variables: VariableExpansion.Variables = [
    "PAGE": "5", "URL": "https://h", "PROJECT": "p", "CURRENCY": "EUR",
  ]

  private struct Document: Encodable {
    let schema: String
    let text: String
    let isValid: Bool
  }

  private static var documents: [Document] {
    let jobs = values.map { value in
      let text =
        "kind: sync-users\n\(value)\n"
        + (value.hasPrefix("deletes") || value.hasPrefix("partitions")
          ? "max_documents: all\n" : "")
      let other = SourceFile(path: "jobs/a.yml", text: "kind: settle\n")
      let catalog = JobFiles.catalog(
        of: [SourceFile(path: "jobs/users.yml", text: text), other], variables: variables)
      return Document(schema: "job", text: text, isValid: catalog.broken.isEmpty)
    }
    let workspaces = configurations.map { value in
      let text = "app: {name: Chat, bundle_id: com.a.b}\n\(value)\n"
      do {
        _ = try WorkspaceConfig(
          parsing: SourceFile(path: "firetally.yml", text: text), variables: variables)
        return Document(schema: "workspace", text: text, isValid: true)
      } catch {
        return Document(schema: "workspace", text: text, isValid: false)
      }
    }
    let shipped = WorkspaceTemplate.files.filter { $0.path.hasSuffix(".yml") }.map { file in
      Document(
        schema: file.path.hasPrefix("jobs/") ? "job" : "workspace", text: file.text, isValid: true)
    }
    return jobs + workspaces + shipped
  }

  /// Python's jsonschema and PyYAML are the judges; a machine without them skips the test.
  private static let hasJudge = PythonProgram.isThere(modules: "jsonschema, yaml")

  /// PyYAML reads YAML 1.1, so `yes` would be a truth value without the change.
  private static let judge = """
    import json, re, yaml, jsonschema
    class Loader(yaml.SafeLoader): pass
    Loader.yaml_implicit_resolvers = {
        key: [(tag, pattern) for tag, pattern in items
              if tag not in ('tag:yaml.org,2002:bool', 'tag:yaml.org,2002:timestamp')]
        for key, items in yaml.SafeLoader.yaml_implicit_resolvers.items()}
    Loader.add_implicit_resolver(
        'tag:yaml.org,2002:bool', re.compile('^(true|True|TRUE|false|False|FALSE)$'), list('tTfF'))
    schemas = {name: json.load(open(name + '.json')) for name in ('workspace', 'job')}
    for schema in schemas.values(): jsonschema.Draft202012Validator.check_schema(schema)
    for document in json.load(open('documents.json')):
        validator = jsonschema.Draft202012Validator(schemas[document['schema']])
        errors = [error.message for error in validator.iter_errors(yaml.load(document['text'], Loader))]
        if (not errors) != document['isValid']:
            print(repr(document['text']), 'parser:', document['isValid'], 'schema:', errors[:2])
    """

  @Test(.enabled(if: hasJudge, "python3 has no jsonschema or no yaml"))
  func `the schemas and the parser agree, and take the shipped files`() throws {
    let folder = try TemporaryFolder()
    for schema in ConfigurationSchema.allCases {
      try folder.write(schema.text, to: "\(schema.rawValue).json")
    }
    let documents = try JSONEncoder().encode(Self.documents)
    try folder.write(String(decoding: documents, as: UTF8.self), to: "documents.json")
    #expect(Self.documents.contains { $0.isValid } && Self.documents.contains { !$0.isValid })
    #expect(try PythonProgram.output(of: Self.judge, in: folder.path) == "")
  }
}
