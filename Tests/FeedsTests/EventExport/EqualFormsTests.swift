import Fixtures
import Model
import Testing

@testable import Feeds
@testable import HTTP

/// Other servers' answers in every legal way of writing them: what is read of them is the same.
@Suite("Equal forms of JSON") struct EqualFormsTests {
  private let now = Instant.morning

  private static let event = #"""
    {"event_date":"20260105","event_timestamp":"1767600000123456","event_name":"ios_refresh_é",
    "event_params":[{"key":"ios_user_id","value":{"string_value":"u\"1"}},
    {"key":"n","value":{"int_value":"1767599000"}},{"key":"whole","value":{"int_value":500}},
    {"key":"seconds","value":{"double_value":12.5}},{"key":"three","value":{"double_value":3}},
    {"key":"engaged","value":{"string_value":null,"int_value":null,"float_value":2}}],
    "user_id":"u1","user_pseudo_id":"p1","is_active_user":true,"items":[],
    "geo":{"city":"Köln","country":"Germany"},"app_info":{"id":"x","version":"2.1.0"}}
    """#

  private static let expectedContent = Result {
    try ExportFile.content(event.replacing("\n", with: " "))
  }

  @Test(arguments: FuzzCases.seeds(60, orMany: 400))
  func `a line of the GA4 export becomes the same event`(seed: UInt64) throws {
    let expected = try Self.expectedContent.get()
    #expect(expected.events.count == 1)
    // A line of an export ends at its first line feed.
    let form = try JSONForms.form(of: Self.event, seed: seed).map { $0 == 0x0A ? 0x20 : $0 }
    let content = try ExportFile.content(String(decoding: form, as: UTF8.self))
    #expect(content.events == expected.events, "seed \(seed): \(content.rejections)")
  }

  private static let template = #"""
    {"conditions":[{"name":"ios","expression":"device.os == 'ios'"}],"parameters":{
    "freeRefreshLimit":{"defaultValue":{"value":"5"},"valueType":"NUMBER"},
    "welcome é":{"defaultValue":{"value":"{\"a\":1}"},"valueType":"JSON"},
    "own":{"defaultValue":{"useInAppDefault":true}}},"parameterGroups":{"g":{"parameters":{
    "freeFilterLimit":{"defaultValue":{"value":"7"}}}}},"version":{"versionNumber":"42"}}
    """#

  @Test(arguments: FuzzCases.seeds(60, orMany: 200))
  func `a Remote Config template has the same settings`(seed: UInt64) throws {
    let expected = try RemoteConfigTemplate(json: Array(Self.template.utf8), fetchedAt: now)
    #expect(expected.settings.count == 3)
    let form = try JSONForms.form(of: Self.template, seed: seed)
    #expect(try RemoteConfigTemplate(json: form, fetchedAt: now) == expected, "seed \(seed)")
  }

  private static let refusal =
    #"{"error":{"code":"DAILY_LIMIT_REACHED","message":"no é"},"meta":{"limit":30,"isPremium":false}}"#

  @Test(arguments: FuzzCases.seeds(60, orMany: 200))
  func `a refusal of the moments service means the same`(seed: UInt64) throws {
    func read(_ body: [UInt8]) -> MomentRefusal {
      MomentRefusal(HTTPResponse(status: 403, body: body), now: 0)
    }
    let expected = read(Array(Self.refusal.utf8))
    #expect(expected.limit == 30)
    let form = try JSONForms.form(of: Self.refusal, seed: seed)
    #expect(read(form) == expected, "seed \(seed): \(String(decoding: form, as: UTF8.self))")
  }

  private static let id = "6f9619ff-8b86-4011-b42d-00c04fc964ff"

  @Test(arguments: FuzzCases.seeds(20, orMany: 40))
  func `a moment that was taken, and a place, are the same`(seed: UInt64) async throws {
    let moment = try JSONForms.form(
      of: #"{"item":{"id":"m/1 é","clientId":"\#(Self.id)","n":20},"meta":{"x":1.5}}"#, seed: seed)
    let place = try JSONForms.form(
      of: #"{"geoplugin_request":"203.0.113.7","geoplugin_status":200,"geoplugin_city":"Köln"}"#,
      seed: seed)
    let server = try ScriptedServer { request in
      .response(body: request.target.contains("moments") ? moment : place)
    }
    let client = MomentsClient(http: HTTPClient(), baseURL: server.url, appToken: "t")
    let answer = try await client.find(clientId: Self.id, userId: "u", now: now)
    #expect(answer == .taken(id: "m/1 é"), "seed \(seed)")
    let found = try await GeoClient(http: HTTPClient(), baseURL: server.url).locate()
    #expect((found.city, found.address) == ("Köln", "203.0.113.7"), "seed \(seed)")
  }

  @Test(
    arguments: [
      ("1e3", 1_000), ("1.5E+3", 1_500), ("15000e-1", 1_500), ("0.0", 0), ("0e9", 0),
      ("-7.0", -7), ("9.223372036854775807e18", Int64.max), ("1.5", nil), ("1e-1", nil),
      ("9223372036854775808", nil), ("1e19", nil), ("1e999999999999", nil),
    ] as [(String, Int64?)])
  func `a whole number is one in any form, and nothing else is`(text: String, expected: Int64?)
    throws
  {
    let line =
      #"{"event_name":"e","event_timestamp":1,"event_params":[{"key":"n","value":{"int_value":\#(text)}}]}"#
    let content = try ExportFile.content(line)
    #expect(content.events.first?.parameters["n"] == expected.map { .integer($0) })
    #expect(content.rejections.isEmpty == (expected != nil))
  }
}
