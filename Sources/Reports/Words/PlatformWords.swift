package import Model

/// Platforms in words.
package enum PlatformWords {
  /// `iOS` for `ios`.
  package static func title(_ platform: String) -> String {
    switch platform {
    case "ios": "iOS"
    case "android": "Android"
    default: VisibleText.line(VisibleText.clipped(platform, to: 20))
    }
  }

  /// `Not counted: 360 events of Android.`, and how they are counted; nil without any.
  package static func others(_ context: ReportContext) -> String? {
    guard !context.otherPlatforms.isEmpty else { return nil }
    let counts = context.otherPlatforms.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      "\(NumberWords.counted($0.value, "event")) of \(title($0.key))"
    }
    return "\(counts.joined(separator: ", ")) in this period; --platform all counts them"
  }
}
