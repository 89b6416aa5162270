import Foundation
import Jobs
import Model

extension CronSchedule {
  /// The first due time after an instant; nil when there is none in 40 years.
  func nextDue(after instant: Instant, timeZone: TimeZone) -> Instant? {
    for days in [2, 40, 400, 5 * 366, 40 * 366] {
      let end = instant + .seconds(days * 86_400)
      if let due = dues(after: instant, through: end, timeZone: timeZone).first { return due }
    }
    return nil
  }
}
