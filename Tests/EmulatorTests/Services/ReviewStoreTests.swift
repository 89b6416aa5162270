import Model
import Testing

@testable import Emulator

@Suite struct ReviewStoreTests {
  @Test func `a sign of XML is escaped whatever mark follows it`() {
    let review = AppReview(
      id: "1", appId: 7, country: "us", stars: 5, version: "1", author: "",
      title: "<\u{338}b>\u{301}&\u{301}", text: "", updatedAt: Instant(unixSeconds: 0))
    let page = ReviewFeedPage(country: "us", appId: 7, page: 1, lastPage: 1).text([review])
    let wanted = "<title>&lt;\u{338}b&gt;\u{301}&amp;\u{301}</title>"
    #expect(
      page.utf8.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(wanted.utf8) })
  }
}
