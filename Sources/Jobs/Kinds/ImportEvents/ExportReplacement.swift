import Feeds
import Model
import Store

/// Replaces stored rows by the rows of a new export, in one transaction;
/// docs/events.md#days-that-come-again.
struct ExportReplacement {
  /// A day with the stored pieces to replace.
  struct Day {
    let day: Int
    let old: [ExportPiece]
  }

  /// Rolls the transaction back, because a day would lose too many of its rows.
  struct TooShort: Error {
    let news: ExportNews
  }

  let store: Store
  let rejects: String
  /// Whether an export may be much shorter than the stored one.
  let isForced: Bool

  /// Replaces the rows of these days by the rows of all the files.
  ///
  /// Throws `TooShort`, `FeedError` for a truncated or changed file, or what `eachPage` throws;
  /// then nothing is changed.
  ///
  /// - Returns: the counts of each file, and the news of each day that had rows.
  func run(
    _ days: [Day], by files: [ExportedFile],
    eachPage: (ExportedFile, ExportImport.Counts) throws -> Void
  ) throws -> (counts: [ExportImport.Counts], news: [ExportNews]) {
    let people = try store.read { try $0.erasedPeople() }
    let places = Set(files.map(\.place))
    return try store.write { writer in
      var news: [ExportNews] = []
      var longest: [Int] = []
      for day in days where !day.old.isEmpty {
        var item = ExportNews(.replaced, day: day.day, files: files.map(\.path))
        item.before = try writer.eventsCount(ofPieces: day.old)
        news.append(item)
        longest.append(try longestExport(of: day.old, writer))
      }
      try writer.remove(days.flatMap(\.old), comingAgain: places)
      var counts: [ExportImport.Counts] = []
      var pieces: [ExportPiece] = []
      for file in files {
        var read = FilePieces(of: file)
        counts.append(
          try add(file, to: &read, without: people, writer) { try eachPage(file, $0) })
        pieces += read.byDay.values
      }
      for place in news.indices {
        let day = news[place].day
        news[place].now = try writer.eventsCount(ofPieces: pieces.filter { $0.day == day })
        guard isForced || !ExportDayRule.isTooShort(news[place].now, before: longest[place])
        else { throw TooShort(news: news[place].refused(before: longest[place])) }
      }
      return (counts, news)
    }
  }

  /// Returns the number of events of the longest export among the pieces.
  ///
  /// A day that came twice has more rows than each of its exports.
  private func longestExport(of pieces: [ExportPiece], _ writer: Writer) throws -> Int {
    let exports = Dictionary(grouping: pieces) { piece in
      piece.name.number == nil ? "\(piece.id)" : "\(piece.name.table) \(piece.name.series)"
    }
    return try exports.values.map { try writer.eventsCount(ofPieces: $0) }.max() ?? 0
  }

  private func add(
    _ file: ExportedFile, to pieces: inout FilePieces, without people: ErasedPeople,
    _ writer: Writer, eachPage: (ExportImport.Counts) throws -> Void
  ) throws -> ExportImport.Counts {
    var counts = ExportImport.Counts()
    var list = RejectsFile(path: rejects, file: file.path)
    try ExportScan.eachPage(of: file) { page in
      let stored = try pieces.append(&page, without: people, by: writer)
      page.rejections.cover(people)
      try list.add(page.rejections)
      counts.add(page, stored)
      counts.expect(fileSize: file.size, readBytes: page.endOffset)
      try eachPage(counts)
    }
    try list.write()
    // Events that the removed pieces had do not count as added.
    let kept = try writer.takeKeptEvents()
    counts.added -= kept
    counts.known += kept
    return counts
  }
}

extension ExportNews {
  fileprivate func refused(before: Int) -> ExportNews {
    var news = ExportNews(.refused, day: day, files: files)
    news.before = before
    news.now = now
    return news
  }
}

/// A file's rows and counts by day, before anything is stored.
struct ExportScan {
  private(set) var days: [Int: EventDaySummary] = [:]
  private(set) var counts = ExportImport.Counts()
  /// Rows without a day.
  private(set) var undatedCount = 0

  /// Reads a file; throws `FeedError` if it is truncated.
  init(_ file: ExportedFile) throws {
    try Self.eachPage(of: file) { page in
      try Task.checkCancellation()
      days.merge(page.events.days(page.origins)) { $0 + $1 }
      undatedCount += page.events.rows.count { $0.origin == 0 }
      counts.lines += page.lineCount
      counts.rejected += page.rejections.count
    }
  }

  /// Reads a file to its end; throws `FeedError` if it is truncated or changes meanwhile.
  static func eachPage(
    of file: ExportedFile, _ body: (inout GA4Export.Page) throws -> Void
  ) throws {
    let export = try GA4Export(path: file.path)
    var page = GA4Export.Page()
    while true {
      try export.read(into: &page)
      guard page.lineCount > 0 else { break }
      page.events.seal()
      try body(&page)
    }
    guard ExportedFile(path: file.path).version == file.version else {
      throw FeedError.cannotRead(path: file.path, reason: "it changed while it was read")
    }
  }
}
