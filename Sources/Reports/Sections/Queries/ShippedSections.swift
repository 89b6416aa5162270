/// The sections that are files of this folder, compiled into the program: docs/figures.md.
package enum ShippedSections {
  /// A file of the program.
  package struct File: Sendable {
    /// For example `usage/by-feature`, of the file `usage-by-feature.sql`.
    package let name: String
    package let bytes: [UInt8]

    /// Where it lies in the repository.
    package var path: String {
      "Sources/Reports/Sections/Queries/\(name.replacing("/", with: "-")).sql"
    }
  }

  /// By name.
  package static let all: [File] = []
}
