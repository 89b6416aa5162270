import Model
import Testing

@Suite struct RatingDialogTests {
  private func dialog(_ step: RatingDialog.Step) -> RatingDialog {
    RatingDialog(step, appName: "ChatHub")
  }

  @Test func `before the first star there is nothing to submit`() {
    let dialog = dialog(.stars(nil))
    #expect(dialog.title == "Rate ChatHub" && dialog.stars == nil)
    #expect(dialog.buttons.map(\.title) == ["Maybe Later", "Submit"])
    #expect(dialog.buttons.map(\.isEnabled) == [true, false])
    #expect(dialog.typed == nil && dialog.counter == nil && dialog.outcome == nil)
  }

  @Test(arguments: StarRating.allCases)
  func `with a star both buttons work`(stars: StarRating) {
    #expect(dialog(.stars(stars)).stars == stars)
    #expect(dialog(.stars(stars)).buttons.map(\.isEnabled) == [true, true])
  }

  @Test(arguments: [
    (0, "0/500", false), (9, "9/500", false), (10, "10/500", true), (500, "500/500", true),
    (501, "501/500", false),
  ])
  func `feedback can be submitted from 10 to 500 characters, those around it not counted`(
    count: Int, counter: String, isAccepted: Bool
  ) {
    let dialog = dialog(.feedback(.two, typed: " \(String(repeating: "ä", count: count))\n"))
    #expect(dialog.counter == counter)
    #expect(dialog.buttons.map(\.title) == ["Submit"])
    #expect(dialog.buttons.map(\.isEnabled) == [isAccepted])
    #expect((dialog.problem == nil) == isAccepted)
  }

  @Test func `after Submit low ratings are on their way, high ones are at the App Store`() {
    for stars in StarRating.allCases {
      let dialog = dialog(.submitted(stars))
      #expect(dialog.buttons.isEmpty && dialog.stars == stars)
      #expect(dialog.outcome?.contains("App Store") == stars.isHigh)
    }
  }
}
