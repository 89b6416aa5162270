import FoundationEssentials
package import HTTP
import Model

/// Asks a geoplugin service for the place of the caller's own address; docs/jobs.md#geo-lookup.
package struct GeoClient: Sendable {
  /// An answer has under a kilobyte; docs/jobs.md#geo-lookup.
  package static let bodyLimit = 64 << 10

  private let http: HTTPClient
  private let baseURL: String
  private let timeouts: HTTPTimeouts

  /// - Parameters:
  ///   - http: what sends.
  ///   - baseURL: the service, without the `/json.gp` that is asked for; slashes at its end do not
  ///     matter.
  ///   - timeouts: how long an answer may take.
  package init(
    http: HTTPClient, baseURL: String,
    timeouts: HTTPTimeouts = HTTPTimeouts(stall: .seconds(10), total: .seconds(20))
  ) {
    self.http = http
    self.baseURL = baseURL.withoutSlashesAtEnd
    self.timeouts = timeouts
  }

  /// The caller's place; a service that knows no city is an error.
  ///
  /// Throws `HTTPError`, or `FeedError.refused`, `.malformed` and `.noCity`; does not try again.
  package func locate() async throws -> GeoPlace {
    let response = try await http.send(
      HTTPRequest(
        .get, "\(baseURL)/json.gp", headers: ["Accept": "application/json"],
        timeouts: timeouts, bodyLimit: Self.bodyLimit))
    guard response.isSuccess else {
      throw FeedError.refused(
        feed: feed, status: response.status, message: "no place was looked up")
    }
    return try place(in: response.body)
  }

  private var feed: String { "The geo service \(baseURL)" }

  private struct Wire: Decodable {
    var geoplugin_city: String?
    var geoplugin_region: String?
    var geoplugin_countryName: String?
    var geoplugin_request: String?
  }

  private func place(in body: [UInt8]) throws(FeedError) -> GeoPlace {
    let wire: Wire
    do {
      wire = try JSONDecoder().decode(Wire.self, from: Data(body))
    } catch {
      throw .malformed(feed: feed, reason: "that is no geoplugin answer")
    }
    let place = GeoPlace(
      city: try text(wire.geoplugin_city), region: try text(wire.geoplugin_region),
      country: try text(wire.geoplugin_countryName), address: try text(wire.geoplugin_request))
    guard !place.city.isEmpty else { throw .noCity(feed: feed, address: place.address) }
    return place
  }

  /// The longest text that can be the name of a place; docs/jobs.md#geo-lookup.
  package static let longestText = 200

  /// The text without surrounding white space; empty for nil.
  private func text(_ text: String?) throws(FeedError) -> String {
    let trimmed = (text ?? "").trimmed
    let acts = trimmed.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard trimmed.unicodeScalars.count <= Self.longestText, !acts else {
      throw .malformed(feed: feed, reason: "a text in it is no name of a place")
    }
    return trimmed
  }
}
