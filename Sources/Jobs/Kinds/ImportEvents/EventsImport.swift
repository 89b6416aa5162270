package import Feeds
import Model
import Reports
package import Store
import Workspace

/// Imports files of GA4's export; docs/events.md#days-that-come-again.
///
/// When a day's table is exported again, the new export replaces the earlier one. All state is in
/// the database, and each change is one transaction, so an interrupted import can simply run again.
package struct EventsImport: Sendable {
  package typealias Counts = ExportImport.Counts

  /// The result of one file.
  package struct FileResult: Sendable {
    package let path: String
    package var counts = Counts()
    package var news: [ExportNews] = []
    /// The reason why the file could not be read to its end.
    package var problem: FeedError?
    /// Whether the file must be imported again, after other files arrive or a person decides.
    package var isPending = false

    init(_ path: String) { self.path = path }
  }

  private let store: Store
  private let rejects: String
  private let replacesDays: Bool
  private let isForced: Bool

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - store: the store with the ledger.
  ///   - rejects: the path of the list of lines that are not events.
  ///   - replacesDays: whether the files together replace all events of their days.
  ///   - isForced: whether an export replaces a much longer stored one.
  package init(store: Store, rejects: String, replacesDays: Bool = false, isForced: Bool = false) {
    self.store = store
    self.rejects = rejects
    self.replacesDays = replacesDays
    self.isForced = isForced
  }

  /// Imports the files; reports the counts after each page and the result of each file.
  ///
  /// Files of one export are imported together. The others keep their order, except that winning
  /// tables come last.
  package func run(
    _ paths: [String], eachPage: (String, Counts) throws -> Void,
    eachFile: (FileResult) throws -> Void
  ) async throws {
    let files = paths.map(ExportedFile.init)
    if replacesDays { return try replaceDays(files, eachPage, eachFile) }
    for set in ExportedSet.sets(of: files) { try await run(set, eachPage, eachFile) }
  }

  private typealias EachPage = (String, Counts) throws -> Void
  private typealias EachFile = (FileResult) throws -> Void

  private func run(
    _ set: ExportedSet, _ eachPage: EachPage, _ eachFile: EachFile
  ) async throws {
    guard let day = set.day else {
      for file in set.files { try await add(file, [], eachPage, eachFile) }
      return
    }
    let known = try store.read { try $0.exportPieces(ofDay: day) }
    var set = set
    for file in set.files where known.contains(where: { $0.isReplaced(file) }) {
      var result = FileResult(file.path)
      result.news = [ExportNews(.leftOut, day: day, files: [file.path])]
      try eachFile(result)
      set.files.removeAll { $0 == file }
    }
    let isPlain = set.files.allSatisfy { file in known.allSatisfy { $0.allows(file) } }
    if isPlain {
      for file in set.files { try await add(file, [], eachPage, eachFile) }
      return
    }
    let scanned = try scan(set, known, of: day, eachFile)
    guard !scanned.isEmpty else { return }
    switch ExportDayRule.decision(
      for: scanned.map(\.piece), among: known, present: set.presentParts())
    {
    case .add:
      for file in scanned where set.files.contains(file.file) {
        try await add(file.file, file.equal(in: known), eachPage, eachFile)
      }
    case .leaveOut(let winner): try leaveOut(scanned, winner, eachFile)
    case .wait(let missing):
      var news = ExportNews(.waits, day: day, files: scanned.map(\.file.path))
      news.count = missing
      try wait(scanned, news, eachFile)
    case .replace(let ids):
      try replace(known.filter { ids.contains($0.id) }, of: day, by: scanned, eachPage, eachFile)
    }
  }

  private func add(
    _ file: ExportedFile, _ reused: Set<Int64>, _ eachPage: EachPage, _ eachFile: EachFile
  ) async throws {
    var result = FileResult(file.path)
    do {
      (result.counts, result.news) = try await ExportImport(store: store, rejects: rejects)
        .run(file, reusing: reused) {
          result.counts = $0
          try eachPage(file.path, $0)
        }
    } catch let error as FeedError {
      result.problem = error
    }
    try eachFile(result)
  }
}

/// A file with its rows of the day of its table.
private struct ScannedFile {
  let file: ExportedFile
  let piece: ExportPiece
  let counts: ExportImport.Counts

  /// Returns the ids of stored pieces with the same rows, except those of another property.
  func equal(in known: [ExportPiece]) -> Set<Int64> {
    Set(
      known.filter {
        $0.state == .stored && $0.name.table == piece.name.table && $0.name.part == piece.name.part
          && $0.rows.digest == piece.rows.digest
          && ExportDayRule.mayBeSameProperty($0.rows.streams, piece.rows.streams)
      }.map(\.id))
  }
}

extension ExportPiece {
  fileprivate func isReplaced(_ file: ExportedFile) -> Bool {
    state == .replaced && path == file.place && version == file.version
  }

  /// Whether a file of the same day may be added without reading it before.
  ///
  /// That holds for the file of this piece if it is unchanged, and for other files of the same
  /// export.
  fileprivate func allows(_ file: ExportedFile) -> Bool {
    guard state != .replaced, name.table != .unknown else { return state != .waiting }
    if path == file.place { return state == .stored && version == file.version }
    return state == .stored && name.table == file.name.table && name.series == file.name.series
      && name.number != nil && file.name.number != nil && name.number != file.name.number
  }
}

extension EventsImport {
  /// Reads the files, and the stored files that wait for others of the same export.
  private func scan(
    _ set: ExportedSet, _ known: [ExportPiece], of day: Int, _ eachFile: EachFile
  ) throws -> [ScannedFile] {
    guard let first = set.files.first else { return [] }
    let waiting = known.filter { piece in
      piece.state == .waiting && piece.name.table == first.name.table
        && piece.name.series == first.name.series && !piece.name.isWholeTable
        && !first.name.isWholeTable && !set.files.contains { $0.place == piece.path }
    }.filter { ExportedFile(path: $0.path).version == $0.version }
    var scanned: [ScannedFile] = []
    for file in set.files + waiting.map({ ExportedFile(path: $0.path) }) {
      do {
        let scan = try ExportScan(file)
        var piece = ExportPiece(file, day: day)
        piece.rows = scan.days[day] ?? EventDaySummary()
        scanned.append(ScannedFile(file: file, piece: piece, counts: scan.counts))
      } catch let error as FeedError {
        var result = FileResult(file.path)
        result.problem = error
        try eachFile(result)
      }
    }
    return scanned
  }

  private func leaveOut(
    _ scanned: [ScannedFile], _ winner: ExportFileName.Table, _ eachFile: EachFile
  ) throws {
    for scan in scanned {
      try remember(scan, .replaced)
      var news = ExportNews(.leftOut, day: scan.piece.day, files: [scan.file.path])
      news.count = scan.piece.rows.rowCount
      news.winner = winner
      var result = FileResult(scan.file.path)
      result.counts.lines = scan.counts.lines
      result.counts.leftOut = scan.piece.rows.rowCount
      result.news = [news]
      try eachFile(result)
    }
  }

  /// Records the files, so that later files can complete their export; the last one has the news.
  private func wait(
    _ scanned: [ScannedFile], _ news: ExportNews, _ eachFile: EachFile
  ) throws {
    for (place, scan) in scanned.enumerated() {
      try remember(scan, .waiting)
      var result = FileResult(scan.file.path)
      result.counts.lines = scan.counts.lines
      result.isPending = true
      if place == scanned.count - 1 { result.news = [news] }
      try eachFile(result)
    }
  }

  private func remember(_ scan: ScannedFile, _ state: ExportPiece.State) throws {
    var piece = scan.piece
    piece.state = state
    try store.write { writer in
      try writer.forgetUnstored(piece.path, ofDay: piece.day)
      _ = try writer.save(piece)
    }
  }

  private func replace(
    _ old: [ExportPiece], of day: Int, by scanned: [ScannedFile], _ eachPage: EachPage,
    _ eachFile: EachFile
  ) throws {
    do {
      try replace(
        [ExportReplacement.Day(day: day, old: old)], by: scanned.map(\.file), eachPage, eachFile)
    } catch let error as ExportReplacement.TooShort {
      try wait(scanned, error.news, eachFile)
    }
  }

  private func replace(
    _ days: [ExportReplacement.Day], by files: [ExportedFile], _ eachPage: EachPage,
    _ eachFile: EachFile
  ) throws {
    let replacement = ExportReplacement(store: store, rejects: rejects, isForced: isForced)
    do {
      let (counts, news) = try replacement.run(days, by: files) {
        try Task.checkCancellation()
        try eachPage($0.path, $1)
      }
      for (place, file) in files.enumerated() {
        var result = FileResult(file.path)
        result.counts = counts[place]
        if place == files.count - 1 { result.news = news }
        try eachFile(result)
      }
    } catch let error as FeedError {
      var result = FileResult(files.last?.path ?? "")
      result.problem = error
      try eachFile(result)
    }
  }

  /// Replaces all days that occur in the files, regardless of the stored tables and files.
  private func replaceDays(
    _ files: [ExportedFile], _ eachPage: EachPage, _ eachFile: EachFile
  ) throws {
    var days: [Int: EventDaySummary] = [:]
    for file in files {
      guard !file.version.isEmpty else {
        throw WorkspaceError.refused(
          .badData,
          "\(file.path) is no file that can be read twice. Name a file, or leave out "
            + "--replace-day.")
      }
      let scan = try ExportScan(file)
      guard scan.undatedCount == 0 else {
        let events = NumberWords.counted(scan.undatedCount, "event")
        throw WorkspaceError.refused(
          .badData,
          "\(file.path) has \(events) without event_date, so that nobody knows which days "
            + "they replace. Nothing was changed. Leave out --replace-day to add them.")
      }
      days.merge(scan.days) { $0 + $1 }
    }
    let replaced = try store.read { reader in
      try days.sorted { $0.key < $1.key }.map { day, rows in
        let old = try reader.exportPieces(ofDay: day).filter {
          $0.state == .stored && ExportDayRule.mayBeSameProperty($0.rows.streams, rows.streams)
        }
        return ExportReplacement.Day(day: day, old: old)
      }
    }
    do {
      try replace(replaced, by: files, eachPage, eachFile)
    } catch let error as ExportReplacement.TooShort {
      var result = FileResult(files.last?.path ?? "")
      var news = error.news
      news.replacesDays = true
      result.news = [news]
      result.isPending = true
      try eachFile(result)
    }
  }
}
