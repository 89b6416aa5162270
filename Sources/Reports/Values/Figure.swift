/// One number worth its own place on the page.
package struct Figure: Hashable, Sendable {
  /// Kebab-case, unique among the figures it stands with.
  package var id: String
  package var label: String
  package var value: Cell
  /// What part of something larger the value is, which `note` then names; nil when it is none.
  package var share: Ratio?
  /// What the value is counted in or from; nil when the label says it.
  package var note: String?
  /// Against the previous period of the same length; nil when there is nothing to compare.
  package var change: Change?
  /// The course of the value: one number for each day of the period, oldest first; nil without one.
  package var trend: [Int]?
  /// The id of the section that explains the number; nil when none does.
  package var section: String?
  /// The report of that section, where the figure stands on another page; nil on its own.
  package var report: Report.Name?

  package init(
    id: String, label: String, value: Cell, share: Ratio? = nil, note: String? = nil,
    change: Change? = nil, trend: [Int]? = nil, section: String? = nil
  ) {
    self.id = id
    self.label = label
    self.value = value
    self.share = share
    self.note = note
    self.change = change
    self.trend = trend
    self.section = section
  }

  /// The course where there is something to draw; nil of nothing but zeros.
  var drawnTrend: [Int]? {
    trend.flatMap { trend in trend.contains { $0 != 0 } ? trend : nil }
  }
}
