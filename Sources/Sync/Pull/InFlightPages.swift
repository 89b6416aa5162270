import Firestore
import Synchronization

/// The pages that are on their way, some beyond the batch that is being collected.
///
/// A batch that is full does not wait for the pages that come next: they arrive while it is stored,
/// so that no stream waits for the slowest, nor for the store.
final class InFlightPages: Sendable {
  private struct State {
    /// By partition.
    var tasks: [Int: Task<Void, Never>] = [:]
    var arrived: [FetchedPage] = []
    var waiter: CheckedContinuation<FetchedPage?, Never>?
    /// Partitions whose first page was asked for.
    var startCount = 0
  }

  private let state = Mutex(State())

  /// Partitions whose page was asked for and not taken yet.
  var partitions: Set<Int> {
    state.withLock { Set($0.tasks.keys).union($0.arrived.map(\.partition)) }
  }

  /// How many streams began before this one does.
  func countStart() -> Int {
    state.withLock { state in
      defer { state.startCount += 1 }
      return state.startCount
    }
  }

  /// Fetches the page of a partition; one at a time of each.
  func start(_ partition: Int, _ fetch: @escaping @Sendable () async -> FetchedPage) {
    let isCancelled = Task.isCancelled
    state.withLock { state in
      let task = Task { await self.arrive(fetch()) }
      if isCancelled { task.cancel() }
      state.tasks[partition] = task
    }
  }

  private func arrive(_ page: FetchedPage) {
    let waiter = state.withLock { state -> CheckedContinuation<FetchedPage?, Never>? in
      state.tasks[page.partition] = nil
      guard let waiter = state.waiter else {
        state.arrived.append(page)
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: page)
  }

  /// The next page, in the order of arrival; nil when none is on its way.
  ///
  /// When the caller's task is cancelled, all pages are: each of them arrives as a failure.
  func next() async -> FetchedPage? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard state.arrived.isEmpty, !state.tasks.isEmpty else { return false }
          state.waiter = continuation
          return true
        }
        if !isWaiting { continuation.resume(returning: takeArrived()) }
      }
    } onCancel: {
      cancel()
    }
  }

  private func takeArrived() -> FetchedPage? {
    state.withLock { $0.arrived.isEmpty ? nil : $0.arrived.removeFirst() }
  }

  private func cancel() {
    for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
  }

  /// Gives up all pages, and waits until none is on its way.
  func giveUp() async {
    cancel()
    while await next() != nil {}
  }
}

/// How many documents a page may have, so that the pages of all streams fit into memory together.
final class PageSizer: Sendable {
  /// Bytes of all answers that are on their way at once, unless `fewestDocuments` have more.
  static let bytesUnderWay = 4 << 20
  /// A page of fewer is mostly waiting.
  static let fewestDocuments = 25

  private let largest = Mutex(0)

  /// Notes the size of a page; the largest mean size of a document counts.
  func note(bytes: Int, documents: Int) {
    guard documents > 0 else { return }
    largest.withLock { $0 = max($0, bytes / documents) }
  }

  /// The documents of a page, at most `wanted`, when so many streams are read side by side.
  ///
  /// The first page is a small one: the other streams wait for the snapshot that it names.
  func documents(atMost wanted: Int, streams: Int) -> Int {
    let size = largest.withLock(\.self)
    guard streams > 1 else { return wanted }
    guard size > 0 else { return min(wanted, Self.fewestDocuments) }
    return min(wanted, max(Self.fewestDocuments, Self.bytesUnderWay / streams / size))
  }
}
