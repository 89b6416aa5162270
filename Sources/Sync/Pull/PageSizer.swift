import Firestore
import Synchronization

/// How many documents a page may have, so that its answer is not too large, and the pages of all
/// streams fit into memory together; see `docs/loads.md#page-size`.
package final class PageSizer: Sendable {
  /// Bytes of all answers that are on their way at once, unless `fewestDocuments` have more.
  static let bytesUnderWay = 4 << 20
  /// A smaller page would mostly be waiting.
  static let fewestDocuments = 25

  private struct State {
    /// The largest mean size of a page's documents, in bytes.
    var largest = 0
    /// Pages of more documents were too large; nil when none was.
    var most: Int?
  }

  private let state = Mutex(State())

  package init() {}

  /// The documents that a page has at most since one was too large; nil when none was.
  package var reducedPageSize: Int? { state.withLock(\.most) }

  /// What a run says of such pages.
  package static func sentence(about size: Int) -> String {
    "Documents are too large for the page size: pages of \(size) were read instead. "
      + "Set page_size to \(size) to save the requests that were too large."
  }

  /// Notes the size of a page; the largest mean size of a document counts.
  func note(bytes: Int, documents: Int) {
    guard documents > 0 else { return }
    state.withLock { $0.largest = max($0.largest, bytes / documents) }
  }

  /// The documents of a page, at most `wanted`, when `streams` are read side by side.
  ///
  /// The first page is a small one: the other streams wait for the snapshot that it names.
  package func documents(atMost wanted: Int, streams: Int = 1) -> Int {
    let (size, most) = state.withLock { ($0.largest, $0.most) }
    let wanted = min(wanted, most ?? wanted)
    guard streams > 1 else { return wanted }
    guard size > 0 else { return min(wanted, Self.fewestDocuments) }
    return min(wanted, max(Self.fewestDocuments, Self.bytesUnderWay / streams / size))
  }

  /// Fetches a page of `wanted` documents, or of half as many, and so on, while the answer is too
  /// large; later pages begin with the size that fitted.
  ///
  /// Answers that were thrown away count with all the reads that they may have cost.
  ///
  /// - Throws: what `fetch` throws, also for a single document that is too large.
  package func fitting<Page>(
    _ wanted: Int, billing reads: ReadBudgetMeter, _ fetch: (_ limit: Int) async throws -> Page
  ) async throws -> Page {
    var limit = documents(atMost: wanted)
    while true {
      do {
        return try await fetch(limit)
      } catch let error as FirestoreError where error.isTooLarge && limit > 1 {
        reads.add(limit)
        let half = limit / 2
        state.withLock { $0.most = min($0.most ?? half, half) }
        limit = documents(atMost: half)
      }
    }
  }
}
