/// The links of a past day's page to the copies before and after it.
///
/// The copy after a day is written later, and the one before it goes sooner, so each link stands in
/// an element of its own that can be written anew.
package enum PastDayLinks {
  package enum Side: String, CaseIterable, Sendable {
    case earlier, later
  }

  /// A page with another link on one side, or none; nil when nothing changes.
  package static func page(
    _ page: [UInt8], with link: PageLayout.PastLink?, on side: Side
  ) -> [UInt8]? {
    let text = String(decoding: page, as: UTF8.self)
    let start = "<span class=\"\(side.rawValue)\">"
    guard let opening = text.firstRange(of: start),
      let end = text[opening.upperBound...].firstRange(of: "</span>")?.lowerBound
    else { return nil }
    let content = link.map { words(of: $0, on: side) } ?? ""
    guard text[opening.upperBound..<end] != content else { return nil }
    return Array((text[..<opening.upperBound] + content + text[end...]).utf8)
  }

  /// Nothing in it needs to be escaped.
  private static func words(of link: PageLayout.PastLink, on side: Side) -> String {
    let address = "../\(link.day.iso8601)/\(link.page.rawValue).html"
    return " · <a href=\"\(address)\">\(title(of: link, on: side))</a>"
  }

  static func title(of link: PageLayout.PastLink, on side: Side) -> String {
    "The one \(side == .earlier ? "before" : "after"), of \(link.day.long)"
  }
}
