package import Model

extension Readable {
  /// What the usage report needs: of the context's period, of the one before it, and of `days`.
  ///
  /// The context's start should lie on a quarter of an hour: a bucket that it cuts counts events of
  /// both periods. One pass over the index `events_usage`, which holds all that is asked for.
  /// Of one user alone when an id is given; the newest event and the ledger's begin are everybody's. Days
  /// follow each other, oldest first; their coverage is still to be judged.
  package func usageData(
    _ context: ReportContext, heaviest: Int, of userId: String? = nil,
    days: [Range<Instant>] = []
  ) throws -> UsageData {
    let (main, today) = (context.comparison.main, context.comparison.today)
    let none = context.start..<context.start
    let answer = try UsageReader(reader: reader).answer(
      UsageReader.Question(
        period: context.start..<context.end, before: context.previousStart..<context.start,
        peopleSpans: [main?.current, main?.previous, today?.current, today?.previous].map {
          $0 ?? none
        },
        days: days, now: context.now, userId: userId),
      heaviest: heaviest)
    var data = UsageData(
      buckets: answer.buckets, activeUsers: answer.activeUsers,
      previousActiveUsers: answer.people[1], heaviestUsers: answer.heaviestUsers,
      newestEventAt: try newestEventAt())
    data.comparedActiveUsers = answer.people[0]
    data.activeUsersToday = answer.people[2]
    data.activeUsersTodayBefore = answer.people[3]
    data.ledgerBeginsAt = try ledgerBeginsAt()
    data.history.days = try completed(answer.days, of: userId)
    return data
  }
}
