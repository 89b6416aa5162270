package import Model
import Sync

/// A cost of a run that a plan leaves out, since only the run itself can tell it.
package enum UnpricedCost: Hashable, Sendable {
  /// The search for the parts of a load, when Firestore offers too few or a filter makes them
  /// uneven.
  case partitions(Int, isFiltered: Bool)
  /// The documents that changed without a new time in the field of an incremental load.
  case silentChanges(of: String)
  /// The list of all names, after a count shows that documents are gone.
  case namesAfterCount
  /// Feedback that is read back because its id is taken.
  case feedbackReadBack
  /// A document that may not exist.
  case absence(of: String)

  /// Returns the sentence about the cost, in the unit of the edition.
  package func sentence(on edition: FirestoreEdition) -> String {
    let noun = edition.billedNoun
    switch self {
    case .partitions(let count, let isFiltered):
      let uneven = isFiltered ? ", or the filter leaves them uneven" : ""
      let most = SplitPointSearch.mostReads(parts: count, documents: 0, on: edition)
      let documents = edition.rules.documentsPerCountedRead / SplitPointSearch.mostPasses
      return "If Firestore cuts the collection into fewer than \(count) partitions\(uneven), the "
        + "load searches for other cuts, with up to \(edition.billed(most)) and one for each "
        + "\(documents) documents."
    case .silentChanges(let field):
      return "Documents that changed without a new \(field) are fetched when the names are listed, "
        + "for one \(noun) each\(edition.beyondOneUnit)."
    case .namesAfterCount:
      let count = edition.rules.documentsPerCountedRead
      let each = edition == .enterprise ? "for each \(count) of them" : "each"
      return "If the count shows that documents are gone, the names of all are listed as well, for "
        + "one \(noun) \(each)."
    case .feedbackReadBack:
      return
        "Feedback whose id is taken is read back: at most one \(noun) per item\(edition.beyondOneUnit)."
    case .absence(let document):
      return "whether \(document) is there; a read that finds nothing is billed, too"
    }
  }
}

extension FirestoreEdition {
  /// The end of a sentence about a document that is read by its name.
  fileprivate var beyondOneUnit: String { self == .enterprise ? ", more beyond 4 KiB" : "" }
}
