import Fixtures
import Foundation
import Model
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

struct WorkspaceTemplateTests {
  private let folder: TemporaryFolder
  private var workspace: Workspace { Workspace(root: folder.path) }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a new workspace is one, without any problem`() throws {
    let outcomes = try WorkspaceTemplate.write(to: workspace)
    #expect(outcomes.map(\.path) == WorkspaceTemplate.files.map(\.path))
    #expect(!outcomes.contains { !$0.wasWritten })
    let config = try Workspace.find(at: folder.path).config()
    #expect(config.app.name == "ChatHub")
    #expect(config.app.bundleId == "com.peppty.ChatApp")
    #expect(config.app.platform == .ios)
    #expect(config.firestore.project == "demo")
    #expect(config.prices == [.lite: "$2.99/week", .plus: "$5.99/week", .pro: "$9.99/week"])
    #expect(
      try workspace.jobs().jobs.map { "\($0.name): \($0.kind.rawValue)" } == [
        "events: import-events", "feedback: sync-feedback", "maintain: maintain",
        "online-users: sync-users", "report: report", "settings: sync-settings",
        "settle: settle", "upload-feedback: upload-outbox",
      ])
  }

  @Test func `a plain workspace has no job of the app, and is about its own project`() throws {
    let place = TemplateValues(project: "shop-4711", folder: folder.path)
    _ = try WorkspaceTemplate.write(to: workspace, for: place, isPlain: true)
    let config = try workspace.config()
    #expect(config.app.name == "shop-4711" && config.firestore.project == "shop-4711")
    #expect(config.prices.isEmpty && !config.usesRemoteConfig)
    #expect(try workspace.jobs().jobs.map(\.name) == ["maintain"])
    let cron = try folder.text(of: "cron.example")
    #expect(cron.contains("\n*/5 * * * * firetally -C \"$WORKSPACE\" run --due\n"))
    for file in ["cron.example", "firetally.yml", "jobs/maintain.yml"] {
      #expect(!(try folder.text(of: file)).lowercased().contains("chathub"), "\(file)")
    }
  }

  @Test(
    arguments: [
      ("聊天", "com.example.chat", "chat"),
      ("聊天", nil, "App"), ("聊天 2", "com.example.chat", "2"), ("Chat", "a.b", "Chat"),
    ] as [(String, String?, String)])
  func `a name of other letters gets a name for the keys of ratings`(
    name: String, bundleId: String?, keyName: String
  ) throws {
    var place = TemplateValues(project: "chat-4711", folder: folder.path)
    (place.app, place.bundleId) = (name, bundleId)
    for isPlain in [false, true] {
      try folder.write(
        WorkspaceTemplate.configuration(place, isPlain: isPlain), to: "firetally.yml")
      let config = try workspace.config()
      #expect(config.app.name == name && config.app.keyName == keyName)
    }
  }

  @Test(arguments: [true, false], ["Chat", "Anna's chat: 2", "null"])
  func `a workspace of a named app has nothing of the example`(
    isPlain: Bool, name: String
  ) throws {
    var place = TemplateValues(project: "chat-4711", folder: folder.path)
    (place.app, place.bundleId, place.manual) = (name, "com.example.chat", "/usr/share/doc/x")
    _ = try WorkspaceTemplate.write(to: workspace, for: place, isPlain: isPlain)
    let config = try workspace.config()
    #expect(config.app.name == name && config.app.bundleId == "com.example.chat")
    #expect(config.prices.isEmpty)
    #expect(try workspace.jobs().broken.isEmpty)
    for file in WorkspaceTemplate.files(for: place, isPlain: isPlain).map(\.path) {
      let text = try folder.text(of: file)
      #expect(!text.contains("ChatHub") && !text.contains("peppty"), "\(file)")
      #expect(text.matches(of: /docs\//).isEmpty, "\(file)")
    }
    #expect(try folder.text(of: "firetally.yml").contains("/usr/share/doc/x/jobs.md"))
  }

  @Test(arguments: [
    ("/srv/a ", "\"/srv/a /\""), ("/srv/a b", "\"/srv/a b\""), ("/srv/\"a\" ", "'/srv/\"a\" /'"),
    ("/srv/a", "/srv/a"),
  ])
  func `cron cannot take a space off the end of the folder`(path: String, value: String) {
    let cron = WorkspaceTemplate.cron(
      TemplateValues(project: "demo", folder: path), isPlain: false)
    #expect(cron.contains("\nWORKSPACE=\(value)\n"))
  }

  @Test func `a value may have a folder of the manual's name`() throws {
    var place = TemplateValues(
      project: "chat-1", folder: "/srv/docs/chat", program: "/opt/docs/bin/firetally")
    (place.app, place.bundleId, place.manual) = ("a docs/b", "com.a.chat", "/usr/share/doc/x")
    place.notify = "https://h/docs/hook"
    _ = try WorkspaceTemplate.write(to: workspace, for: place)
    let config = try workspace.config()
    #expect(config.app.name == "a docs/b")
    #expect(config.notify == NotifyTarget("https://h/docs/hook"))
    let cron = try folder.text(of: "cron.example")
    #expect(cron.contains("\nWORKSPACE=/srv/docs/chat\n"))
    #expect(!cron.contains("/usr/share/doc/x/bin") && !cron.contains("//"))
    #expect(try folder.text(of: "firetally.yml").contains("/usr/share/doc/x/jobs.md"))
  }

  @Test func `the shipped user sync has the app's own numbers`() throws {
    _ = try WorkspaceTemplate.write(to: workspace)
    let job = try #require(try workspace.jobs().jobs.first { $0.name == "online-users" })
    #expect(job.definition as? SyncUsersOptions == SyncUsersOptions())
  }

  @Test func `what looks like a variable is written as what it is`() throws {
    var place = TemplateValues(project: "chat-1", folder: folder.path)
    (place.app, place.bundleId) = ("Get ${x}", "com.a.chat")
    place.notify = #"mail -s "${FIRETALLY_HEADLINE} ${HOME}" it's"#
    _ = try WorkspaceTemplate.write(to: workspace, for: place)
    let config = try workspace.config()
    #expect(config.app.name == "Get ${x}")
    #expect(config.notify == NotifyTarget(#"mail -s "${FIRETALLY_HEADLINE} ${HOME}" it's"#))
  }

  @Test func `a file that is there is never touched`() throws {
    try folder.write("mine", to: "jobs/report.yml")
    let outcomes = try WorkspaceTemplate.write(to: workspace)
    #expect(outcomes.filter { !$0.wasWritten }.map(\.path) == ["jobs/report.yml"])
    #expect(try folder.text(of: "jobs/report.yml") == "mine")
    let again = try WorkspaceTemplate.write(to: workspace)
    #expect(!again.contains { $0.wasWritten })
  }

  @Test(arguments: WorkspaceTemplate.files)
  func `the repository's own file is the template's`(file: WorkspaceTemplate.File) throws {
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(file.text.utf8).write(to: SourceTree.root.appending(path: file.path))
      Issue.record("\(file.path) was written anew; run without RECORD_GOLDEN")
    }
    #expect(try SourceTree.text(of: file.path) == file.text)
  }

  @Test func `the repository has no other job files, but for those that make demo leaves`() throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: SourceTree.root.appending(path: "jobs").path)
    let shipped = WorkspaceTemplate.files.map(\.path).filter { $0.hasPrefix("jobs/") }
    let ofDemo = ["accounts.yml", "app-store-reviews.yml"]
    let found = names.filter { !$0.hasPrefix(".") && !ofDemo.contains($0) }
    #expect(Set(found.map { "jobs/\($0)" }) == Set(shipped))
  }

  @Test func `what the comments offer is valid once its hash is gone`() throws {
    for file in WorkspaceTemplate.files where file.path.hasSuffix(".yml") {
      try folder.write(Self.uncommented(file.text), to: file.path)
    }
    let config = try workspace.config()
    #expect(config.settings == [.refreshLimit: 5, .refreshCooldown: 60])
    #expect(config.cost == CostConfig(documentPrice: .example, maxReadsPerDay: 50_000))
    #expect(config.firestore.tokenCommand == "gcloud auth print-access-token")
    let jobs = try workspace.jobs().jobs
    #expect(jobs.contains { $0.hooks[.onFailure] != nil })
    let mirror = SyncUsersOptions(
      pageSize: 1_000, maxDocuments: nil,
      fields: ["User_name": "displayName", "last_time_seen": "lastSeenAt"])
    #expect(jobs.contains { $0.definition as? SyncUsersOptions == mirror })
  }

  /// Takes the hash from lines that are YAML behind it; a key given twice keeps the later line.
  private static func uncommented(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let key = line.firstMatch(of: /^( *)# ( *[a-zA-Z_.]+:( .*)?)$/)
      return key.map { String($0.output.1 + $0.output.2) } ?? String(line)
    }
    let isOption = { (line: String) in
      line.hasPrefix("page_size:") || line.hasPrefix("max_documents:")
    }
    let doubled = lines.filter(isOption)
    return lines.filter { !isOption($0) || doubled.suffix(2).contains($0) }.joined(separator: "\n")
  }
}
