/// The version of this program, by Semantic Versioning.
///
/// A release changes it here, and nowhere else. Between releases it is that of the next one with
/// `-dev` behind it.
package enum ProgramVersion {
  package static let current = "0.4.0-dev"

  /// Whether a version is that of builds between two releases; many builds have the same.
  package static func isOfDevelopment(_ version: String) -> Bool { version.hasSuffix("-dev") }

  /// What to install to work with data of a newer program, behind `Install`; nil for an unknown
  /// one.
  package static func words(for writer: String?) -> String {
    guard let writer else { return "firetally as new as the one that wrote it" }
    return isOfDevelopment(writer)
      ? "the build that wrote it, or a newer one: `firetally --version` tells a build's commit"
      : "firetally \(writer) or newer"
  }
}
