/// Why a text is no cron schedule.
package struct CronSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
}
