import Feeds
import Glibc
import Model
package import Store
import Sync
import Synchronization

/// Adds the events of exports to the ledger; see `docs/jobs/import-events.md`.
///
/// Each page of lines is stored in one transaction while the next one is read. Events that the
/// ledger holds are not added again, so an interrupted import can simply run again.
package struct ExportImport: Sendable {
  /// The counts of one file's lines, without blank lines.
  package struct Counts: Hashable, Sendable {
    package var lines = 0
    package var added = 0
    /// Events that were in the ledger, or earlier in the file.
    package var known = 0
    package var rejected = 0
    /// Events that are left out because their person's data was erased.
    package var erased = 0
    /// Events that are left out because another table wins over theirs.
    package var leftOut = 0
    /// The estimated number of lines, from the file's size and the lines so far; nil without a
    /// size.
    package var expectedLines: Int?
  }

  private let store: Store
  private let rejects: String

  /// Creates an import; `rejects` is the path of the list of lines that are not events.
  package init(store: Store, rejects: String) {
    self.store = store
    self.rejects = rejects
  }

  /// Reads the file at `path`, or standard input, and reports the counts after each page.
  ///
  /// Throws `FeedError` when the file is truncated. The pages before that are stored, and the
  /// file's lines in the list of rejects do not change.
  @discardableResult
  package func run(
    _ path: String, eachPage: (Counts) throws -> Void
  ) async throws -> Counts {
    try await run(ExportedFile(path: path), eachPage: eachPage).counts
  }

  /// Imports a file, and also returns the days that came twice.
  ///
  /// `reused` are ids of stored pieces with the same rows, which keep them.
  func run(
    _ file: ExportedFile, reusing reused: Set<Int64> = [], eachPage: (Counts) throws -> Void
  ) async throws -> (counts: Counts, news: [ExportNews]) {
    let reader = try ExportReader(path: file.path)
    var list = RejectsFile(path: rejects, file: file.path)
    var pieces = FilePieces(of: file, reusing: reused)
    var counts = Counts()
    let people = try store.read { try $0.erasedPeople() }
    try await store.withBackgroundCheckpoints { checkpoints in
      var page = try await reader.next()
      while page.lineCount > 0 {
        async let following = reader.next()
        try Task.checkCancellation()
        let stored = try store.write { try pieces.append(&page, without: people, by: $0) }
        checkpoints.start()
        page.rejections.cover(people)
        try list.add(page.rejections)
        counts.add(page, stored)
        counts.expect(fileSize: file.size, readBytes: page.endOffset)
        try eachPage(counts)
        reader.recycle(&page)
        page = try await following
      }
    }
    try list.write()
    return (counts, try store.read { try pieces.repetitions($0) })
  }
}

extension ExportImport.Counts {
  mutating func expect(fileSize: Int?, readBytes: Int) {
    guard let fileSize, readBytes > 0 else { return }
    expectedLines = max(lines, Int(Double(lines) * Double(fileSize) / Double(readBytes)))
  }

  mutating func add(_ page: GA4Export.Page, _ stored: FilePieces.Stored) {
    lines += page.lineCount + stored.erased
    erased += stored.erased
    added += stored.appended.added
    known += stored.appended.duplicates
    rejected += page.rejections.count
  }
}

extension [GA4Export.Rejection] {
  /// Replaces the text of lines that name these people.
  mutating func cover(_ people: ErasedPeople) {
    guard !people.isEmpty else { return }
    for index in indices where people.areNamed(inText: self[index].text) {
      self[index].text = "[erased]"
    }
  }
}

/// A reader of an export, on its own thread.
private actor ExportReader {
  private let export: GA4Export
  /// Pages whose memory can be reused.
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

  /// Takes a page back, to reuse its memory.
  nonisolated func recycle(_ page: inout GA4Export.Page) {
    spare.withLock { $0.append(page) }
    page = GA4Export.Page()
  }
}
