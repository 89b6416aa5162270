import JobsTesting
import Model
import Testing

@testable import Jobs
@testable import Workspace

struct JobFileTests {
  private func job(_ text: String, name: String = "my-job") throws(ConfigurationError) -> Job? {
    try JobFiles.jobs(in: [SourceFile(path: "jobs/\(name).yml", text: text)]).first
  }

  private func messages(_ text: String, name: String = "my-job") -> [String] {
    do {
      _ = try job(text, name: name)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test func `a kind is all that a job needs`() throws {
    let job = try #require(try job("kind: report"))
    #expect(job.name == "my-job" && job.definition as? ReportOptions == ReportOptions())
    #expect(job.description.isEmpty && job.needs.isEmpty && job.hooks == JobHooks())
    #expect(job.schedule == nil && job.timeout == nil && job.lateAfter == nil)
  }

  @Test func `every common key is read`() throws {
    let job = try job(
      """
      kind: maintain
      description: Once a night
      schedule: "15 3 * * *"
      timeout: 90s
      hooks:
        on_start: {ping: "https://example.com/start"}
        on_success: {command: "echo good"}
        on_failure: {ping: "http://localhost:1/fail"}
      """)
    #expect(job?.description == "Once a night")
    #expect(job?.schedule?.fields == "15 3 * * *")
    #expect(job?.timeout == .seconds(90))
    #expect(
      job?.hooks
        == JobHooks(hooks: [
          .onStart: .ping(url: "https://example.com/start"), .onSuccess: .command("echo good"),
          .onFailure: .ping(url: "http://localhost:1/fail"),
        ]))
  }

  @Test func `a job without a kind is told which there are`() {
    #expect(
      messages("description: x\n") == [
        "jobs/my-job.yml:1:1: kind: is missing; it is one of sync-settings, sync-users, "
          + "sync-collection, sync-reviews, sync-feedback, sync-auth, import-events, "
          + "import-purchases, upload-outbox, settle, report, digest, maintain"
      ])
  }

  @Test func `an unknown kind suggests the known one`() {
    #expect(
      messages("kind: sync-user\n").first?.hasSuffix(
        "not 'sync-user'. Did you mean 'sync-users'?") == true)
  }

  @Test func `all problems of a file are told at once`() {
    let text = """
      kind: sync-users
      descripton: typo
      page_size: 0
      max_documents: none
      schedule: "61 * * * *"
      timeout: 5
      output: here
      hooks:
        on_sucess: {ping: "https://a.b"}
        on_start: {ping: nowhere}
      fields: {User_nam: x}
      """
    #expect(
      messages(text) == [
        "jobs/my-job.yml:2:1: descripton: unknown key. Did you mean 'description'?",
        "jobs/my-job.yml:3:12: page_size: must be an integer from 1 to 1000, not the integer 0",
        "jobs/my-job.yml:4:16: max_documents: must be 'all' or an integer from 1 to 100000000, "
          + "not the text 'none'",
        "jobs/my-job.yml:5:11: schedule: bad schedule: the minute field '61': "
          + "61 is not from 0 to 59",
        "jobs/my-job.yml:6:10: timeout: must be a time from 1s to 7d, such as 90s, 10m or 2h, "
          + "not the integer 5",
        "jobs/my-job.yml:7:1: output: unknown key. It belongs to the kind report.",
        "jobs/my-job.yml:9:3: hooks.on_sucess: unknown key. Did you mean 'on_success'?",
        "jobs/my-job.yml:10:20: hooks.on_start.ping: must be an https:// address (http:// "
          + "only for this machine: localhost, 127.0.0.1, [::1]): it does not begin with https://",
        "jobs/my-job.yml:11:10: fields.User_nam: unknown key. Did you mean 'User_name'?",
      ])
  }

  @Test(arguments: [
    ("1s", true), ("7d", true), ("168h", true), ("8d", false), ("0s", false), ("soon", false),
  ])
  func `a timeout is from a second to a week`(text: String, isValid: Bool) {
    #expect(messages("kind: report\ntimeout: \(text)\n").isEmpty == isValid)
  }

  @Test(arguments: [
    ("{ping: 'https://a.b', command: x}", "has both 'ping' and 'command'; keep one of them"),
    ("{}", "must have 'ping: URL' or"), ("{pong: x}", "unknown key. Did you mean 'ping'?"),
    ("notify", "must be a mapping"), ("{command: [a, b]}", "must be text, not a list"),
  ])
  func `a hook is one ping or one command`(hook: String, message: String) {
    let messages = messages("kind: report\nhooks:\n  on_start: \(hook)\n")
    #expect(messages.contains { $0.contains(message) })
  }

  @Test(arguments: ["a", "a-b", "nightly-2", "2024"])
  func `lower-case words joined by hyphens are a name`(name: String) {
    #expect(messages("kind: report", name: name).isEmpty)
  }

  @Test(arguments: ["A", "a_b", "-a", "a-", "a--b", "a b", "ä", String(repeating: "a", count: 65)])
  func `other file names are a problem`(name: String) {
    #expect(messages("kind: report", name: name).count == 1)
    #expect(messages("kind: report", name: name).first?.contains("lower-case words") == true)
  }
}
