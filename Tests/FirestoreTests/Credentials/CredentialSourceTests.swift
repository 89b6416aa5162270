import Testing

@testable import Firestore

@Suite("CredentialSource")
struct CredentialSourceTests {
  private static let everything = [
    "FIRESTORE_EMULATOR_HOST": "localhost:8080", "GOOGLE_APPLICATION_CREDENTIALS": "/key.json",
    "CLOUDSDK_CONFIG": "/sdk", "HOME": "/home/u", "GCE_METADATA_HOST": "m:1",
  ]

  @Test func `looks in the order of Google's libraries, the operator's choice first`() {
    var environment = Self.everything
    func source(_ choice: CredentialSource.Kind? = nil) -> CredentialSource.Kind {
      CredentialSource(choice: choice, environment: environment).kind
    }
    #expect(source(.file("/own.json")) == .emulator)
    environment["FIRESTORE_EMULATOR_HOST"] = nil
    #expect(source(.file("/own.json")) == .file("/own.json"))
    #expect(source(.tokenCommand("print")) == .tokenCommand("print"))
    #expect(source() == .file("/key.json"))
    environment["GOOGLE_APPLICATION_CREDENTIALS"] = ""
    #expect(
      source()
        == .ambient(
          gcloudFile: "/sdk/application_default_credentials.json", metadataHost: "m:1"))
    environment["CLOUDSDK_CONFIG"] = nil
    #expect(
      source()
        == .ambient(
          gcloudFile: "/home/u/.config/gcloud/application_default_credentials.json",
          metadataHost: "m:1"))
    environment = [:]
    #expect(source() == .ambient(gcloudFile: nil, metadataHost: "metadata.google.internal"))
  }

  @Test func `the emulator's host needs no scheme and gets the version`() {
    #expect(Endpoint.emulatorURL(in: Self.everything) == "http://localhost:8080/v1")
    #expect(
      Endpoint.emulatorURL(in: ["FIRESTORE_EMULATOR_HOST": "http://h:1"]) == "http://h:1/v1")
    #expect(
      Endpoint.emulatorURL(in: ["FIRESTORE_EMULATOR_HOST": "http://h:1//"]) == "http://h:1/v1")
    #expect(Endpoint.emulatorURL(in: ["FIRESTORE_EMULATOR_HOST": ""]) == nil)
    #expect(Endpoint.emulatorURL(in: [:]) == nil)
  }

  @Test func `an endpoint is Google's unless told otherwise, with or without a slash at its end`() {
    #expect(Endpoint(project: "p").baseURL == "https://firestore.googleapis.com/v1")
    #expect(Endpoint(baseURL: "http://h/v1/", project: "p").baseURL == "http://h/v1")
    for address in ["http://h", "http://h/", "http://h//"] {
      #expect(Endpoint.baseURL(of: address) == "http://h/v1")
    }
    #expect(
      Endpoint(project: "p", database: "other").root.description
        == "projects/p/databases/other/documents")
  }
}
