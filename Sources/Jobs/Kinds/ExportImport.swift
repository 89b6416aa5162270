import Feeds
import Model
package import Store
import Synchronization

/// Adds the events of exports to the ledger; see `docs/jobs.md#import-events`.
///
/// Lines are read while those before them are stored. Each page of lines is one transaction, and an
/// event that the ledger holds is not added again: who was killed in the middle runs again.
package struct ExportImport: Sendable {
  /// What became of the lines of one file, blank ones not counted.
  package struct Counts: Hashable, Sendable {
    package var lines = 0
    package var added = 0
    /// Events that the ledger had, or the file had before.
    package var known = 0
    package var rejected = 0

    package init() {}
  }

  private let store: Store
  private let rejects: String

  /// `rejects` is the path of the list of lines that are no events.
  package init(store: Store, rejects: String) {
    self.store = store
    self.rejects = rejects
  }

  /// Reads the file at `path`, or standard input, and hands over the counts after each page.
  ///
  /// Throws `FeedError` where the file breaks off; the pages before it are stored, and its lines in
  /// the list of rejects stay as they were.
  @discardableResult
  package func run(
    _ path: String, eachPage: (Counts) throws -> Void
  ) async throws -> Counts {
    let reader = try ExportReader(path: path)
    var list = RejectsFile(path: rejects, about: path)
    var counts = Counts()
    try await store.withCheckpointsAside { checkpoints in
      var page = try await reader.next()
      while page.lineCount > 0 {
        async let following = reader.next()
        try Task.checkCancellation()
        let appended = try store.write { try $0.append(page.events, source: path) }
        checkpoints.start()
        try list.add(page.rejections)
        counts.add(page, appended)
        try eachPage(counts)
        reader.recycle(&page)
        page = try await following
      }
    }
    try list.write()
    return counts
  }
}

extension ExportImport.Counts {
  fileprivate mutating func add(_ page: GA4Export.Page, _ appended: AppendCounts) {
    lines += page.lineCount
    added += appended.added
    known += appended.duplicates
    rejected += page.rejections.count
  }
}

/// Reads an export on a thread of its own.
private actor ExportReader {
  private let export: GA4Export
  /// Pages whose memory is used again.
  private let spare = Mutex<[GA4Export.Page]>([])

  init(path: String) throws(FeedError) {
    export = try GA4Export(path: path)
  }

  func next() throws(FeedError) -> GA4Export.Page {
    var page = spare.withLock { $0.popLast() } ?? GA4Export.Page()
    try export.read(into: &page)
    page.events.seal()
    return page
  }

  /// Takes the page's memory.
  nonisolated func recycle(_ page: inout GA4Export.Page) {
    spare.withLock { $0.append(page) }
    page = GA4Export.Page()
  }
}
