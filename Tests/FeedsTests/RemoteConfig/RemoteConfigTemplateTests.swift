import Feeds
import Model
import Testing

@Suite("RemoteConfigTemplate")
struct RemoteConfigTemplateTests {
  private let now = Instant(unixSeconds: 1_767_600_000)

  private func settings(_ json: String) throws -> [String] {
    try RemoteConfigTemplate(json: Array(json.utf8), fetchedAt: now).settings
      .map { "\($0.wireName)=\($0.rawValue)" }
  }

  @Test func `default values are read and conditional ones are not`() throws {
    let json = #"""
      {"conditions":[{"name":"ios","expression":"device.os == 'ios'"}],
       "parameters":{
         "freeRefreshLimit":{"defaultValue":{"value":"5"},
           "conditionalValues":{"ios":{"value":"9"}},"valueType":"NUMBER","description":"d"},
         "welcome":{"defaultValue":{"value":"{\"a\":1}"},"valueType":"JSON"},
         "empty":{"defaultValue":{"value":""}}},
       "version":{"versionNumber":"42","updateTime":"2026-01-05T08:00:00Z"}}
      """#
    #expect(try settings(json) == ["empty=", "freeRefreshLimit=5", #"welcome={"a":1}"#])
  }

  @Test func `conditional values are listed with their conditions, those of groups too`() throws {
    let json = #"""
      {"conditions":[{"name":"ios","expression":"device.os == 'ios'","tagColor":"BLUE"}],
       "parameters":{"b":{"conditionalValues":{"lost":{"useInAppDefault":true},"ios":{"value":"9"}}}},
       "parameterGroups":{"g":{"parameters":{
         "b":{"conditionalValues":{"other":{"value":"1"}}},
         "a":{"defaultValue":{"value":"1"},"conditionalValues":{"ios":{"value":""}}}}}}}
      """#
    let template = try RemoteConfigTemplate(json: Array(json.utf8), fetchedAt: now)
    let expression = "device.os == 'ios'"
    #expect(
      template.conditionalSettings == [
        ConditionalSetting(wireName: "a", condition: "ios", expression: expression, rawValue: ""),
        ConditionalSetting(wireName: "b", condition: "ios", expression: expression, rawValue: "9"),
        ConditionalSetting(wireName: "b", condition: "lost", expression: "", rawValue: nil),
      ])
  }

  @Test func `values that Firebase decides on are listed with kind, value and share, not used`()
    throws
  {
    let json = #"""
      {"conditions":[{"name":"ios","expression":"device.os == 'ios'"}],
       "parameters":{
         "roll":{"defaultValue":{"rolloutValue":{"rolloutId":"r1","value":"7","percent":100}},
           "conditionalValues":{"ios":{"rolloutValue":{"value":"8","percent":12.5}}}},
         "test":{"defaultValue":{"experimentValue":{"experimentId":"e","variantValue":[
           {"variantId":"a","value":"5"},{"variantId":"b","noChange":true}],"exposurePercent":10}}},
         "who":{"defaultValue":{"personalizationValue":{"personalizationId":"p"}}},
         "plain":{"defaultValue":{"value":"1"}}}}
      """#
    let template = try RemoteConfigTemplate(json: Array(json.utf8), fetchedAt: now)
    #expect(template.settings.map(\.wireName) == ["plain"])
    #expect(
      template.conditionalSettings == [
        ConditionalSetting(
          wireName: "roll", condition: "", expression: "", rawValue: "7", kind: .rollout,
          percent: 100),
        ConditionalSetting(
          wireName: "roll", condition: "ios", expression: "device.os == 'ios'", rawValue: "8",
          kind: .rollout, percent: 12.5),
        ConditionalSetting(
          wireName: "test", condition: "", expression: "", rawValue: "a = 5, b = no change",
          kind: .experiment, percent: 10),
        ConditionalSetting(
          wireName: "who", condition: "", expression: "", rawValue: nil, kind: .personalization),
      ])
    #expect(
      template.conditionalSettings.map(\.kindWords) == [
        "rollout 100 %", "rollout 12.5 %", "experiment 10 %", "personalization",
      ])
  }

  @Test func `every setting tells its source and time`() throws {
    let json = #"{"parameters":{"a":{"defaultValue":{"value":"1"}}}}"#
    let template = try RemoteConfigTemplate(json: Array(json.utf8), fetchedAt: now)
    #expect(
      template.settings == [
        FetchedSetting(wireName: "a", rawValue: "1", source: .remoteConfig, fetchedAt: now)
      ])
  }

  @Test func `groups are merged, and what is outside of them wins`() throws {
    let json = #"""
      {"parameters":{"a":{"defaultValue":{"value":"outside"}}},
       "parameterGroups":{
         "g":{"parameters":{"a":{"defaultValue":{"value":"g"}},"b":{"defaultValue":{"value":"2"}}}},
         "h":{"description":"empty"}}}
      """#
    #expect(try settings(json) == ["a=outside", "b=2"])
  }

  @Test(arguments: [
    #"{"parameters":{"a":{"defaultValue":{"useInAppDefault":true}}}}"#,
    #"{"parameters":{"a":{"conditionalValues":{"ios":{"value":"9"}}}}}"#,
    #"{"parameters":{}}"#, "{}",
  ])
  func `a parameter without a default value is left out`(json: String) throws {
    #expect(try settings(json) == [])
  }

  @Test(arguments: [
    "", "[]", "null", "<html></html>", #"{"parameters":[]}"#, #"{"parameters":{"a":5}}"#,
    #"{"parameters":{"a":{"defaultValue":{"value":5}}}}"#, #"{"parameters":{"a":{"#,
  ])
  func `another shape is an error, never an empty template`(json: String) {
    let error = #expect(throws: FeedError.self) { try settings(json) }
    #expect(
      error == .malformed(feed: "Remote Config", reason: "it is not a Remote Config template"))
  }
}
