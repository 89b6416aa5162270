import Sync
import Synchronization
import Workspace

extension JobContext {
  /// Begins the progress of a load; pass the returned function each page's document count.
  func observePages(
    of job: String, _ unit: String = "documents", total: Int?, within budget: RunBudget
  ) -> @Sendable (_ documents: Int) -> Void {
    observer.begin(job, unit, total: total)
    let pages = Mutex(0)
    return { [observer, unit] documents in
      let page = pages.withLock { count in
        count += 1
        return count
      }
      observer.advance(
        by: documents, reads: budget.meter.spent, on: budget.meter.edition)
      observer.note("Page \(page): \(documents) \(unit).", job: job)
    }
  }
}
