import Feeds
import Glibc
import Model
package import Store
import Sync
import Synchronization

/// Adds the events of exports to the ledger; see `docs/jobs/import-events.md`.
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
    /// Events of people whose data was erased; they are left out.
    package var erased = 0
    /// Events of a table that another one wins over; they are left out.
    package var leftOut = 0
    /// Lines that the file has by its size, as those read so far suggest; nil when it has none.
    package var expectedLines: Int?
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
    try await run(ExportedFile(path: path), eachPage: eachPage).counts
  }

  /// The same, with the days that came twice.
  ///
  /// `reused` are pieces that hold the same rows, which keep being theirs.
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
  /// Takes away the text of lines that name these people.
  mutating func cover(_ people: ErasedPeople) {
    guard !people.isEmpty else { return }
    for index in indices where people.areNamed(inText: self[index].text) {
      self[index].text = "[erased]"
    }
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
