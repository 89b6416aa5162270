import Firestore
import Testing

@Suite("The order of document names")
struct NameOrderTests {
  @Test("names come segment by segment, parents first, numbered ids before all others")
  func order() {
    let sorted = [
      "C/__id-5__", "C/__id2__", "C/__id2__/D/x", "C/__id10__", "C/A", "C/__id__", "C/__idx__",
      "C/a", "C/a/D/b", "C/a b", "C/a-", "C/é", "C/\u{FFFF}", "C/😀", "D/a",
    ]
    for (left, name) in sorted.enumerated() {
      for (right, other) in sorted.enumerated() {
        let order = NameOrder.compare(name, other)
        #expect(order.signum() == (left - right).signum(), "\(name) \(other)")
      }
    }
  }
}
