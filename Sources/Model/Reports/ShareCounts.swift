/// Counts of people by what their events say of them, one thing or two at a time, day by day:
/// docs/shares.md.
///
/// The days are the last `UsageData.partDays` of a history, oldest first.
package struct ShareCounts: Hashable, Sendable {
  package enum Dimension: String, CaseIterable, Sendable {
    case country, language, version, platform
    case userType = "user-type"
    /// Six hours of the day, of events alone: `18 to 24`.
    case hours
  }

  /// People whose first event of the day, or whose document, has the same value.
  package struct Part: Hashable, Sendable {
    package var dimension: Dimension
    /// Empty without a value.
    package var value: String

    package init(_ dimension: Dimension, _ value: String) {
      self.dimension = dimension
      self.value = value
    }

    /// By bytes, as people are counted: two spellings of an accent are two values.
    package static func == (left: Part, right: Part) -> Bool {
      left.dimension == right.dimension && left.value.hasSameBytes(as: right.value)
    }
  }

  /// What is counted of the people of a day, each of them once.
  package enum Measure: Int, CaseIterable, Sendable {
    case people, newcomers
    /// By the newest user type of the day; `lost` are free after they were subscribers.
    case free, subscribers, lost
    /// People who tapped anything, and those without any action after it.
    case tapping, failed
    /// People who tapped when a limit could block them, and those whom it blocked.
    case limited, blocked
    /// People who saw a popup as free users, and those who tapped its subscription button.
    case popups, subscriptionTaps
  }

  /// A popup or a tap of its subscription button, by what it says.
  package struct Offer: Hashable, Sendable {
    package var feature: Feature
    /// Nil where the event names none above 0.
    package var limit: Int?
    /// As it was shown; empty for none.
    package var price: String

    package init(feature: Feature, limit: Int?, price: String) {
      self.feature = feature
      self.limit = limit
      self.price = price
    }
  }

  /// A field of users' documents that is blank or not.
  package enum Field: String, CaseIterable, Sendable {
    case age, gender, country, language
  }

  /// By no part (all people), one or two: each measure, by its raw value, day by day.
  package var cells: [[Part]: [[Int]]] = [:]
  /// Offers of each day; empty where they are not known.
  package var offers: [Offer: [Int]] = [:]
  /// Filters of each day that say how many people they found, and those that found nobody; empty
  /// where they are not known.
  package var filters: [Int] = []
  package var filtersWithoutResult: [Int] = []
  /// Users by the day on which they were last seen, and of these how many documents lack a field.
  package var lastSeen: [Int] = []
  package var blankFields: [Field: [Int]] = [:]
  /// Lines that came on the morning after each day, and how many of them are dated before the days
  /// that an earlier import had brought; empty where they are not known.
  package var importedLines: [Int] = []
  package var lateLines: [Int] = []

  package init() {}

  /// Zeros where there is no such cell.
  package func counts(_ measure: Measure, of parts: [Part]) -> [Int] {
    cells[parts]?[measure.rawValue] ?? []
  }
}
