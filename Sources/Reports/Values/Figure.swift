/// One number worth its own place on the page.
package struct Figure: Hashable, Sendable {
  /// Kebab-case, unique among the figures it stands with.
  package var id: String
  package var label: String
  package var value: Cell
  /// What the value is counted in or from; nil when the label says it.
  package var note: String?
  /// Against the previous period of the same length; nil when there is nothing to compare.
  package var change: Change?

  package init(
    id: String, label: String, value: Cell, note: String? = nil, change: Change? = nil
  ) {
    self.id = id
    self.label = label
    self.value = value
    self.note = note
    self.change = change
  }
}
