import CStart
import HTTP
import Model
import Store
import XML

/// What `firetally --version` prints: the release, the commit, and the libraries in use.
enum VersionText {
  static var current: String { text(commit: String(cString: firetally_commit())) }

  static func text(commit: String) -> String {
    """
    firetally \(ProgramVersion.current)\(commit.isEmpty ? "" : " (commit \(commit))")
    SQLite \(Store.libraryVersion)
    \(HTTPClient.libraryVersion)
    libxml2 \(XMLLibrary.version)
    """
  }
}
