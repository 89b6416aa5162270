import Fixtures
import Foundation
import Testing

@testable import Firestore

@Suite("CredentialFile")
struct CredentialFileTests {
  @Test(
    "warns of a file that others can read",
    arguments: [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o644, true)])
  func permissions(mode: Int, warns: Bool) async throws {
    let file = try KeyFile(KeyFile.authorizedUser(tokenURL: "http://127.0.0.1:9"), mode: mode)
    let warning = try CredentialFile(path: file.path).warning
    #expect((warning != nil) == warns)
    if let warning { #expect(warning.contains("chmod 600 \(file.path)")) }
  }

  @Test("the mode that counts is the file's, not that of a link to it", arguments: [0o600, 0o644])
  func link(mode: Int) throws {
    let file = try KeyFile(KeyFile.authorizedUser(tokenURL: "http://127.0.0.1:9"), mode: mode)
    let folder = try TemporaryFolder()
    let link = folder.path(of: "key.json")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: file.path)
    #expect((try CredentialFile(path: link).warning != nil) == (mode == 0o644))
  }

  @Test("the warning reaches whoever asks the credentials, once")
  func warnings() async throws {
    let json = try KeyFile.serviceAccount(tokenURL: "http://127.0.0.1:9")
    let file = try KeyFile(json, mode: 0o644)
    let credentials = Credentials(
      CredentialPlan(choice: .keyFile(file.path), environment: [:]), http: Stage.http,
      now: { Stage.now })
    #expect(await credentials.warnings.isEmpty)
    _ = try await credentials.project()
    _ = try await credentials.project()
    #expect(await credentials.warnings.count == 1)
  }

  @Test(
    "names types that Google knows and this program does not",
    arguments: ["external_account", "impersonated_service_account", "gdch_service_account"])
  func unsupported(type: String) {
    let bytes = JSON.object(["type": .string(type)]).serialized()
    #expect(throws: CredentialsError.unsupportedType(path: "/k", type: type)) {
      try CredentialFile(bytes, path: "/k")
    }
  }

  @Test(
    "says what is wrong with a file, and never what is in it",
    arguments: [
      ("", "not JSON: the text ends too early, at byte 0"), ("[]", "is not an object"),
      ("{}", "type: is missing"), (#"{"type":"authorized_user"}"#, "client_id: is missing"),
      (#"{"type":"service_account","client_email":"e"}"#, "private_key: is missing"),
      (#"{"type":5,"private_key":"hunter2"}"#, "type: is not a string"),
    ])
  func badFile(text: String, problem: String) {
    #expect(throws: CredentialsError.badFile(path: "/k", problem: problem)) {
      try CredentialFile(text.utf8, path: "/k")
    }
  }

  @Test("a private key that is none is a bad key")
  func badKey() throws {
    let json = try KeyFile.serviceAccount(
      tokenURL: "http://h", adding: ["private_key": .string("hunter2")])
    let error = #expect(throws: CredentialsError.badKey(path: "/k")) {
      try CredentialFile(json.serialized(), path: "/k")
    }
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test("a file that is not there is an error that names it")
  func missingFile() {
    let error = #expect(throws: CredentialsError.self) {
      try CredentialFile(path: "/nowhere/key.json")
    }
    #expect(error?.description.contains("/nowhere/key.json") == true)
    #expect(error?.isTransient == false)
  }
}
