import Feeds
import Fixtures
import HTTP
import Testing

@Suite("GeoClient")
struct GeoClientTests {
  private func locate(
    _ server: ScriptedServer, path: String = "", timeouts: HTTPTimeouts = HTTPTimeouts()
  ) async throws -> GeoPlace {
    try await GeoClient(http: HTTPClient(), baseURL: server.url + path, timeouts: timeouts)
      .locate()
  }

  private func locate(_ json: String, status: Int = 200) async throws -> GeoPlace {
    try await locate(try ScriptedServer(answers: [.json(json, status: status)]))
  }

  private static let berlin = """
    {"geoplugin_request":"203.0.113.7","geoplugin_status":200,"geoplugin_delay":"1ms",
     "geoplugin_city":" Berlin ","geoplugin_region":"State of Berlin",
     "geoplugin_countryName":"Germany","geoplugin_latitude":"52.5","geoplugin_euVATrate":19}
    """

  @Test(arguments: ["", "/", "/geo", "/geo/"])
  func `an answer becomes a place, asked for in one request`(path: String) async throws {
    let server = try ScriptedServer(answers: [.json(Self.berlin)])
    let place = try await locate(server, path: path)
    #expect(place.city == "Berlin")
    #expect(place.region == "State of Berlin")
    #expect(place.country == "Germany")
    #expect(place.address == "203.0.113.7")
    let prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
    #expect(server.requests.map(\.target) == ["\(prefix)/json.gp"])
    #expect(server.requests.first?.method == "GET")
  }

  @Test func `what the service does not know is empty`() async throws {
    let place = try await locate(#"{"geoplugin_city":"Oslo","geoplugin_region":null}"#)
    #expect(place == (try await locate(#"{"geoplugin_city":"Oslo","geoplugin_countryName":""}"#)))
    #expect([place.region, place.country, place.address] == ["", "", ""])
  }

  @Test(arguments: [
    #"{"geoplugin_city":"","geoplugin_request":"1.2.3.4"}"#,
    #"{"geoplugin_city":null,"geoplugin_request":"1.2.3.4"}"#,
    #"{"geoplugin_request":"1.2.3.4"}"#,
    #"{"geoplugin_city":" \n","geoplugin_request":"1.2.3.4"}"#,
  ])
  func `without a city there is no place`(json: String) async throws {
    let error = await #expect(throws: FeedError.self) { try await locate(json) }
    guard case .noCity(_, "1.2.3.4") = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(error?.description.contains("profile set --city") == true)
  }

  @Test(
    arguments: [
      "", "<html></html>", "null", "[]", "\"Berlin\"", "{", #"{"geoplugin_city":7}"#,
      #"{"geoplugin_city":["Berlin"]}"#, #"{"geoplugin_city":"Ber\u0000lin"}"#,
      #"{"geoplugin_city":"Ber\u001b[31mlin"}"#,
      #"{"geoplugin_city":"Berlin","geoplugin_region":{}}"#,
      "{\"geoplugin_city\":\"\(String(repeating: "x", count: 201))\"}",
      String(repeating: "[", count: 50_000),
    ].map { SampleText($0) })
  func `an answer of another shape is an error`(json: SampleText) async throws {
    let error = await #expect(throws: FeedError.self) { try await locate(json.text) }
    guard case .malformed = error else {
      Issue.record("not malformed: \(String(describing: error))")
      return
    }
  }

  @Test(arguments: [(199, true), (200, true), (201, false)])
  func `a name of 200 characters is one, of 201 none`(count: Int, isTaken: Bool) async throws {
    let json = "{\"geoplugin_city\":\"\(String(repeating: "é", count: count))\"}"
    if isTaken {
      #expect(try await locate(json).city.count == count)
    } else {
      await #expect(throws: FeedError.self) { try await locate(json) }
    }
  }

  @Test(arguments: [403, 404, 429, 500, 503])
  func `a refusal is told with its status`(status: Int) async throws {
    let error = await #expect(throws: FeedError.self) {
      try await locate(Self.berlin, status: status)
    }
    guard case .refused(_, status, _) = error else {
      Issue.record("not refused: \(String(describing: error))")
      return
    }
  }

  @Test func `an answer of ten megabytes is cut off`() async throws {
    let server = try ScriptedServer(
      answers: [.response(200, body: [UInt8](repeating: 0x20, count: 10 << 20))])
    let host = "127.0.0.1:\(server.port)"
    await #expect(throws: HTTPError.tooLarge(host: host, limit: GeoClient.bodyLimit)) {
      try await locate(server)
    }
  }

  @Test func `a service that never answers is given up`() async throws {
    let server = try ScriptedServer(answers: [ScriptedAnswer([.wait(.seconds(60))])])
    let timeouts = HTTPTimeouts(total: .milliseconds(200))
    let error = await #expect(throws: HTTPError.self) {
      try await locate(server, timeouts: timeouts)
    }
    guard case .timedOut = error else {
      Issue.record("not timed out: \(String(describing: error))")
      return
    }
  }

  @Test func `a service that cannot be reached is an HTTP error`() async throws {
    let socket = try LoopbackSocket()
    await #expect(throws: HTTPError.refused(host: "127.0.0.1:\(socket.port)")) {
      try await GeoClient(http: HTTPClient(), baseURL: socket.url).locate()
    }
  }
}
