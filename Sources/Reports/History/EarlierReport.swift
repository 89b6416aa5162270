/// The last report of an earlier day, as far as there is one.
package enum EarlierReport: Hashable, Sendable {
  case absent
  /// There is a copy of the day (`2026-11-20`), but its summary is missing, cut or of another version.
  case unreadable(day: String)
  case report(PastReport)

  /// Why figures of the two cannot be compared, as the end of a sentence; nil when they can.
  static func obstacle(between then: PastReport, and now: PastReport) -> String? {
    if then.isAnonymous != now.isAnonymous {
      return "only one of the two has its people replaced by pseudonyms"
    }
    if then.scope != now.scope { return "it counted the events of other people" }
    if then.timeZone != now.timeZone { return "its days were those of \(then.timeZone)" }
    if then.dayCount != now.dayCount {
      return "it covered \(NumberWords.counted(then.dayCount, "day")), not "
        + NumberWords.grouped(now.dayCount)
    }
    return nil
  }
}
