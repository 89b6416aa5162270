import Feeds
import Model
import Store

/// The rows of one file by day, collected page by page; docs/events.md#days-that-come-again.
struct FilePieces {
  /// The counts of a page's events.
  struct Stored {
    var appended: AppendCounts
    var erased: Int
  }

  private let file: ExportedFile
  private let reused: Set<Int64>
  /// By day, as `20261127`.
  private(set) var byDay: [Int: ExportPiece] = [:]
  /// Whether other files have rows of the same days, so that files may share rows.
  private var areClaiming = false

  init(of file: ExportedFile, reusing reused: Set<Int64> = []) {
    self.file = file
    self.reused = reused
  }

  /// Adds a page to the pieces and stores its events.
  ///
  /// Events of erased people are removed from the page and not stored.
  mutating func append(
    _ page: inout GA4Export.Page, without people: ErasedPeople, by writer: Writer
  ) throws -> Stored {
    let days = page.events.days(page.origins)
    let erased = page.events.remove(people)
    for (day, rows) in days.sorted(by: { $0.key < $1.key }) {
      var piece = try byDay[day] ?? begin(day, writer)
      piece.rows += rows
      piece.id = try writer.save(piece)
      byDay[day] = piece
    }
    let appended = try writer.append(
      page.events, source: file.path, pieces: page.origins.map { byDay[$0.day]?.id ?? 0 },
      claims: areClaiming)
    return Stored(appended: appended, erased: erased)
  }

  private mutating func begin(_ day: Int, _ writer: Writer) throws -> ExportPiece {
    let pieces = try writer.exportPieces(ofDay: day).filter { $0.state == .stored }
    try writer.forgetUnstored(file.place, ofDay: day)
    var piece = ExportPiece(file, day: day)
    let known = pieces.first {
      $0.isSameFile(as: piece) || reused.contains($0.id)
        || piece.name.table == .unknown && $0.name.table == .unknown && $0.path == piece.path
    }
    if let known {
      piece.id = known.id
      piece.rows = known.rows
      piece.rows.digest = 0
    }
    if pieces.contains(where: { $0.id != piece.id }) { areClaiming = true }
    return piece
  }

  /// Returns the days for which another file seems to hold the same events with different rows.
  func repetitions(_ reader: some Readable) throws -> [ExportNews] {
    try byDay.values.sorted { $0.day < $1.day }.compactMap { piece in
      let others = try reader.exportPieces(ofDay: piece.day).filter {
        $0.state == .stored && $0.id != piece.id && !ExportDayRule.addUp(piece, $0)
      }
      let difference = try reader.difference(of: piece, from: others)
      return difference.isRepetition
        ? ExportNews(.cameTwice, day: piece.day, files: [file.path]) : nil
    }
  }
}

extension ExportPiece {
  /// Creates a piece without rows; a day that is not in the file's name gets an unknown table.
  init(_ file: ExportedFile, day: Int) {
    let name =
      file.name.day == day
      ? file.name
      : ExportFileName(table: .unknown, day: day, part: "", series: file.name.series)
    self.init(file.place, version: file.version, name: name, day: day)
  }
}

extension EventRows {
  /// Removes the events of these people, and events with parameters that name them; returns the
  /// count.
  fileprivate mutating func remove(_ people: ErasedPeople) -> Int {
    guard !people.isEmpty else { return 0 }
    return remove { userId, parameters in
      people.contains(userId) || people.areNamed(inJSON: parameters)
    }
  }
}
