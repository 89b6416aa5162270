import Rules

/// A paywall as a block of text.
enum PaywallText {
  static func block(_ paywall: Paywall) -> String {
    let banner = [paywall.banner].compactMap(\.self)
    let benefits = paywall.benefits.map { "  ★ \($0)" }
    return
      (banner + [paywall.header] + benefits + [
        "Premium: \(paywall.premiumDescription)", "Free: \(paywall.freeDescription)",
      ]).joined(separator: "\n")
  }
}
