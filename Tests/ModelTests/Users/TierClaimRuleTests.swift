import Model
import Testing

@Suite struct TierClaimRuleTests {
  @Test(arguments: [
    (TierClaimRule.Claim.absent, TierClaimRule.Decision.none),
    (.text("free"), .tier(.free)), (.text("lite"), .tier(.lite)), (.text("plus"), .tier(.plus)),
    (.text("pro"), .tier(.pro)), (.text("Pro"), .unknownWord("Pro")), (.text(""), .unknownWord("")),
    (.text("gold"), .tier(.plus)), (.text("trial"), .tier(.free)),
    (.other("a number"), .wrongType("a number")),
  ])
  func `a claim names a tier by its name or by a word of the app's`(
    claim: TierClaimRule.Claim, decision: TierClaimRule.Decision
  ) {
    #expect(TierClaimRule.decide(claim, words: ["gold": .plus, "trial": .free]) == decision)
  }

  @Test func `a word of the app's wins over a tier's name`() {
    #expect(TierClaimRule.decide(.text("pro"), words: ["pro": .lite]) == .tier(.lite))
  }
}

@Suite struct ContactHashTests {
  private let hash = ContactHash(KeyedHash(low: 1, high: 2))

  @Test func `spellings of one address have one hash of 16 digits`() {
    let known = hash.email("erika@example.com")
    #expect(known.utf8.count == 16)
    for spelling in ["Erika@Example.COM", " erika@example.com\n"] {
      #expect(hash.email(spelling) == known)
    }
    #expect(hash.email("erika@example.org") != known)
  }

  @Test func `a number and an address of one text differ, and so do two keys`() {
    #expect(hash.phone("+491511") != hash.email("+491511"))
    #expect(hash.phone("+491511") != ContactHash(KeyedHash(low: 1, high: 3)).phone("+491511"))
  }
}
