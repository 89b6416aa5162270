/// The foot of a page: the notes, and where the same numbers are in other forms.
struct Colophon {
  let page: Page

  /// - Parameter hasMarkedCells: whether the mark of small counts needs its note.
  func write(hasMarkedCells: Bool) {
    page.out.element("footer", .class("colophon")) {
      if hasMarkedCells {
        page.out.element("p", .id("small-counts"), text: CellWords.smallNote)
      }
      page.out.element("p") {
        otherForms()
        page.out.text("Written by Firetally; nothing on this page is loaded from elsewhere.")
      }
    }
  }

  private func otherForms() {
    let others: [(format: ReportFormat, words: String)] = [
      (.text, "plain text"), (.json, "JSON"), (.csv, "CSV"),
    ].filter { page.layout.formats.contains($0.format) }
    guard !others.isEmpty else { return }
    page.out.text("The same numbers as ")
    for (index, other) in others.enumerated() {
      if index > 0 { page.out.text(index == others.count - 1 ? " and " : ", ") }
      page.out.element("a", .href(page.report.name, other.format), text: other.words)
    }
    page.out.text(". ")
  }
}
