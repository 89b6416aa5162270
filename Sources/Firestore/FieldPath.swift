/// The way to a field inside a document's maps, one segment a level.
package struct FieldPath: Hashable, Sendable {
  /// At least one.
  package var segments: [String]

  package init(segments: [String]) {
    precondition(!segments.isEmpty, "a field path has at least one segment")
    self.segments = segments
  }

  /// The document's name, by which Firestore orders what nothing else does.
  package static let documentName = FieldPath(segments: ["__name__"])
}
