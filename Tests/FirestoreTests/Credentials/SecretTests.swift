import HTTP
import Testing

@testable import Firestore

@Suite("Secret")
struct SecretTests {
  @Test func `never shows, in whatever way it is printed`() {
    let token = AccessToken(secret: Secret("hunter2"), quotaProject: "q")
    var dumped = ""
    dump(token, to: &dumped)
    for text in [
      "\(token.secret)", String(reflecting: token.secret), "\(token)", String(reflecting: token),
      dumped, "\(token.headers)", String(reflecting: token.headers),
    ] {
      #expect(!text.contains("hunter2"))
    }
    #expect("\(token.secret)" == "***")
    #expect(token.headers["Authorization"] == "Bearer hunter2")
    #expect(token.headers["x-goog-user-project"] == "q")
    #expect(AccessToken(secret: Secret("a")).headers["x-goog-user-project"] == nil)
  }

  @Test func `a token is fresh until a minute before its end`() {
    let token = AccessToken(secret: Secret("a"), expiry: Timestamp(microseconds: 100_000_000))
    #expect(token.isFresh(at: Timestamp(microseconds: 39_999_999)))
    #expect(!token.isFresh(at: Timestamp(microseconds: 40_000_000)))
    #expect(AccessToken(secret: Secret("a")).isFresh(at: Timestamp(microseconds: .max)))
  }
}
