import Model
import Sync
import Testing

@testable import Firestore
@testable import Jobs

struct AccountMappingTests {
  private let hash = ContactHash(KeyedHash(low: 1, high: 2))

  private var account: Account {
    var account = Account(uid: "u1")
    account.email = "Erika@Example.com"
    account.phone = "+491511"
    account.passwordHash = "aGFzaA=="
    account.salt = "c2FsdA=="
    return account
  }

  private func row(
    _ account: Account, _ mapping: AccountMapping
  ) -> (user: AuthUser, notes: [String: Int]) {
    var notes: [String: Int] = [:]
    let user = mapping.row(of: account, notes: &notes)
    return (user, notes)
  }

  @Test func `contacts are hashed and secrets left out unless the job asks for them`() {
    let (user, notes) = row(account, AccountMapping(contactHash: hash))
    #expect(user.email == nil && user.emailHash == hash.email("erika@example.com"))
    #expect(user.phone == nil && user.phoneHash == hash.phone("+491511"))
    #expect(user.passwordHash == nil && user.salt == nil && notes.isEmpty)
  }

  @Test func `what the job asks for is kept as it came`() {
    let mapping = AccountMapping(
      options: SyncAuthOptions(email: .plain, phone: .none, keepsPasswordHashes: true))
    let user = row(account, mapping).user
    #expect(user.email == "Erika@Example.com" && user.emailHash == nil)
    #expect(user.phone == nil && user.phoneHash == nil)
    #expect(user.passwordHash == "aGFzaA==" && user.salt == "c2FsdA==")
  }

  @Test(arguments: [
    (#"{"tier":"pro"}"#, Tier?.some(.pro), String?.none),
    (#"{"tier":"gold"}"#, .plus, nil),
    (#"{}"#, nil, nil), (#"{"tier":null}"#, nil, nil), (#"{"admin":true}"#, nil, nil),
    (#"{"tier":3}"#, nil, "the claim tier that is a number"),
    (#"{"tier":true}"#, nil, "the claim tier that is true or false"),
    (#"{"tier":["pro"]}"#, .pro, nil), (#"{"tier":["gold","coins",3]}"#, .plus, nil),
    (#"{"tier":["pro","gold"]}"#, .pro, nil), (#"{"tier":["gold","pro"]}"#, .pro, nil),
    (#"{"tier":[]}"#, nil, nil), (#"{"tier":[["pro"]]}"#, nil, "the claim tier that is a list"),
    (#"{"tier":["coins",3]}"#, nil, "the claim tier that names no tier"),
    (#"{"tier":{"name":"pro"}}"#, nil, "the claim tier that is a map"),
    (#"{"tier":"diamond"}"#, nil, "the claim tier that names no tier"),
  ])
  func `the claim gives the tier, or is noted, and is kept either way`(
    claims: String, tier: Tier?, note: String?
  ) {
    var account = Account(uid: "u1")
    account.customAttributes = claims
    let (user, notes) = row(
      account,
      AccountMapping(options: SyncAuthOptions(tierWords: ["gold": .plus]), contactHash: hash))
    #expect(user.namesOtherTier == (note != nil))
    #expect(user.tier == tier && user.claims == claims)
    #expect(notes == (note.map { [$0: 1] } ?? [:]))
  }

  @Test(arguments: [
    (#"{"plan":{"name":"lite"}}"#, Tier?.some(.lite), String?.none),
    (#"{"plan":{}}"#, nil, nil),
    (#"{"plan":"lite"}"#, nil, "the claim plan.name that is a text"),
  ])
  func `a claim inside a map is found by its path`(claims: String, tier: Tier?, note: String?) {
    var account = Account(uid: "u1")
    account.customAttributes = claims
    let (user, notes) = row(
      account, AccountMapping(options: SyncAuthOptions(tierClaim: "plan.name")))
    #expect(user.tier == tier && notes == (note.map { [$0: 1] } ?? [:]))
  }

  @Test(arguments: [#"["tier"]"#, #"{"tier":"#, "7", #"say "hi""#])
  func `claims that are no object are kept as a JSON string and noted`(text: String) throws {
    var account = Account(uid: "u1")
    account.customAttributes = text
    let (user, notes) = row(account, AccountMapping())
    let kept = try JSON(parsing: Array(try #require(user.claims).utf8))
    #expect(kept == .string(text) && user.tier == nil && user.namesOtherTier)
    #expect(notes == ["customAttributes that are not a JSON object": 1])
  }
}
