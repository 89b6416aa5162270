import ArgumentParser
import CStart
import HTTP
import Store
import XML

/// What `firetally --version` prints: the release, the commit, and the libraries that are loaded.
///
/// No subcommand: `CommandReader` runs it, so that no other start loads a library to describe it.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "version", shouldDisplay: false)

  static let arguments = ["--version"]

  func run() throws {
    let output = Output(try GlobalOptions.parse([]), environment: [:])
    output.show(Self.text(commit: Self.commit, libcurl: Self.libcurl, libxml2: Self.libxml2))
  }

  static func text(commit: String, libcurl: String, libxml2: String) -> String {
    """
    firetally \(Firetally.version)\(commit.isEmpty ? "" : " (commit \(commit))")
    SQLite \(Store.libraryVersion)
    \(libcurl)
    \(libxml2)
    """
  }

  private static var commit: String { String(cString: firetally_commit()) }

  /// Libcurl's own words, or why it cannot be loaded: reading commands do without it.
  private static var libcurl: String {
    do throws(HTTPError) {
      return try HTTPClient.libraryVersion()
    } catch {
      return "libcurl: \(error)"
    }
  }

  private static var libxml2: String {
    do throws(XMLUnavailable) {
      return "libxml2 \(try XMLLibrary.version)"
    } catch {
      return "libxml2: \(error)"
    }
  }
}
