/// The day and the stream that a row of GA4's export names: `event_date` and `stream_id`.
package struct EventOrigin: Hashable, Sendable {
  /// A civil day of the property, as `20261127`.
  package var day: Int
  /// Empty for a row without one.
  package var stream: String
}

/// The days and streams that the rows of a file name, each once and with a number from 1.
package struct EventOrigins: Sendable {
  /// More than any export has, so that a hostile one costs little memory.
  private static let mostOrigins = 65_536

  /// The origin with the number n is at n - 1.
  package private(set) var all: [EventOrigin] = []
  private var numbers: [EventOrigin: Int32] = [:]
  /// The last one, since rows of one day and stream follow each other.
  private var lastDay = 0
  private var lastStream: [UInt8] = []
  private var lastNumber: Int32 = 0

  package init() {}

  /// The number of a day and a stream in UTF-8; 0 where a file has too many of them.
  package mutating func number(
    ofDay day: Int, stream: UnsafeBufferPointer<UInt8>
  ) -> Int32 {
    if day == lastDay, lastNumber > 0, stream.elementsEqual(lastStream) { return lastNumber }
    let origin = EventOrigin(day: day, stream: String(decoding: stream, as: UTF8.self))
    lastDay = day
    lastStream = Array(stream)
    lastNumber = numbers[origin] ?? 0
    guard lastNumber == 0, all.count < Self.mostOrigins else { return lastNumber }
    all.append(origin)
    lastNumber = Int32(all.count)
    numbers[origin] = lastNumber
    return lastNumber
  }
}

/// What some rows of one day of the export are together.
package struct EventDaySummary: Hashable, Sendable {
  package var rowCount = 0
  package var streams: Set<String> = []
  package var first: Instant?
  package var last: Instant?
  /// A hash of the rows in any order, with all that the ledger stores of them.
  package var digest: Int64 = 0

  package init() {}

  package static func + (left: EventDaySummary, right: EventDaySummary) -> EventDaySummary {
    var sum = left
    sum += right
    return sum
  }

  package static func += (left: inout EventDaySummary, right: EventDaySummary) {
    left.rowCount += right.rowCount
    left.streams.formUnion(right.streams)
    left.first = [left.first, right.first].compactMap(\.self).min()
    left.last = [left.last, right.last].compactMap(\.self).max()
    left.digest &+= right.digest
  }
}

extension EventRows {
  /// The rows by the day that they name; rows without one are left out.
  ///
  /// - Precondition: the rows are sealed, and `origins` numbered them.
  package func days(_ origins: [EventOrigin]) -> [Int: EventDaySummary] {
    guard !origins.isEmpty else { return [:] }
    precondition(fingerprints.count == rows.count, "only sealed rows have a digest")
    var byOrigin = [EventDaySummary](repeating: EventDaySummary(), count: origins.count)
    bytes.withUnsafeBytes { bytes in
      for (row, fingerprint) in zip(rows, fingerprints) where row.origin > 0 {
        let place = Int(row.origin) - 1
        byOrigin[place].rowCount += 1
        if byOrigin[place].first == nil { byOrigin[place].first = row.at }
        byOrigin[place].last = row.at
        byOrigin[place].digest &+= row.digest(fingerprint, in: bytes)
      }
    }
    var days: [Int: EventDaySummary] = [:]
    for (origin, var summary) in zip(origins, byOrigin) where summary.rowCount > 0 {
      if !origin.stream.isEmpty { summary.streams = [origin.stream] }
      days[origin.day, default: EventDaySummary()] += summary
    }
    return days
  }
}

extension EventRows.Row {
  /// The fingerprint does not include the instant, the country and the version.
  fileprivate func digest(_ fingerprint: Int64, in bytes: UnsafeRawBufferPointer) -> Int64 {
    var hash = UInt64(bitPattern: fingerprint) ^ UInt64(bitPattern: at.microseconds)
    for cell in [country, appVersion] {
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
      guard cell.count > 0 else { continue }
      for place in Int(cell.start)..<Int(cell.start) + Int(cell.count) {
        hash = (hash ^ UInt64(bytes[place])) &* 0x100_0000_01b3
      }
    }
    // This mixes the bits, so that a sum of hashes distinguishes rows.
    hash ^= hash >> 32
    return Int64(bitPattern: hash &* 0x9e37_79b9_7f4a_7c15)
  }
}
