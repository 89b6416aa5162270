import Model

extension Duration {
  /// Seconds with three decimals only when it is not a whole number of them: `120 s`, `0.501 s`.
  ///
  /// Cut to the millisecond, with a minus sign for what lies in the past.
  package var secondsText: String {
    let milliseconds = (microseconds / 1_000).magnitude
    let sign = microseconds <= -1_000 ? "-" : ""
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    guard rest != 0 else { return "\(sign)\(seconds) s" }
    return "\(sign)\(seconds).\(String(1_000 + rest).dropFirst()) s"
  }

  /// Minutes and seconds as a countdown shows them, rounded up to a whole second: `2:00`, `0:09`.
  ///
  /// What is over shows as `0:00`; an hour and more stays in minutes, `61:01`.
  package var countdownText: String {
    let (minutes, seconds) = max(0, wholeSecondsRoundedUp).quotientAndRemainder(dividingBy: 60)
    return seconds < 10 ? "\(minutes):0\(seconds)" : "\(minutes):\(seconds)"
  }
}
