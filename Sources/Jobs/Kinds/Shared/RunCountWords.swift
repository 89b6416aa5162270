import Model
import Reports

/// How the summaries of runs name what became of the documents that they fetched.
extension RunCounts {
  /// `12 new, 1 changed, 3,000 unchanged`.
  var stored: String {
    "\(NumberWords.grouped(inserted)) new, \(NumberWords.grouped(updated)) changed, "
      + "\(NumberWords.grouped(unchanged)) unchanged"
  }

  /// The end of such a sentence: rows that were removed, if any, and the full stop.
  var removed: String { deleted > 0 ? ", \(NumberWords.grouped(deleted)) removed." : "." }
}
