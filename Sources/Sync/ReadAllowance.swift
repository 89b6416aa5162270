import Synchronization

/// What a run may read, shared by all of it that reads at the same time.
///
/// A reader takes what its request can cost at most before it asks, and gives back what the answer
/// did not cost: so no request is sent that could exceed the budget of `docs/jobs.md#read-budget`.
package final class ReadAllowance: Sendable {
  /// Nil: as much as it takes.
  package let limit: Int?
  private let taken = Mutex(0)

  package init(_ limit: Int? = nil) {
    self.limit = limit
  }

  /// Billed reads so far, requests on their way at the most that they can cost.
  package var spent: Int { taken.withLock(\.self) }

  /// Takes up to `count` reads, fewer when no more are left; 0 says that the budget is used up.
  package func take(upTo count: Int) -> Int {
    taken.withLock { taken in
      let granted = max(0, min(count, (limit ?? .max) - taken))
      taken += granted
      return granted
    }
  }

  /// Puts back what was taken and not spent.
  package func giveBack(_ count: Int) {
    taken.withLock { $0 -= count }
  }
}
