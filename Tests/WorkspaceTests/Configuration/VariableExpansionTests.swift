import JobsTesting
import Model
import Testing

@testable import Jobs
@testable import Workspace

struct VariableExpansionTests {
  private static let variables: VariableExpansion.Variables = [
    "PROJECT": "my-project", "EMPTY": "", "PAGE": "70", "YES": "true", "HOSTILE": "x\nkind: report",
    "LIST": "[usage, runs]", "NULL": "null", "ZONE": "time_zone",
  ]

  private func config(_ text: String) throws(ConfigurationError) -> WorkspaceConfig {
    try WorkspaceConfig(
      parsing: SourceFile(
        path: "firetally.yml", text: "app: {name: Chat, bundle_id: com.a.b}\n\(text)\n"),
      variables: Self.variables)
  }

  private func catalog(_ text: String) -> JobCatalog {
    JobFiles.catalog(
      of: [SourceFile(path: "jobs/a.yml", text: text)], variables: Self.variables)
  }

  private func problems(_ text: String) -> [ConfigurationProblem] {
    do {
      _ = try config(text)
      return []
    } catch {
      return error.problems
    }
  }

  @Test(arguments: [
    ("${PROJECT}", "my-project"), ("a-${PROJECT}-b", "a-my-project-b"),
    ("${PROJECT:-other}", "my-project"), ("${NONE:-other}", "other"), ("${EMPTY:-other}", "other"),
    ("${PROJECT}${PAGE}", "my-project70"), ("'${PROJECT}'", "my-project"),
    ("\"${PROJECT}\"", "my-project"), ("|-\n    ${PROJECT}", "my-project"),
  ])
  func `a variable or its default takes its place`(text: String, expected: String) throws {
    #expect(try config("firestore:\n  project: \(text)").firestore.project == expected)
  }

  @Test(arguments: [
    ("$${PROJECT}", "${PROJECT}"), ("$PROJECT", "$PROJECT"), ("$2.99", "$2.99"),
    ("a $$ b", "a $$ b"), ("${NONE:-}x", "x"), ("${NONE:-a:-b}", "a:-b"), ("a}", "a}"),
    ("$${a $${b", "${a ${b"),
  ])
  func `only braces begin a variable, and a second dollar sign escapes them`(
    text: String, expected: String
  ) throws {
    #expect(try config("prices: {lite: \"\(text)\"}").prices[.lite] == expected)
  }

  @Test(arguments: [
    ("", [VariableExpansion.Piece.text("")]), ("a", [.text("a")]), ("$", [.text("$")]),
    ("${A}", [.text(""), .variable(name: "A", fallback: nil), .text("")]),
    ("a${_B1}c", [.text("a"), .variable(name: "_B1", fallback: nil), .text("c")]),
    ("${A:-}", [.text(""), .variable(name: "A", fallback: ""), .text("")]),
    ("${A:-}}", [.text(""), .variable(name: "A", fallback: ""), .text("}")]),
    ("${A:-b c}", [.text(""), .variable(name: "A", fallback: "b c"), .text("")]),
    ("$${A}", [.text("${"), .text("A}")]), ("${1A}", [.text(""), .malformed, .text("")]),
    ("${}", [.text(""), .malformed, .text("")]),
    ("${A:-${B}}", [.text(""), .malformed, .text("}")]),
    ("${A:-$B}", [.text(""), .variable(name: "A", fallback: "$B"), .text("")]),
    ("${A-b}", [.text(""), .malformed, .text("")]),
    ("${A", [.text(""), .malformed]), ("${É}", [.text(""), .malformed, .text("")]),
    ("${FIRETALLY_JOB}", [.text(""), .text("${FIRETALLY_JOB}"), .text("")]),
  ])
  func `a text is made of pieces`(text: String, pieces: [VariableExpansion.Piece]) {
    #expect(VariableExpansion.pieces(of: text) == pieces)
  }

  @Test func `a variable without a value or default is named with file, line and key`() {
    let problems = problems("firestore:\n  project: ${NONE}\n  database: ${NOR_THIS}")
    #expect(
      problems.map(\.description) == [
        "firetally.yml:3:12: firestore.project: the environment variable NONE is not set; set it, "
          + "or write a default: ${NONE:-value}",
        "firetally.yml:4:13: firestore.database: the environment variable NOR_THIS is not set; "
          + "set it, or write a default: ${NOR_THIS:-value}",
      ])
    #expect(problems.allSatisfy { $0.isUnsetVariable })
    let error = ConfigurationError(problems)
    #expect(WorkspaceError.configuration(error).category == .badData)
    let other = ConfigurationProblem(
      file: "firetally.yml", line: 1, column: 1, keyPath: "x", message: "unknown key.")
    #expect(
      WorkspaceError.configuration(ConfigurationError(problems + [other])).category
        == .configuration)
  }

  @Test(arguments: ["${", "${PROJECT", "${}", "${1A}", "${A-b}", "${A%b}", "${A:b}", "${A B}"])
  func `what only begins like a variable is a problem`(text: String) {
    let messages = problems("prices: {lite: \"\(text)\"}").map(\.message)
    #expect(messages.count == 1)
    #expect(messages.first?.contains("write $${ for the characters ${") == true)
  }

  @Test func `an unquoted value has the type of what the variable says`() throws {
    let job = try #require(
      catalog("kind: sync-users\npage_size: ${PAGE}\nallow_empty: ${YES}\n").jobs.first)
    let options = try #require(job.definition as? SyncUsersOptions)
    #expect(options.pageSize == 70 && options.allowsEmpty)
    #expect(catalog("kind: sync-users\npage_size: '${PAGE}'\n").jobs.isEmpty)
    #expect(try config("prices: {lite: '${PAGE}'}").prices[.lite] == "70")
    #expect(problems("prices:\n  lite: ${PAGE}").map(\.keyPath) == ["prices.lite"])
  }

  @Test func `an unquoted value that comes out empty counts as missing`() throws {
    let job = try #require(catalog("kind: sync-users\npage_size: ${EMPTY}\n").jobs.first)
    #expect((job.definition as? SyncUsersOptions)?.pageSize == 50)
    let null = try #require(catalog("kind: sync-users\npage_size: ${NULL}\n").jobs.first)
    #expect((null.definition as? SyncUsersOptions)?.pageSize == 50)
  }

  @Test func `a value cannot add YAML`() throws {
    let job = try #require(catalog("kind: settle\ndescription: ${HOSTILE}\n").jobs.first)
    #expect(job.kind == SettleOptions.kind)
    #expect(job.description == "x\nkind: report")
    let broken = catalog("kind: report\nreports: ${LIST}\n").broken.first
    #expect(broken?.error.problems.map(\.keyPath) == ["reports"])
  }

  @Test func `a key is never a variable`() throws {
    let problems = problems("${ZONE}: UTC")
    #expect(problems.map(\.keyPath) == [""] && problems.first?.line == 2)
    let told = "unknown key; it is not shown since it may be a secret"
    #expect(problems.map(\.message) == [told])
    // The variable's value would be a key that is known.
    #expect(try config("time_zone: UTC").timeZone == "UTC")
  }

  @Test func `items of lists and merged mappings have variables, told of once`() throws {
    let job = try #require(
      catalog("kind: import-events\nfiles: ['${PROJECT}/*.gz', b]\n").jobs.first)
    #expect((job.definition as? ImportEventsOptions)?.files == ["my-project/*.gz", "b"])
    let twice = catalog(
      """
      kind: settle
      hooks:
        on_start: &all {command: "tell ${NONE}"}
        on_failure: *all
        on_success: {<<: *all}
      """
    ).broken.first?.error.problems
    #expect(twice?.map(\.line) == [3])
  }

  @Test func `what hooks get when they run is left to the shell`() throws {
    let text = "kind: settle\nhooks: {on_start: {command: 'echo ${FIRETALLY_JOB} ${PROJECT}'}}\n"
    let job = try #require(catalog(text).jobs.first)
    #expect(job.hooks[.onStart] == .command("echo ${FIRETALLY_JOB} my-project"))
  }

  @Test func `an error does not repeat what a variable holds`() {
    let address = problems("geo: {base_url: '${HOSTILE}'}").first?.message
    #expect(address?.hasSuffix("it does not begin with https://") == true)
    let message = problems("time_zone: '${HOSTILE}'").first?.message
    #expect(message?.contains("not what '${HOSTILE}' stands for") == true)
    let choice = catalog("kind: ${PROJECT}\n").broken.first?.error.description
    #expect(choice?.contains("my-project") == false)
  }
}
