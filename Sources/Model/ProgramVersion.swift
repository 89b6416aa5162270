/// The version of this program, by Semantic Versioning.
///
/// A release changes it here, and nowhere else.
package enum ProgramVersion {
  package static let current = "0.2.0"
}
