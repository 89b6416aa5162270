/// The table of GA4's export that a file holds, according to its name;
/// docs/events.md#days-that-come-again.
package struct ExportFileName: Hashable, Sendable {
  /// The tables that GA4 writes of one day; a later case wins over the ones before it.
  package enum Table: String, Comparable, CaseIterable, Sendable {
    /// The name does not show the table.
    case unknown, intraday, fresh, daily

    package static func < (left: Table, right: Table) -> Bool {
      left.rank < right.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  package private(set) var table = Table.unknown
  /// As `20261127`; nil for an unknown table.
  package private(set) var day: Int?
  /// The text behind the day: nothing for a whole table, 12 digits for one of its files.
  package private(set) var part = ""
  /// The folder, and what stands before the table's name: files of one export share it.
  package private(set) var series = ""

  /// The number of a file of an export of several; nil for any other.
  package var number: Int? { Self.number(of: part) }

  package var isWholeTable: Bool { table != .unknown && part.isEmpty }

  /// Reads `events_20261127.ndjson.gz`, `events_intraday_20261127-000000000003.ndjson`, also with
  /// something before it.
  package init(path: String) {
    let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let name = path[cut...]
    series = String(path[..<cut])
    let word = "events_"
    var end = name.endIndex
    while let start = name[..<end].lastRange(of: word) {
      if start.lowerBound == name.startIndex
        || !name[name.index(before: start.lowerBound)].isLetter,
        read(name[start.upperBound...])
      {
        series += name[..<start.lowerBound]
        return
      }
      end = start.lowerBound
    }
  }

  /// What the database holds of a name that was read before.
  package init(table: Table, day: Int, part: String, series: String) {
    self.table = table
    self.day = day
    self.part = part
    self.series = series
  }

  /// Whether the text behind `events_` names a table and its day.
  private mutating func read(_ text: Substring) -> Bool {
    var rest = text
    var table = Table.daily
    for (word, other) in [("intraday_", Table.intraday), ("fresh_", .fresh)]
    where rest.hasPrefix(word) {
      rest = rest.dropFirst(word.count)
      table = other
    }
    guard let day = ExportDay.number(rest.prefix(8)) else { return false }
    rest = rest.dropFirst(8)
    for ending in [".gz", ".ndjson", ".jsonl", ".json"] where rest.hasSuffix(ending) {
      rest = rest.dropLast(ending.count)
    }
    // More digits are another number, except those of a part.
    if let next = rest.first, next.isNumber, Self.number(of: String(rest)) == nil { return false }
    self.table = table
    self.day = day
    part = String(rest)
    return true
  }

  private static func number(of part: String) -> Int? {
    let digits = part.first.map { "-_.".contains($0) } == true ? part.dropFirst() : part[...]
    guard digits.utf8.count == 12, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }
}

extension Substring {
  fileprivate func lastRange(of word: String) -> Range<Index>? {
    var start = endIndex
    while start > startIndex {
      start = index(before: start)
      if self[start...].hasPrefix(word) { return start..<index(start, offsetBy: word.count) }
    }
    return nil
  }
}

/// A civil day as GA4 writes it: `20261127`.
package enum ExportDay {
  /// The day of `20261127` or `2026-11-27`; nil for any other text.
  package static func number(_ text: some StringProtocol) -> Int? {
    var digits = Array(text.utf8)
    if digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-") {
      digits.remove(at: 7)
      digits.remove(at: 4)
    }
    guard digits.count == 8, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = digits.reduce(0) { 10 * $0 + Int($1 & 0x0F) }
    let (month, day) = (number / 100 % 100, number % 100)
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    return number
  }
}
