import Testing

@testable import Model

@Suite struct FeatureEventNameTests {
  @Test func `every platform, feature and kind survives its text`() throws {
    for feature in Feature.allCases {
      for kind in EventKind.allCases {
        let name = FeatureEventName(platform: "ios", feature: feature, kind: kind)
        #expect(FeatureEventName(name.text) == name)
      }
    }
    #expect(
      FeatureEventName(platform: "ios", feature: .refresh, kind: .popupShown).text
        == "ios_refresh_popup_shown")
  }

  @Test(arguments: [
    "", "app_events", "ios_refresh", "ios_refresh_", "_refresh_performed", "ios_login_performed",
    "ios_refresh_popup", "IOS_Refresh_performed",
  ])
  func `other names are not about a limited feature`(name: String) {
    #expect(FeatureEventName(name) == nil)
  }
}
