/// Notices that pages come again, whatever the number of pages between, by keeping one name only.
///
/// It is Brent's search for cycles: the name kept is that of page 1, 2, 4, 8 and so on, so a loop is
/// found before it has run four times its length.
struct PageLoop: Sendable {
  private var landmark: String?
  private var pageCount = 0
  private var nextLandmark = 1

  /// Whether the page that ends with this document has come before.
  ///
  /// In one pull each document comes once, so no two pages end with the same.
  mutating func closes(with name: String) -> Bool {
    guard name != landmark else { return true }
    pageCount += 1
    if pageCount == nextLandmark {
      landmark = name
      nextLandmark *= 2
    }
    return false
  }
}
