/// The foot of a page: the notes, and where the same numbers are in other forms.
struct Colophon {
  let page: Page

  func write() {
    let name = page.report.name
    page.out.element("footer", .class("colophon")) {
      if page.report.hasMarkedCells {
        page.out.element("p", .id("small-counts"), text: CellWords.smallNote)
      }
      page.out.element("p") {
        page.out.text("The same numbers as ")
        link(name, .text, "plain text")
        page.out.text(", ")
        link(name, .json, "JSON")
        page.out.text(" and ")
        link(name, .csv, "CSV")
        page.out.text(". Written by Firetally; nothing on this page is loaded from elsewhere.")
      }
    }
  }

  private func link(_ name: Report.Name, _ format: ReportFormat, _ text: String) {
    page.out.element("a", .href(name, format), text: text)
  }
}
