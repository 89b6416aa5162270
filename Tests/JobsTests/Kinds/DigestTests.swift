import Feeds
import Fixtures
import Foundation
import HTTP
import JobsTesting
import Model
import Store
import Testing

@testable import Jobs
@testable import Workspace

/// The kind `digest`: docs/jobs/digest.md.
struct DigestTests {
  private static let file = "kind: digest\nto: you@test.invalid\ncommand: cat\n"

  private func workspace(_ file: String = Self.file) throws -> TestWorkspace {
    try TestWorkspace(jobs: ["digest": file])
  }

  private func run(
    _ workspace: TestWorkspace, at now: Instant = .morning, isForced: Bool = false
  ) async throws -> JobReport {
    var options = RunOptions()
    options.isForced = isForced
    return try #require(try await workspace.run(.all, at: now, options: options).first)
  }

  @Test func `a day's digest is sent once, the next day's again`() async throws {
    let workspace = try workspace()
    #expect(try await run(workspace).summary == "Sent to you@test.invalid by cat.")
    let again = try await run(workspace, at: .morning + .seconds(3_600))
    #expect(again.run.outcome == .fresh && again.summary.contains("was sent at"))
    #expect(workspace.services.mails.count == 1)
    #expect(try await run(workspace, at: .morning + .seconds(86_400)).run.outcome == .ok)
    let ids = workspace.services.mails.map(\.id)
    #expect(Set(ids).count == 2)
  }

  @Test func `a run tells of a command its program, and nothing that may be a secret`() async throws
  {
    for (command, words) in [("cat --password pa55", "cat"), ("A=pa55 cat", "a command")] {
      let file = Self.file.replacing("command: cat", with: "command: \(command)")
      #expect(try await run(workspace(file)).summary == "Sent to you@test.invalid by \(words).")
    }
  }

  @Test func `what was not sent, or not noted, is sent again under the same id`() async throws {
    let workspace = try workspace()
    let refusal = HTTPError.mailRefused(host: "mail.test:587", status: 550, answer: "no")
    workspace.services.failMail(with: refusal)
    let failed = try await run(workspace)
    #expect(failed.run.outcome == .failed)
    #expect(failed.run.error?.contains("mail.test:587 did not take the mail: 550 no.") == true)
    workspace.services.failMail(with: nil)
    #expect(try await run(workspace, at: .morning + .seconds(3_600)).run.outcome == .ok)
    let mails = workspace.services.mails
    #expect(mails.count == 2 && mails[0].id == mails[1].id && mails[0].id != nil)
  }

  @Test func `with --force a day has another mail, which no program takes for the first`()
    async throws
  {
    let workspace = try workspace()
    _ = try await run(workspace)
    #expect(try await run(workspace, isForced: true).run.outcome == .ok)
    #expect(Set(workspace.services.mails.map(\.id)).count == 2)
  }

  @Test func `beside each figure stands what the mail of the day before said`() async throws {
    let workspace = try workspace()
    for (day, isForced) in [(0, false), (1, false), (1, true), (2, false)] {
      let now = Instant.morning + .seconds(86_400 * day)
      #expect(try await run(workspace, at: now, isForced: isForced).run.outcome == .ok)
    }
    let days = try workspace.services.mails.map { mail -> Set<String> in
      let html = try #require(mail.html)
      return Set(html.matches(of: /\d on (\w{3} \d+ \w{3})/).map { String($0.output.1) })
    }
    #expect(days == [[], ["Sat 31 Jan"], ["Sat 31 Jan"], ["Sun 1 Feb"]])
  }

  @Test(arguments: [
    #"{"schema":2}"#, #"{"schema":1}"#, "cut",
    #"{"schema":1,"writtenAt":"2026-01-30T08:00:00Z","figures":[{"value":{"other":{}}}]}"#,
  ])
  func `figures that cannot be read keep no mail from being sent`(figures: String) async throws {
    struct Note: Encodable {
      var day = "2026-01-30"
      var at = "2026-01-30T08:00:00Z"
      var count = 1
      var summary: String
    }
    let workspace = try workspace()
    try workspace.store.write {
      try $0.setMark(encoding: Note(summary: figures), named: "digest digest")
    }
    let report = try await run(workspace)
    #expect(report.run.outcome == .ok && workspace.services.mails.count == 1)
    #expect(try await run(workspace, isForced: true).run.outcome == .ok)
  }

  @Test func `the mail has the summary as text and as HTML, and what it is about`() async throws {
    let workspace = try workspace()
    _ = try await run(workspace)
    let message = try #require(workspace.services.mails.first)
    #expect(message.subject.hasPrefix("Chat, ") && message.text.contains("Jobs in order"))
    #expect(message.html?.contains("Jobs in order") == true)
    // The run that sends the digest is not a problem that it reports.
    #expect(message.text.contains("The job is in order"), "\(message.text)")
    #expect(message.date == .morning)
  }

  @Test func `a plan says what would be sent, and sends nothing`() async throws {
    let workspace = try workspace()
    func plan() throws -> String? {
      let scheduler = try workspace.scheduler()
      return try scheduler.plan(try scheduler.selection(JobRequest(.all))).first?.plan
    }
    #expect(try plan() == "Would send the summary to you@test.invalid by cat.")
    #expect(workspace.services.mails.isEmpty)
    _ = try await run(workspace)
    #expect(try plan()?.hasSuffix("Would send nothing.") == true)
  }

  private static func addresses(_ count: Int) -> String {
    (1...count).map { "a\($0)@b" }.joined(separator: ", ")
  }

  private static let smtp = "smtp: {url: 'smtp://mail.test:587'}"

  @Test(arguments: [
    ("to: a@b\ncommand: cat", nil), ("to: [a@b, c@d]\ncommand: cat", nil),
    ("to: a@b\nfrom: c@d\n\(smtp)", nil),
    ("command: cat", "to: is missing"), ("to: [a@b, a@b]\ncommand: cat", "is listed twice"),
    ("to: \"a@b\\nBcc: c@d\"\ncommand: cat", "must be a mail address"),
    ("to: You <a@b>\ncommand: cat", "must be a mail address"),
    ("to: a@b\nfrom: \"a@b\\r\\nX: y\"\ncommand: cat", "from: must be a mail address"),
    ("to: a@b\nsubject: \"x\\nBcc: c@d\"\ncommand: cat", "subject: must be one line"),
    ("to: a@b\nsubject: \(String(repeating: "x", count: 200))\ncommand: cat", nil),
    ("to: a@b\nsubject: \(String(repeating: "x", count: 201))\ncommand: cat", "subject: must be"),
    ("to: a@b", "smtp: is missing"),
    ("to: a@b\nfrom: a@b\n\(smtp)\ncommand: cat", "used with smtp"),
    ("to: a@b\n\(smtp)", "from: is missing"),
    ("to: a@b\nfrom: a@b\nsmtp: {url: 'http://x'}", "smtp.url: must be smtp://HOST:PORT"),
    ("to: a@b\nfrom: a@b\nsmtp: {url: 'smtp://u:p@x'}", "smtp.url: must be"),
    ("to: a@b\nfrom: a@b\nsmtp: {url: \"smtp://x:587\\n\"}", "smtp.url: must be"),
    ("to: a@b\nfrom: a@b\nsmtp: {url: 'smtps://[::1]:465'}", nil),
    ("to: a@b\nfrom: a@b\nsmtp: {url: 'smtp://x:587/y'}", "smtp.url: must be"),
    ("to: [\(addresses(100))]\ncommand: cat", nil),
    ("to: [\(addresses(101))]\ncommand: cat", "has more than 100 addresses"),
    ("to: a@b\nfrom: a@b\nsmtp: {url: 'smtp://x', user: u}", "password_file: is missing"),
    ("to: a@b\nfrom: a@b\nsmtp: {url: 'smtp://x', password_env: P}", "user: is missing"),
    (
      "to: a@b\nfrom: a@b\nsmtp: {url: 'smtp://x', user: u, password_env: P, password_command: c}",
      "a second time"
    ),
  ])
  func `what a mail could not be sent with is refused when the file is read`(
    keys: String, problem: String?
  ) throws {
    let file = SourceFile(path: "jobs/a.yml", text: "kind: digest\n\(keys)\n")
    guard let problem else {
      #expect(throws: Never.self) { try JobFiles.jobs(in: [file]) }
      return
    }
    let error = #expect(throws: ConfigurationError.self) { try JobFiles.jobs(in: [file]) }
    #expect(String(describing: error).contains(problem), "\(String(describing: error))")
  }
}

/// How a mail leaves the machine: docs/jobs/digest.md#smtp.
struct MailSenderTests {
  private let message = MailMessage(to: ["you@test.invalid"], subject: "x", text: "y\n", html: "z")

  private func send(_ options: DigestOptions, in folder: TemporaryFolder) async throws -> String? {
    var message = message
    message.from = "me@test.invalid"
    return try await MailSender(
      workspace: Workspace(root: folder.path),
      environment: ["PATH": "/usr/bin:/bin", "SMTP_PASSWORD": "pa55"], http: HTTPClient()
    ).send(message, as: options)
  }

  @Test func `a server gets the password of a variable, a file or a command`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("pa55\n", to: "secret")
    for password in [
      SMTPAccount.Password.kept(.environment(variable: "SMTP_PASSWORD")),
      .kept(.file(path: "secret")), .printed(command: "cat secret"),
    ] {
      let server = try SMTPServer()
      _ = try await send(
        DigestOptions(smtp: SMTPAccount(url: server.url, user: "me", password: password)),
        in: folder)
      let login = Data("\0me\0pa55".utf8).base64EncodedString()
      #expect(server.lines.contains { $0.hasSuffix(login) }, "\(password): \(server.lines)")
      #expect(server.mails.count == 1)
    }
  }

  @Test(arguments: [
    ("exit 3", "ended with status 3. It has to"),
    ("echo a; echo b", "printed 2 lines. It has to print one line"),
    ("true", "printed nothing"),
    ("echo pa55word; echo no pa55word >&2; exit 1", "status 1: no ***."),
    ("head -c 4097 /dev/zero", "printed more than 4,096 bytes"),
  ])
  func `a command that gives no password says so, and what it said`(
    command: String, reason: String
  ) async throws {
    let folder = try TemporaryFolder()
    let account = SMTPAccount(
      url: "smtp://127.0.0.1:9", user: "me", password: .printed(command: command))
    let error = await #expect(throws: WorkspaceError.self) {
      try await send(DigestOptions(smtp: account), in: folder)
    }
    #expect(String(describing: error).contains(reason), "\(String(describing: error))")
  }

  @Test func `a password may have 4,096 bytes, and loses the white space around it`() async throws {
    let folder = try TemporaryFolder()
    for (command, password) in [
      ("head -c 4096 /dev/zero | tr '\\0' a", String(repeating: "a", count: 4_096)),
      ("printf '\\n  pa 55 \\n'", "pa 55"),
    ] {
      let server = try SMTPServer()
      let account = SMTPAccount(
        url: server.url, user: "me", password: .printed(command: command))
      _ = try await send(DigestOptions(smtp: account), in: folder)
      let login = Data("\0me\0\(password)".utf8).base64EncodedString()
      #expect(server.lines.contains { $0.hasSuffix(login) })
    }
  }

  @Test func `a command reads the mail, and fails with what it says last`() async throws {
    let folder = try TemporaryFolder()
    _ = try await send(DigestOptions(command: "cat > mail"), in: folder)
    let mail = try String(contentsOfFile: "\(folder.path)/mail", encoding: .utf8)
    #expect(mail.hasPrefix("From: me@test.invalid\nTo: you@test.invalid\n"))
    let error = await #expect(throws: WorkspaceError.self) {
      try await send(DigestOptions(command: "echo no route >&2; exit 75"), in: folder)
    }
    #expect(String(describing: error).contains("ended with status 75: no route."))
  }
}
