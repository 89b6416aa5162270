package import Firestore
import Model

/// The treatment of a field in masked documents; see `docs/load.md#masks`.
package enum MaskAction: String, CaseIterable, Hashable, Sendable {
  /// Replaced by a pseudonym.
  case mask
  /// Left out.
  case drop
  /// Written as it is.
  case keep
}

/// The mask actions that a job declares for the documents of one collection id.
package struct CollectionMasks: Hashable, Sendable {
  package var collectionId: String
  /// By the path of a field, or `__name__` for the document's id.
  package var actions: [FieldPath: MaskAction]

  package init(collectionId: String, actions: [FieldPath: MaskAction]) {
    self.collectionId = collectionId
    self.actions = actions
  }
}
