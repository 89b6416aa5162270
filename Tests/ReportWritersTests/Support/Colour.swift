import Foundation

/// A colour of the style sheet, for checks of contrast.
struct Colour {
  /// Red, green and blue from 0 to 255.
  private let parts: [Double]

  /// Six hexadecimal digits.
  init?(_ hex: some StringProtocol) {
    guard hex.count == 6, let value = Int(hex, radix: 16) else { return nil }
    parts = [value >> 16 & 255, value >> 8 & 255, value & 255].map(Double.init)
  }

  private init(parts: [Double]) {
    self.parts = parts
  }

  /// The colour under another one of the given opacity.
  func under(_ other: Colour, share: Double) -> Colour {
    Colour(parts: zip(parts, other.parts).map { $0 * (1 - share) + $1 * share })
  }

  private var luminance: Double {
    let linear = parts.map { part -> Double in
      let share = part / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  /// After WCAG 2.2, "contrast ratio".
  func contrast(to other: Colour) -> Double {
    let (high, low) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (high + 0.05) / (low + 0.05)
  }
}
