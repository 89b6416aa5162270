import Model

extension Instant {
  /// The time from `earlier` to this instant, negative when it is later; never overflows.
  func elapsed(since earlier: Instant) -> Duration {
    .microseconds(microseconds) - .microseconds(earlier.microseconds)
  }

  /// This instant moved forward by `duration`, at most to the last one that 64 bits can count.
  func advanced(by duration: Duration) -> Instant {
    let (sum, overflow) = microseconds.addingReportingOverflow(duration.microseconds)
    return Instant(microseconds: overflow ? .max : sum)
  }
}
