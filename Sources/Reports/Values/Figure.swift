/// One number with its own place on the page.
package struct Figure: Hashable, Sendable {
  /// Kebab-case, unique in its row of figures.
  package var id: String
  package var label: String
  package var value: Cell
  /// The value as a part of a whole, which `note` names; nil when it is no part.
  package var share: Ratio?
  /// What the value counts, or the whole of its share; nil when the label says it.
  package var note: String?
  /// The change since the period before; nil when there is nothing to compare.
  package var change: PeriodChange?
  /// What the change is told of when that is not the value, or why there is none; nil otherwise.
  package var changeNote: String?
  /// The value on each day of the period, oldest first, with nil for a day of which nothing is
  /// known; nil for a value without days.
  package var trend: [Int?]?
  /// Whether its change is counted from events, of which days may be unknown.
  package var isOfEvents = false
  /// The id of the section that explains the number; nil when none does.
  package var section: String?
  /// The report of that section, for a figure on another page; nil on its own page.
  package var report: Report.Name?

  /// A change, or why there is none.
  package struct Change: Hashable, Sendable {
    package var change: PeriodChange?
    package var note: String?
    package var isOfEvents: Bool

    package init(_ change: PeriodChange?, note: String? = nil, isOfEvents: Bool = false) {
      self.change = change
      self.note = note
      self.isOfEvents = isOfEvents
    }
  }

  /// The same figure with a change.
  package func compared(_ change: Change) -> Figure {
    var figure = self
    figure.change = change.change
    figure.changeNote = change.note
    figure.isOfEvents = change.isOfEvents
    return figure
  }

  /// The trend of three or more days, if any of its numbers is not 0.
  var drawnTrend: [Int?]? {
    trend.flatMap { trend in
      trend.count > 2 && trend.contains { ($0 ?? 0) != 0 } ? trend : nil
    }
  }
}
