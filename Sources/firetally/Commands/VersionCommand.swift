import ArgumentParser
import CStart
import HTTP
import Store
import XML

/// What `firetally --version` prints: the release, the commit, and the libraries in use.
///
/// No subcommand: `CommandReader` runs it.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "version", shouldDisplay: false)

  static let arguments = ["--version"]

  func run() throws {
    let output = Output(try GlobalOptions.parse([]), environment: [:])
    output.show(Self.text(commit: String(cString: firetally_commit())))
  }

  static func text(commit: String) -> String {
    """
    firetally \(Firetally.version)\(commit.isEmpty ? "" : " (commit \(commit))")
    SQLite \(Store.libraryVersion)
    \(HTTPClient.libraryVersion)
    libxml2 \(XMLLibrary.version)
    """
  }
}
