extension Duration {
  /// Whole microseconds, rounded towards zero and clamped to 64 bits.
  package var microseconds: Int64 {
    components.seconds.multipliedOrClamped(by: 1_000_000)
      .addingOrClamped(components.attoseconds / 1_000_000_000_000)
  }

  /// Seconds with their fraction, to the microsecond.
  package var fractionalSeconds: Double {
    Double(microseconds) / 1_000_000
  }

  /// Whole seconds, rounded up, so that a countdown shows 0:00 only at its end.
  package var wholeSecondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    return attoseconds > 0 ? seconds + 1 : seconds
  }

  /// `120 s`, or with milliseconds when there are any: `0.501 s`, `-1.500 s`.
  ///
  /// Cut to the millisecond.
  package var secondsText: String {
    let milliseconds = (microseconds / 1_000).magnitude
    let sign = microseconds <= -1_000 ? "-" : ""
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    guard rest != 0 else { return "\(sign)\(seconds) s" }
    return "\(sign)\(seconds).\(String(1_000 + rest).dropFirst()) s"
  }

  /// Minutes and seconds as a countdown shows them: `2:00`, `0:09`, `61:01`.
  ///
  /// Rounded up to a whole second; `0:00` for zero and below.
  package var countdownText: String {
    let (minutes, seconds) = max(0, wholeSecondsRoundedUp).quotientAndRemainder(dividingBy: 60)
    return seconds < 10 ? "\(minutes):0\(seconds)" : "\(minutes):\(seconds)"
  }
}
