import Reports
import Testing

@testable import Jobs

@Suite struct QueryChoiceTests {
  @Test(arguments: [
    (QueryChoice.all, true), (.findings, false), (.index, false), (.pages([.usage]), false),
    (.pages([.index, .ratings, .users]), false), (.pages([.index, .limits]), true),
  ])
  func `other limits are replayed where the limits page is written`(
    choice: QueryChoice, showsWhatIf: Bool
  ) {
    #expect(choice.showsWhatIf == showsWhatIf)
  }
}
