import Sync
import Synchronization

/// Whom long work tells how it goes: a terminal's progress line, and the log of `--verbose`.
///
/// One work at a time is told of. Nothing depends on who listens.
package struct WorkObserver: Sendable {
  package enum Event: Hashable, Sendable {
    /// Work begins; a nil total is unknown.
    case began(title: String, unit: String, total: Int?)
    /// So many more are done, and so many reads were billed in all; a total replaces the one
    /// before.
    case advanced(by: Int, reads: Int, total: Int?)
    case ended
    /// A sentence for the log.
    case note(String, job: String?)
  }

  /// Nobody listens.
  package static let none = WorkObserver { _ in }

  private let receive: @Sendable (Event) -> Void

  package init(_ receive: @escaping @Sendable (Event) -> Void) {
    self.receive = receive
  }

  /// - Parameters:
  ///   - title: what is done: a job's name, or a file's.
  ///   - unit: what is counted, in the plural: `documents`.
  ///   - total: how many there are; nil when that is unknown.
  package func begin(_ title: String, _ unit: String, total: Int? = nil) {
    receive(.began(title: title, unit: unit, total: total))
  }

  /// - Parameters:
  ///   - count: what was done since the last call.
  ///   - total: how many there are by what is known now; nil for as many as was said before.
  ///   - reads: all billed reads of the work so far.
  package func advance(by count: Int, of total: Int? = nil, reads: Int = 0) {
    receive(.advanced(by: count, reads: reads, total: total))
  }

  package func end() { receive(.ended) }

  package func note(_ text: String, job: String? = nil) { receive(.note(text, job: job)) }
}

extension JobContext {
  /// Begins telling of a load, and is to be called with the documents of each page.
  func observePages(
    of job: String, _ unit: String = "documents", total: Int?, within budget: RunBudget
  ) -> @Sendable (_ documents: Int) -> Void {
    observer.begin(job, unit, total: total)
    let pages = PageCount()
    return { [observer, unit] documents in
      let page = pages.next()
      observer.advance(by: documents, reads: budget.meter.spent)
      observer.note("Page \(page): \(documents) \(unit).", job: job)
    }
  }
}

private final class PageCount: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
