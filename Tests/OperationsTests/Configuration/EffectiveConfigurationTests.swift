import Fixtures
import Foundation
import Model
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

struct EffectiveConfigurationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func values(
    _ text: String, _ environment: [String: String] = [:], project: String? = nil
  ) throws -> [String: EffectiveValue] {
    try folder.write(text, to: "firetally.yml")
    let values = try EffectiveConfiguration.workspace(
      Workspace(root: folder.path, variables: environment),
      ServiceAccess(project: project, caFile: nil, environment: environment))
    return Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0) })
  }

  private typealias Leaf = (path: String, key: ConfigurationKey)

  /// The keys that hold no section, with their dotted paths.
  private static func leaves(of keys: [ConfigurationKey], below path: String = "") -> [Leaf] {
    keys.flatMap { key -> [Leaf] in
      guard case .object(let inner) = key.form else { return [(path + key.name, key)] }
      return leaves(of: inner, below: "\(path)\(key.name).")
    }
  }

  @Test func `every key of the table that is no mapping is there`() throws {
    let values = try values("app: {name: Chat, bundle_id: com.a.b}\n")
    let paths = Self.leaves(of: WorkspaceConfig.keys).map(\.path).filter { !$0.hasSuffix("*") }
    #expect(Set(values.keys) == Set(paths))
    #expect(values["app.name"]?.source == .file(path: "firetally.yml", line: 1))
    #expect(values["time_zone"]?.value == "UTC" && values["time_zone"]?.source == .default)
    #expect(values["firestore.project"]?.value == nil)
  }

  @Test func `the option wins over the environment, and that over the file`() throws {
    let text = "firestore:\n  project: mine\n"
    let variables = ["GOOGLE_CLOUD_PROJECT": "theirs"]
    #expect(try values(text)["firestore.project"]?.value == "mine")
    let other = try values(text, variables)["firestore.project"]
    #expect(other?.value == "theirs")
    #expect(other?.source == .environment(variable: "GOOGLE_CLOUD_PROJECT"))
    let option = try values(text, variables, project: "asked")["firestore.project"]
    #expect(option?.value == "asked" && option?.source == .option("--project"))
    #expect(try values(text, ["GOOGLE_CLOUD_PROJECT": ""])["firestore.project"]?.value == "mine")
  }

  @Test func `a variable that is weaker than the file counts only without it`() throws {
    let variables = ["GOOGLE_APPLICATION_CREDENTIALS": "/k.json"]
    #expect(try values("time_zone: UTC\n", variables)["firestore.credentials"]?.value == "/k.json")
    let text = "firestore: {credentials: mine.json}\n"
    let own = try values(text, variables)["firestore.credentials"]
    #expect(own?.source == .file(path: "firetally.yml", line: 1) && own?.value == "***")
    try folder.write("{}", to: "mine.json")
    #expect(try values(text, variables)["firestore.credentials"]?.value == "mine.json")
  }

  @Test func `a value with a variable names it, and a secret one is hidden`() throws {
    let values = try values(
      """
      firestore:
        project: ${PROJECT}-1
        database: ${DB_PASSWORD}
        token_command: print-token --for me
      geo: {base_url: "http://a.b/c?key=1"}
      hooks:
        on_failure: {ping: "https://hooks.slack.com/services/T/B/x"}
        on_start: none
        on_success: {command: "TOKEN=abc curl x"}
      settings: {refresh.limit: 5}
      """, ["PROJECT": "p", "DB_PASSWORD": "hunter2"])
    #expect(values["firestore.project"]?.value == "p-1")
    #expect(values["firestore.project"]?.variables == ["PROJECT"])
    #expect(values["firestore.database"]?.value == "***")
    #expect(values["firestore.token_command"]?.value == "print-token ***")
    #expect(values["geo.base_url"]?.value == "http://a.b/c?***")
    #expect(values["hooks.on_failure.ping"]?.value == "https://hooks.slack.com/***")
    #expect(values["hooks.on_failure.timeout"]?.value == "30s")
    #expect(values["hooks.on_start"]?.value == "none")
    #expect(values["hooks.on_success.command"]?.value == "***")
    #expect(values["settings.refresh.limit"]?.value == "5")
  }

  @Test func `a job shows its own file and the hooks that it inherits`() throws {
    try folder.write(
      "app: {name: Chat, bundle_id: com.a.b}\nhooks: {on_failure: {command: a}, on_start: none}\n",
      to: "firetally.yml")
    try folder.write(
      "kind: sync-users\nfields: {User_name: n}\nhooks: {on_success: none}\n", to: "jobs/users.yml")
    let workspace = Workspace(root: folder.path)
    let job = try #require(try workspace.jobs().jobs.first)
    let all = try EffectiveConfiguration.job(job, in: workspace)
    let values = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
    #expect(values["page_size"]?.value == "50" && values["page_size"]?.source == .default)
    #expect(values["fields.User_name"]?.source == .file(path: "jobs/users.yml", line: 2))
    #expect(values["hooks.on_success"]?.source == .file(path: "jobs/users.yml", line: 3))
    #expect(values["hooks.on_failure.command"]?.source == .file(path: "firetally.yml", line: 2))
    #expect(values["hooks.on_start"]?.source == .file(path: "firetally.yml", line: 2))
  }

  @Test func `the defaults that are shown are those of the manual`() throws {
    let pages =
      [("docs/jobs.md", WorkspaceConfig.keys), ("docs/running.md", Hook.keys)]
      + JobRegistry.all.map { ("docs/jobs/\($0.kind.rawValue).md", $0.keys) }
    for (page, keys) in pages {
      let text = try SourceTree.text(of: page)
      for (path, key) in Self.leaves(of: keys) {
        guard let standard = key.default, standard != key.name else { continue }
        let row = try #require(
          text.split(separator: "\n").first { $0.hasPrefix("| `\(path)` |") }, "\(path)")
        let cell = row.split(separator: "|")[2].replacing("`", with: "")
        let shown = cell.trimmingCharacters(in: .whitespaces)
        #expect(shown.hasPrefix(standard), "\(page) \(path)")
      }
    }
  }
}
