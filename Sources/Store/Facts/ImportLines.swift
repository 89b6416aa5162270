import GRDB
import Model

/// Counts events of any kind that came by import: kept ones where a day's counts hold, others by
/// two indexes.
struct ImportLines {
  private static let hour: Int64 = 3_600_000_000

  /// The parts of kept days, oldest first, in microseconds.
  private let kept: [(span: Range<Int64>, lines: Int)]
  private let all: RawStatement
  private let own: RawStatement

  /// Kept lines are not read where a day is counted.
  init(_ reader: Reader, readsKept: Bool = true) throws {
    func statement(_ table: String) throws -> RawStatement {
      try RawStatement(
        reader.database, sql: "SELECT count(*) FROM \(table) AND at >= ?1 AND at < ?2")
    }
    all = try statement("events INDEXED BY events_content WHERE true")
    own = try statement("events INDEXED BY events_own WHERE source = '\(Event.ownSource)'")
    kept = readsKept ? try Self.kept(reader) : []
  }

  private static func kept(_ reader: Reader) throws -> [(span: Range<Int64>, lines: Int)] {
    let days = try reader.keptDays(of: nil)
    var lines: [(span: Range<Int64>, lines: Int)] = []
    try reader.forEachRow(
      """
      SELECT fact_day.day, hour, lead(hour, 1, "end") OVER (PARTITION BY fact_day.day ORDER BY hour),
        lines
      FROM fact_day JOIN fact_import ON fact_import.day = fact_day.day ORDER BY hour
      """
    ) { row in
      guard days.contains(row[0]) else { return }
      lines.append(((row[1] as Int64)..<(row[2] as Int64), row[3]))
    }
    return lines
  }

  /// The parts of a day that lie in one hour of UTC each, by their first instants.
  static func hours(of day: Range<Int64>) -> [Int64] {
    let passed = (day.lowerBound % hour + hour) % hour
    return [day.lowerBound]
      + stride(from: day.lowerBound - passed + hour, to: day.upperBound, by: Int(hour))
  }

  /// How many lines there are between each bound (inclusive) and the next one.
  ///
  /// - Precondition: the bounds are sorted.
  func counts(between bounds: [Int64]) throws -> [Int] {
    var next = kept.startIndex
    return try zip(bounds, bounds.dropFirst()).map { start, end in
      while next < kept.endIndex, kept[next].span.lowerBound < start { next += 1 }
      var (reached, lines) = (start, 0)
      for part in kept[next...] {
        guard part.span.lowerBound == reached, part.span.upperBound <= end else { break }
        reached = part.span.upperBound
        lines += part.lines
      }
      return reached == end ? lines : try lines + counted(from: reached, to: end)
    }
  }

  private func counted(from start: Int64, to end: Int64) throws -> Int {
    func count(_ statement: RawStatement) throws -> Int {
      defer { statement.reset() }
      try statement.bind(start, at: 1)
      try statement.bind(end, at: 2)
      return try statement.step() ? Int(statement.integer(column: 0)) : 0
    }
    return try count(all) - count(own)
  }
}
