/// One piece of a section.
package enum Block: Sendable {
  case text(String)
  case figures([Figure])
  case table(Table)
  case chart(Chart)
  case definitions([Definition])
  case findings([Finding])
  case feedback(FeedbackList)
  case popups(PopupGallery)
  case contents([PageLink])
}

/// A word that the report uses in a settled sense.
package struct Definition: Hashable, Encodable, Sendable {
  package var term: String
  package var meaning: String

  package init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}

/// The way to another report, with what it says.
package struct PageLink: Hashable, Sendable {
  package var report: Report.Name
  package var title: String
  package var summary: String
  package var dataTime: Report.DataTime
}
