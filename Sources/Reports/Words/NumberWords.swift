package import Model

/// Numbers as people read them: grouped by thousands, with a minus sign instead of a hyphen.
package enum NumberWords {
  /// `4,812`; `−12`.
  package static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "−" : ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// The number with exactly `places` decimals, its whole part grouped.
  package static func decimal(_ number: Double, places: Int) -> String {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    guard number.isFinite, let scaled = Int(exactly: (number.magnitude * Double(scale)).rounded())
    else { return "\(number)" }
    let sign = number < 0 && scaled > 0 ? "−" : ""
    guard places > 0 else { return sign + grouped(scaled) }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(sign)\(grouped(scaled / scale)).\(zeros)\(fraction)"
  }

  /// `38%`, `4.2%`; `–` for nil.
  package static func percent(_ percent: Double?) -> String {
    guard let percent else { return "–" }
    return decimal(percent, places: percent == percent.rounded() ? 0 : 1) + "%"
  }

  /// `1.20 USD`, `0.0150 USD`, `0.000150 USD`, `$1.20`: small amounts have more decimals.
  package static func money(_ money: Money) -> String {
    let places =
      switch money.amount.magnitude {
      case 0: 2
      case ..<0.01: 6
      case ..<1: 4
      default: 2
      }
    let amount = decimal(money.amount, places: places)
    guard !money.currency.isEmpty else { return amount }
    // A sign without a letter or digit at its end stands before the amount.
    let isSign = money.currency.last?.isLetter == false
    guard isSign else { return "\(amount) \(money.currency)" }
    return amount.hasPrefix("−")
      ? "−\(money.currency)\(amount.dropFirst())" : money.currency + amount
  }

  /// `1 day`, `4,812 days`; `many` defaults to `one` with an s.
  package static func counted(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// A size in units of a thousand, with two digits below ten: `512 B`, `1.2 MB`, `12 GB`.
  package static func bytes(_ bytes: Int64) -> String {
    var number = Double(bytes)
    var unit = "B"
    for larger in ["kB", "MB", "GB", "TB"] where abs(number) >= 999.5 {
      number /= 1_000
      unit = larger
    }
    guard unit != "B", abs(number) < 9.95 else { return "\(Int(number.rounded())) \(unit)" }
    return "\((number * 10).rounded() / 10) \(unit)"
  }

  /// A duration in its largest unit: `40 s`, `12 min`, `3 hours`, `5 days`.
  package static func roughly(seconds: Double) -> String {
    switch seconds {
    case ..<60: "\(Int(seconds)) s"
    case ..<5_400: "\(Int(seconds / 60)) min"
    case ..<172_800: counted(Int(seconds / 3_600), "hour")
    default: counted(Int(min(seconds / 86_400, 1e9)), "day")
    }
  }

  /// The duration of a run: `0.42 s`, `12.3 s`, `2 min 5 s`, `3 h 12 min`.
  package static func duration(seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e12).rounded())
    switch seconds {
    case ..<10: return "\(decimal(seconds, places: 2)) s"
    case ..<60: return "\(decimal(seconds, places: 1)) s"
    case ..<3_600: return "\(whole / 60) min \(whole % 60) s"
    default: return "\(grouped(whole / 3_600)) h \(whole % 3_600 / 60) min"
    }
  }

  /// `2:00`, `0:09`; seconds are rounded up, so that 0:00 means over.
  package static func countdown(seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e9).rounded(.up))
    return "\(whole / 60):\(CivilDay.twoDigits(whole % 60))"
  }
}

extension ReadPrice {
  /// `0.06 USD per 100,000 reads`.
  var words: String { "\(per100kReads) \(currency) per 100,000 reads" }

  /// What figures of costs take, and where to set it when the workspace does not name its own.
  func words(isOwn: Bool) -> String {
    "at the price of each run's day; now "
      + (isOwn
        ? words : "the example of \(words): set yours as cost.per_100k_reads in firetally.yml")
  }
}
