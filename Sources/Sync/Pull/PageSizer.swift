import Firestore
import Synchronization

/// The limit of documents per page, so that an answer is not too large and the pages of all streams
/// fit into memory; see `docs/loads.md#page-size`.
package final class PageSizer: Sendable {
  /// The total size in bytes of all answers in flight, unless `fewestDocuments` need more.
  static let bytesUnderWay = 4 << 20
  /// The smallest page: smaller ones would spend most of their time waiting.
  static let fewestDocuments = 25

  private struct State {
    /// The largest mean document size of a page, in bytes.
    var largest = 0
    /// The limit after larger pages were too large; nil when none was.
    var most: Int?
  }

  private let state = Mutex(State())

  package init() {}

  /// The reduced limit of documents per page after one was too large; nil when none was.
  package var reducedPageSize: Int? { state.withLock(\.most) }

  /// Returns the sentence of a run about reduced pages.
  package static func sentence(about size: Int) -> String {
    "Documents are too large for the page size: pages of \(size) were read instead. "
      + "Set page_size to \(size) to save the requests that were too large."
  }

  /// Records the size of a page; the largest mean document size counts.
  func note(bytes: Int, documents: Int) {
    guard documents > 0 else { return }
    state.withLock { $0.largest = max($0.largest, bytes / documents) }
  }

  /// Returns the number of documents of a page, at most `wanted`, when `streams` are read
  /// concurrently.
  ///
  /// The first page is small: the other streams wait for the snapshot that it names.
  package func documents(atMost wanted: Int, streams: Int = 1) -> Int {
    let (size, most) = state.withLock { ($0.largest, $0.most) }
    let wanted = min(wanted, most ?? wanted)
    guard streams > 1 else { return wanted }
    guard size > 0 else { return min(wanted, Self.fewestDocuments) }
    return min(wanted, max(Self.fewestDocuments, Self.bytesUnderWay / streams / size))
  }

  /// Fetches a page of `wanted` documents, and halves the number while the answer is too large;
  /// later pages begin with the size that fitted.
  ///
  /// A discarded answer counts with the most reads that it may have cost: `lost`, or else one for
  /// each document.
  ///
  /// - Throws: the error of `fetch`, also for a single document that is too large.
  package func fitting<Page>(
    _ wanted: Int, billing reads: ReadBudgetMeter, lost: Int? = nil,
    _ fetch: (_ limit: Int) async throws -> Page
  ) async throws -> Page {
    var limit = documents(atMost: wanted)
    while true {
      do {
        return try await fetch(limit)
      } catch let error as FirestoreError where error.isTooLarge && limit > 1 {
        reads.add(lost ?? limit)
        let half = limit / 2
        state.withLock { $0.most = min($0.most ?? half, half) }
        limit = documents(atMost: half)
      }
    }
  }
}
