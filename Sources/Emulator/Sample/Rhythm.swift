import Model

/// When people use a chat app.
enum Rhythm {
  /// By hour of the local day, from 1 (asleep) to 12 (after dinner).
  static let hours = [
    5, 3, 2, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 6, 5, 5, 6, 7, 9, 10, 11, 12, 11, 8,
  ]
}

extension Instant {
  /// 0 to 23.
  func localHour(utcOffsetHours: Int) -> Int {
    let hours = Int(unixSeconds / 3600) + utcOffsetHours
    return ((hours % 24) + 24) % 24
  }

  /// Saturday or Sunday; the first day of 1970 was a Thursday.
  func isWeekend(utcOffsetHours: Int) -> Bool {
    let day = (unixSeconds + Int64(utcOffsetHours) * 3600) / 86_400
    return [2, 3].contains(day % 7)
  }
}
