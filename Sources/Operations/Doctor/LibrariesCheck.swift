import HTTP
import Store
import XML

/// Reports the versions of the system's libraries in use.
struct LibrariesCheck: DoctorCheck {
  static let name = "libraries"

  func findings(in context: DoctorContext) -> [DoctorFinding] {
    let versions = [
      "SQLite \(Store.libraryVersion)", "libxml2 \(XMLLibrary.version)", HTTPClient.libraryVersion,
    ]
    return ok("\(versions.joined(separator: ", ")).")
  }
}
