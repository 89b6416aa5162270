import Fixtures
import Model
import Testing

@Suite("Skipped users")
struct SkipRuleTests {
  private func reason(_ id: String, _ name: String = "Ana", own: String? = "me-1") -> SkipReason? {
    Array(id.utf8).withUnsafeBytes { id in
      Array(name.utf8).withUnsafeBytes { name in
        Array((own ?? "").utf8).withUnsafeBytes { SkipRule.reason(id: id, name: name, ownId: $0) }
      }
    }
  }

  @Test func `an ordinary user stays`() {
    #expect(reason("u42") == nil)
  }

  @Test func `the own user is skipped, but only for an exact id, and only when one is known`() {
    #expect(reason("me-1") == .ownUser)
    #expect(reason("me-12") == nil)
    #expect(reason("me-") == nil)
    #expect(reason("ME-1") == nil)
    #expect(reason("me-1", own: nil) == nil)
    #expect(reason("", own: nil) == .shortId)
    #expect(reason("", own: "") == .shortId)
  }

  @Test func `an empty name is skipped, white space is a name`() {
    #expect(reason("u42", "") == .emptyName)
    #expect(reason("u42", " ") == nil)
  }

  @Test(arguments: [
    ("", true), ("a", true), ("ab", true), ("abc", false), ("日本", true), ("日本語", false),
    ("e\u{301}", true), ("e\u{301}x", false), ("👩‍👩", false), ("😀😀", true),
    ("ab\u{0}cd", true), ("abc\u{0}", false),
  ])
  func `an id needs three characters, counted as Unicode scalars`(id: String, isShort: Bool) {
    #expect(reason(id) == (isShort ? .shortId : nil))
  }

  @Test(arguments: [
    ("_ad_", true), ("x_ad_", true), ("_ad_7", true), ("native_ad_12", true), ("__ad_", true),
    ("_ad", false), ("ad_", false), ("_AD_1", false), ("madison", false), ("-ad-12", false),
  ])
  func `an id with _ad_ in it is an advertisement, literally and in this case`(
    id: String, isAd: Bool
  ) {
    #expect(reason(id) == (isAd ? .adId : nil))
  }

  @Test func `the first reason in the order of the rule counts`() {
    #expect(reason("me-1", "", own: "me-1") == .ownUser)
    #expect(reason("a", "") == .emptyName)
    #expect(reason("_ad_", "", own: "_ad_") == .ownUser)
  }

  @Test func `the run counts by stable names`() {
    let reasons: [SkipReason] = [.ownUser, .emptyName, .shortId, .adId, .badField("User_age")]
    #expect(
      reasons.map(\.id) == ["own-user", "empty-name", "short-id", "ad-id", "bad-field:User_age"])
  }

  @Test(arguments: Array<UInt64>(1...20))
  func `bytes are judged as the string is`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["", "a", "_ad_", "_a", "d_", "é", "e\u{301}", "日", "👩‍👩‍👧", "\u{0}", " ", "own"]
    func text() -> String {
      (0..<Int.random(in: 0..<4, using: &random))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
    }
    for _ in 0..<500 {
      let (id, name, own) = (text(), text(), text())
      let expected = expectedReason(id: id, name: name, own: own)
      #expect(reason(id, name, own: own) == expected, "seed \(seed)")
    }
  }

  /// The rule once more, in the slow words of strings.
  private func expectedReason(id: String, name: String, own: String) -> SkipReason? {
    if !own.isEmpty, Array(id.utf8) == Array(own.utf8) { return .ownUser }
    if name.unicodeScalars.isEmpty { return .emptyName }
    if id.unicodeScalars.prefix(while: { $0 != "\u{0}" }).count < 3 { return .shortId }
    let scalars = Array(id.unicodeScalars)
    let mark = Array("_ad_".unicodeScalars)
    let isAd = scalars.indices.contains { scalars[$0...].starts(with: mark) }
    return isAd ? .adId : nil
  }
}
