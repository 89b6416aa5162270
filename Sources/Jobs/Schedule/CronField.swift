/// The values that one field of a cron schedule allows.
struct CronField: Hashable, Sendable {
  /// A field's place in the line, with its bounds and names.
  struct Place: Sendable {
    let name: String
    let range: ClosedRange<Int>
    let words: [String]
  }

  static let minute = Place(name: "minute", range: 0...59, words: [])
  static let hour = Place(name: "hour", range: 0...23, words: [])
  static let day = Place(name: "day of month", range: 1...31, words: [])
  static let month = Place(
    name: "month", range: 1...12,
    words: ["", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])
  /// 0 and 7 are Sunday.
  static let weekday = Place(
    name: "day of week", range: 0...7, words: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"])

  /// Ascending; Sunday as 0.
  let values: [Int]
  /// Whether the field begins with `*`, which decides how the two day fields combine.
  let isStarred: Bool

  /// Reads a comma-separated list of values, ranges and steps.
  init(_ text: Substring, at place: Place) throws(CronSyntaxError) {
    var found: Set<Int> = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      found.formUnion(try Self.values(of: item, in: text, at: place))
    }
    if place.range.upperBound == 7, found.remove(7) != nil { found.insert(0) }
    isStarred = text.hasPrefix("*")
    values = found.sorted()
  }

  func contains(_ value: Int) -> Bool { values.contains(value) }

  private static func values(
    of item: Substring, in field: Substring, at place: Place
  ) throws(CronSyntaxError) -> [Int] {
    let parts = item.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let range = try range(parts[0], in: field, at: place)
    guard parts.count == 2 else { return Array(range) }
    guard parts[0] == "*" || parts[0].contains("-") else {
      throw fault(field, place, "a step ('/\(parts[1])') needs a range or '*' before it")
    }
    guard let step = number(parts[1]), step >= 1, step <= place.range.upperBound else {
      throw fault(
        field, place, "the step '\(parts[1])' must be from 1 to \(place.range.upperBound)")
    }
    return Array(stride(from: range.lowerBound, through: range.upperBound, by: step))
  }

  private static func range(
    _ text: Substring, in field: Substring, at place: Place
  ) throws(CronSyntaxError) -> ClosedRange<Int> {
    if text == "*" {
      // Sunday must not count twice in `*/n`.
      return place.range.lowerBound...min(place.range.upperBound, place.words.count == 7 ? 6 : 59)
    }
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let first = try value(ends[0], in: field, at: place)
    guard ends.count == 2 else { return first...first }
    let last = try value(ends[1], in: field, at: place)
    guard first <= last else {
      throw fault(field, place, "the range '\(text)' runs backwards; write it as two with a comma")
    }
    return first...last
  }

  private static func value(
    _ text: Substring, in field: Substring, at place: Place
  ) throws(CronSyntaxError) -> Int {
    if !text.isEmpty, let value = place.words.firstIndex(of: text.lowercased()) { return value }
    guard let value = number(text) else {
      throw fault(field, place, "'\(text)' is not a number\(place.words.isEmpty ? "" : " or name")")
    }
    guard place.range.contains(value) else {
      throw fault(
        field, place, "\(value) is not from \(place.range.lowerBound) to \(place.range.upperBound)")
    }
    return value
  }

  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.count <= 3, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  private static func fault(
    _ field: Substring, _ place: Place, _ message: String
  ) -> CronSyntaxError {
    CronSyntaxError(description: "bad schedule: the \(place.name) field '\(field)': \(message)")
  }
}
