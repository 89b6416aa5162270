import Foundation
import Jobs
import Model

extension CronSchedule {
  /// The first due time after an instant; nil when there is none in 40 years.
  func nextDue(after instant: Instant, timeZone: TimeZone) -> Instant? {
    firstDue(after: instant, through: instant + .seconds(40 * 366 * 86_400), timeZone: timeZone)
  }
}
