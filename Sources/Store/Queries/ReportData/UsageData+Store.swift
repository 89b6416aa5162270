package import Model

extension Readable {
  /// What the usage report needs: of the context's period, and of the one before it.
  ///
  /// The context's start should lie on a quarter of an hour: a bucket that it cuts counts events of
  /// both periods. One pass over the index `events_usage`, which holds all that is asked for.
  /// Of one user alone when an id is given; the newest event is everybody's.
  package func usageData(
    _ context: ReportContext, heaviest: Int, of userId: String? = nil
  ) throws -> UsageData {
    let usage = UsageReader(reader: reader)
    let answer = try usage.answer(
      from: context.previousStart, through: context.start, to: context.end, of: userId)
    return UsageData(
      buckets: answer.buckets,
      activeUsers: answer.users.count,
      previousActiveUsers: answer.previousUsers.count,
      heaviestUsers: try usage.named(answer.users.heaviest(heaviest)),
      newestEventAt: try newestEventAt(),
      subscriptions: answer.subscriptions)
  }
}
