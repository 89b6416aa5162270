package import Model

/// A receiver of the progress of long work, for the terminal's progress line and the `--verbose`
/// log.
///
/// It follows one piece of work at a time, and no work depends on it.
package struct WorkObserver: Sendable {
  package enum Event: Hashable, Sendable {
    /// Work begins; a nil total is unknown.
    case began(title: String, unit: String, total: Int?)
    /// `by` more items are done, and `reads` were billed in total, in the unit of the edition; a
    /// total replaces the previous one.
    case advanced(by: Int, reads: Int, edition: FirestoreEdition, total: Int?)
    case ended
    /// A sentence for the log.
    case note(String, job: String?)
  }

  package static let none = WorkObserver { _ in }

  private let receive: @Sendable (Event) -> Void

  package init(_ receive: @escaping @Sendable (Event) -> Void) {
    self.receive = receive
  }

  /// Begins work on a job or a file named `title`; the unit is in the plural: `documents`.
  package func begin(_ title: String, _ unit: String, total: Int? = nil) {
    receive(.began(title: title, unit: unit, total: total))
  }

  /// Adds to the count; a nil total keeps the last one, and `reads` is the total of the work so
  /// far, in the unit of the edition.
  package func advance(
    by count: Int, of total: Int? = nil, reads: Int = 0, on edition: FirestoreEdition = .standard
  ) {
    receive(.advanced(by: count, reads: reads, edition: edition, total: total))
  }

  package func end() { receive(.ended) }

  package func note(_ text: String, job: String? = nil) { receive(.note(text, job: job)) }
}
