package import Model

extension Readable {
  /// What the usage report needs: of the frame's period, and of the one before it.
  ///
  /// The frame's start should lie on a quarter of an hour: a bucket that it cuts counts events of
  /// both periods. Each question is one pass over the index `events_usage`, which holds all that it
  /// asks for, in the order of the groups.
  package func usageFacts(_ frame: ReportFrame, heaviest: Int) throws -> UsageFacts {
    let usage = UsageQuestion(reader: reader)
    return UsageFacts(
      buckets: try usage.buckets(from: frame.previousStart, to: frame.end),
      activeUsers: try usage.activeUsers(from: frame.start, to: frame.end),
      previousActiveUsers: try usage.activeUsers(from: frame.previousStart, to: frame.start),
      heaviestUsers: try usage.heaviestUsers(from: frame.start, to: frame.end, limit: heaviest),
      newestEventAt: try newestEventAt())
  }
}
