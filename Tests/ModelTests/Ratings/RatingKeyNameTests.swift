import Testing

@testable import Model

/// Names of parameters by Google Analytics' rules: docs/ratings.md#names-in-keys.
@Suite struct RatingKeyNameTests {
  @Test(
    arguments: [
      ("ChatHub", "ChatHub"), ("My_App 2", "My_App2"),
      ("My Chat & Friends Forever App", "MyChatFriendsForeverA"),
      ("abcdefghijklmnopqrstu", "abcdefghijklmnopqrstu"),
      ("abcdefghijklmnopqrstuv", "abcdefghijklmnopqrstu"), ("Größe", "Gre"), ("聊天 7", "7"),
      ("The_after_Party", "TheafterParty"), ("Day_after", "Dayafter"), ("聊天", nil), ("__", nil),
      ("", nil),
    ] as [(String, String?)])
  func `the name in keys is what Google Analytics takes of the app's name`(
    name: String, found: String?
  ) {
    #expect(RatingKeyName.shortened(name) == found)
    #expect(found.map(RatingKeyName.isName) ?? true)
  }

  @Test(arguments: [
    "abcdefghijklmnopqrstuv", "a b", "a-b", "ä", "_", "", "x_after_y", "x_after", "after_x",
  ])
  func `another name of one's own is refused`(name: String) {
    #expect(!RatingKeyName.isName(name))
  }

  @Test(arguments: [0, 2, 999, 1_000, 9_223_372_036_854_775_807])
  func `the longest key has 40 characters, all of them legal, and is a rating`(tries: Int64) throws
  {
    let name = try #require(RatingKeyName.shortened("My Chat & Friends Forever App"))
    let submission = RatingRule.submit(
      .five, feedback: nil, counters: RatingCounters(tries: tries), appName: name)
    guard case .accepted(let outcome) = submission else {
      Issue.record("\(submission)")
      return
    }
    #expect(outcome.eventKeys.count == 2)
    for key in outcome.eventKeys {
      #expect(key.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]{0,39}/) != nil, "\(key)")
    }
    #expect(RatingParameter(outcome.eventKeys[0])?.stars == 5)
    #expect(RatingParameter(outcome.eventKeys[1]) == nil)
  }
}
