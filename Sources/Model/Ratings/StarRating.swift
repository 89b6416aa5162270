/// One to five stars, with the app's text about each; docs/ratings.md#ratings.
package enum StarRating: Int, CaseIterable, Codable, Sendable {
  case one = 1
  case two, three, four, five

  package enum Colour: String, CaseIterable, Codable, Sendable {
    case red, orange, green
  }

  package var text: String {
    switch self {
    case .one: "Not meeting your expectations. Help us improve!"
    case .two: "Could be much better. Tell us how!"
    case .three: "It's okay, but needs improvement"
    case .four: "Great! Rate us on App Store"
    case .five: "Awesome! Share your love on App Store"
    }
  }

  package var emoji: String {
    switch self {
    case .one: "😞"
    case .two: "😕"
    case .three: "😐"
    case .four: "😊"
    case .five: "🤩"
    }
  }

  package var colour: Colour {
    switch self {
    case .one, .two: .red
    case .three: .orange
    case .four, .five: .green
    }
  }

  /// High ratings go to the App Store, low ones ask for feedback.
  package var isHigh: Bool { self >= .four }
}

extension StarRating: Comparable {
  package static func < (left: StarRating, right: StarRating) -> Bool {
    left.rawValue < right.rawValue
  }
}
