import HTTP
import Store
import XML

/// Which versions of the system's libraries the program found.
struct LibrariesCheck: DoctorCheck {
  static let name = "libraries"

  func findings(in context: DoctorContext) -> [DoctorFinding] {
    let versions = [
      "SQLite \(Store.libraryVersion)", "libxml2 \(XMLLibrary.version)", HTTPClient.libraryVersion,
    ]
    return ok("\(versions.joined(separator: ", ")).")
  }
}
