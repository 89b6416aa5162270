/// Converts UTC times from 1970 to 9999 to text and back by arithmetic.
///
/// Foundation handles all times and forms, but its calendar takes half a millisecond to load: more
/// than most commands need for everything else they do with times.
enum PlainTime {
  /// The unix seconds that `text` accepts.
  static let seconds: Range<Int64> = 0..<253_402_300_800

  /// The unix seconds of `2026-01-31T08:00:00Z`; nil for any other form and other years.
  static func seconds(of text: some StringProtocol) -> Int64? {
    let bytes = text.utf8.map(Int64.init)
    guard bytes.count == 20,
      zip(bytes, "0000-00-00T00:00:00Z".utf8).allSatisfy({ byte, mark in
        mark == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == mark
      })
    else { return nil }
    func pair(_ position: Int) -> Int64 { bytes[position] * 10 + bytes[position + 1] - 0x30 * 11 }
    let (year, month, day) = (pair(0) * 100 + pair(2), pair(5), pair(8))
    let (hour, minute, second) = (pair(11), pair(14), pair(17))
    guard year >= 1970, (1...12).contains(month), hour < 24, minute < 60, second < 60 else {
      return nil
    }
    let first = days(year: year, month: month)
    let next = month == 12 ? days(year: year + 1, month: 1) : days(year: year, month: month + 1)
    guard day >= 1, day <= next - first else { return nil }
    return (first + day - 1) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  /// `2026-01-31T08:00:00Z`.
  ///
  /// - Precondition: `seconds` contains the time.
  static func text(of time: Int64) -> String {
    precondition(seconds.contains(time))
    let (day, rest) = time.quotientAndRemainder(dividingBy: 86_400)
    // Years begin in March here, so that a leap day is the last; 400 years have 146,097 days.
    let (era, dayOfEra) = (day + 719_468).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    let date = [digits(year, 4), digits(month), digits(dayOfYear - (153 * marchMonth + 2) / 5 + 1)]
    let clock = [digits(rest / 3_600), digits(rest / 60 % 60), digits(rest % 60)]
    return date.joined(separator: "-") + "T" + clock.joined(separator: ":") + "Z"
  }

  /// Days from 1970-01-01 to the first of the month.
  private static func days(year: Int64, month: Int64) -> Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let marchMonth = month <= 2 ? month + 9 : month - 3
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 - 719_468
  }

  private static func digits(_ number: Int64, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
