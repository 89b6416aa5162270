/// A titled part of a report, with an anchor that findings link to.
package struct Section: Sendable {
  /// Kebab-case, unique in its report.
  package var id: String
  package var title: String
  /// The sentence that says what the section is about, or found.
  package var lead: String
  package var blocks: [Block]

  package init(id: String, title: String, lead: String, blocks: [Block]) {
    self.id = id
    self.title = title
    self.lead = lead
    self.blocks = blocks
  }
}
