import Fixtures
import Foundation
import Testing

@testable import Firestore

@Suite("CredentialFile")
struct CredentialFileTests {
  @Test(arguments: [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o644, true)])
  func `warns of a file that others can read`(mode: Int, warns: Bool) async throws {
    let file = try KeyFile(KeyFile.authorizedUser(tokenURL: "http://127.0.0.1:9"), mode: mode)
    let warning = try CredentialFile(path: file.path).warning
    #expect((warning != nil) == warns)
    if let warning { #expect(warning.contains("chmod 600 \(file.path)")) }
  }

  @Test(arguments: [0o600, 0o644])
  func `the mode that counts is the file's, not that of a link to it`(mode: Int) throws {
    let file = try KeyFile(KeyFile.authorizedUser(tokenURL: "http://127.0.0.1:9"), mode: mode)
    let folder = try TemporaryFolder()
    let link = folder.path(of: "key.json")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: file.path)
    #expect((try CredentialFile(path: link).warning != nil) == (mode == 0o644))
  }

  @Test func `a pipe in the place of the key is named, and not waited for`() throws {
    let path = try TemporaryFolder().path
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let error = #expect(throws: CredentialsError.self) { try CredentialFile(path: path) }
    #expect(error?.description == "\(path) is a named pipe; name the key file.")
  }

  @Test func `the warning reaches whoever asks the credentials, once`() async throws {
    let json = try KeyFile.serviceAccount(tokenURL: "http://127.0.0.1:9")
    let file = try KeyFile(json, mode: 0o644)
    let credentials = Credentials(
      CredentialSource(choice: .file(file.path), environment: [:]), http: Stage.http,
      now: { Stage.now })
    #expect(await credentials.warnings.isEmpty)
    _ = try await credentials.project()
    _ = try await credentials.project()
    #expect(await credentials.warnings.count == 1)
  }

  @Test func `names a type that Google knows and this program does not`() {
    let type = "gdch_service_account"
    let bytes = JSON.object(["type": .string(type)]).serialized()
    #expect(throws: CredentialsError.unsupportedType(path: "/k", type: type)) {
      try CredentialFile(bytes, path: "/k")
    }
  }

  @Test(arguments: [
    ("{", "it is not JSON: the text ends too early, at byte 1"), ("[]", "it is not an object"),
    ("{}", "type is missing"), (#"{"type":"authorized_user"}"#, "client_id is missing"),
    (#"{"type":"service_account","client_email":"e"}"#, "private_key is missing"),
    (#"{"type":5,"private_key":"hunter2"}"#, "type is not a string"),
  ])
  func `says what is wrong with a file, and never what is in it`(text: String, problem: String) {
    #expect(throws: CredentialsError.badFile(path: "/k", problem: problem)) {
      try CredentialFile(text.utf8, path: "/k")
    }
  }

  @Test(arguments: ["\n", " \t\r\n"])
  func `a key of another form is not JSON, blanks are no key`(blanks: String) {
    #expect(throws: CredentialsError.emptyFile(path: "/k")) {
      try CredentialFile(blanks.utf8, path: "/k")
    }
    #expect(throws: CredentialsError.notJSON(path: "/k")) {
      try CredentialFile("\(blanks)-----BEGIN PRIVATE KEY-----\nhunter2\n".utf8, path: "/k")
    }
  }

  @Test func `a private key that is none is a bad key`() throws {
    let json = try KeyFile.serviceAccount(
      tokenURL: "http://h", adding: ["private_key": .string("hunter2")])
    let error = #expect(throws: CredentialsError.badKey(path: "/k")) {
      try CredentialFile(json.serialized(), path: "/k")
    }
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test(arguments: [
    ("/nowhere/key.json", "No such credentials file: /nowhere/key.json."),
    ("/etc/passwd/key.json", "No such credentials file: /etc/passwd/key.json."),
    ("/etc", "/etc is a folder; name the key file."),
    ("/dev/null", "/dev/null is a device; name the key file."),
    ("/etc/passwd", "/etc/passwd is not JSON; name the JSON key file."),
  ])
  func `what is no file is told in one plain sentence`(path: String, sentence: String) {
    let error = #expect(throws: CredentialsError.self) { try CredentialFile(path: path) }
    #expect(error?.description == sentence)
    #expect(error?.isTransient == false)
  }

  @Test(arguments: [
    (#"{"project_info":{"project_id":"p"},"client":[]}"#, "google-services.json"),
    ("<?xml?><plist><dict><key>GOOGLE_APP_ID</key></dict></plist>", "GoogleService-Info.plist"),
  ])
  func `the app's own configuration is told from a key`(text: String, name: String) {
    let error = #expect(throws: CredentialsError.self) { try CredentialFile(text.utf8, path: "/k") }
    #expect(
      error?.description == "/k: This is \(name), the app's configuration. Create a "
        + "service-account key and name it.")
  }

  @Test(arguments: [
    ("https://oauth2.googleapis.com/token", true), ("https://10.0.0.1/token", true),
    ("http://127.0.0.1:9/token", true), ("http://localhost/token", true),
    ("http://[::1]:9/token", true), ("http://10.0.0.1/token", false),
    ("http://oauth2.googleapis.com/token", false), ("http://127.0.0.1.example.com/t", false),
    ("http://localhost.example.com/t", false), ("ftp://127.0.0.1/t", false), ("token", false),
  ])
  func `a key is not sent to another machine in the clear`(url: String, isTaken: Bool) throws {
    for json in [try KeyFile.serviceAccount(tokenURL: url), KeyFile.authorizedUser(tokenURL: url)] {
      guard !isTaken else {
        _ = try CredentialFile(json.serialized(), path: "/k")
        continue
      }
      let error = #expect(throws: CredentialsError.self) {
        try CredentialFile(json.serialized(), path: "/k")
      }
      #expect(error?.description.contains("/k") == true)
      #expect(error?.description.contains("token_uri") == true)
      #expect(error?.isTransient == false)
    }
  }
}
