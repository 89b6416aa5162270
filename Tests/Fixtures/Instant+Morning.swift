package import Model

extension Instant {
  /// 2026-01-31T08:00:00Z, the morning that the tests live in.
  package static let morning = Instant(unixSeconds: 1_769_846_400)
}
