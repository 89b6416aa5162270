import Fixtures
import Foundation
import Testing
import Workspace

@testable import Operations

/// The user's list of workspaces: docs/overview.md#the-list.
@Suite struct WorkspaceListTests {
  private static func list(_ text: String, home: String? = "/home/ana") throws -> [String] {
    try WorkspaceList(
      parsing: SourceFile(
        path: "/home/ana/.config/firetally/workspaces.yml", bytes: Array(text.utf8)), home: home
    ).folders
  }

  @Test func `folders are absolute, of the home folder, or beside the list, each once`() throws {
    #expect(
      try Self.list("workspaces:\n  - /srv/chat\n  - ~/uplift\n  - chat\n  - /srv/chat\n")
        == ["/srv/chat", "/home/ana/uplift", "/home/ana/.config/firetally/chat"])
  }

  @Test(arguments: [
    ("workspace: [/srv/chat]\n", "unknown key"), ("workspaces: []\n", "empty list"),
    ("workspaces: /srv/chat\n", "must be a list"), ("workspaces: [1]\n", "must be text"),
    ("workspaces: ['']\n", "must not be empty"), ("", "empty"),
    ("workspaces: [\n", "not valid YAML"),
  ])
  func `a wrong list is a sentence with its place`(text: String, words: String) {
    let error = #expect(throws: ConfigurationError.self) { try Self.list(text) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.description.hasPrefix("/home/ana/.config/firetally/workspaces.yml:") == true)
  }

  @Test func `a folder below a home that nobody knows is a problem`() {
    #expect(throws: ConfigurationError.self) { try Self.list("workspaces: [~/a]\n", home: nil) }
  }

  @Test(arguments: [
    (["XDG_CONFIG_HOME": "/etc/xdg", "HOME": "/home/ana"], "/etc/xdg/firetally/workspaces.yml"),
    (["HOME": "/home/ana"], "/home/ana/.config/firetally/workspaces.yml"),
    (
      ["XDG_CONFIG_HOME": "", "HOME": "/home/ana"],
      "/home/ana/.config/firetally/workspaces.yml"
    ),
    (
      ["XDG_CONFIG_HOME": "config", "HOME": "/home/ana"],
      "/home/ana/.config/firetally/workspaces.yml"
    ),
    ([:], nil), (["HOME": ""], nil),
  ])
  func `the list lies where the XDG specification says`(
    environment: [String: String], path: String?
  ) {
    #expect(WorkspaceList.path(in: environment) == path)
  }

  @Test func `a list that is not there is none, and a folder in its place is an error`() throws {
    let folder = try TemporaryFolder()
    #expect(try WorkspaceList.stored(in: ["XDG_CONFIG_HOME": folder.path]) == nil)
    #expect(try WorkspaceList.stored(in: [:]) == nil)
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "firetally/workspaces.yml"), withIntermediateDirectories: true)
    #expect(throws: WorkspaceError.self) {
      try WorkspaceList.stored(in: ["XDG_CONFIG_HOME": folder.path])
    }
  }
}
