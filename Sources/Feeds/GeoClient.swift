package import HTTP
import Model

/// Asks a geoplugin service for the place of the caller's address; docs/jobs.md#geo-lookup.
package struct GeoClient: Sendable {
  /// The maximum size of an answer, which is usually under 1 kB; docs/jobs.md#geo-lookup.
  package static let bodyLimit = 64 << 10

  private let http: HTTPClient
  private let baseURL: String
  private let timeouts: HTTPTimeouts

  /// `baseURL` is the service without `/json.gp`, with or without trailing slashes.
  package init(
    http: HTTPClient, baseURL: String,
    timeouts: HTTPTimeouts = HTTPTimeouts(stall: .seconds(10), total: .seconds(20))
  ) {
    self.http = http
    self.baseURL = baseURL.withoutTrailingSlashes
    self.timeouts = timeouts
  }

  /// The caller's place; throws when the service knows no city.
  ///
  /// Throws `HTTPError`, or `FeedError.refused`, `.malformed` and `.noCity`; does not retry.
  package func locate() async throws -> GeoPlace {
    let response = try await http.send(
      HTTPRequest(
        .get, "\(baseURL)/json.gp", headers: ["Accept": "application/json"],
        timeouts: timeouts, bodyLimit: Self.bodyLimit))
    guard response.isSuccess else {
      throw FeedError.refused(
        feed: feed, status: response.status, message: "no place was looked up")
    }
    return try place(in: response)
  }

  private var feed: String { "The geo service \(baseURL)" }

  private struct Wire: Decodable {
    var geoplugin_city: String?
    var geoplugin_region: String?
    var geoplugin_countryName: String?
    var geoplugin_request: String?
  }

  private func place(in response: HTTPResponse) throws(FeedError) -> GeoPlace {
    guard let wire = response.decoded(Wire.self) else {
      throw .malformed(feed: feed, reason: "it is not a geoplugin answer")
    }
    let place = GeoPlace(
      city: try text(wire.geoplugin_city), region: try text(wire.geoplugin_region),
      country: try text(wire.geoplugin_countryName), address: try text(wire.geoplugin_request))
    guard !place.city.isEmpty else { throw .noCity(feed: feed, address: place.address) }
    return place
  }

  /// The maximum length of a place's name in code points; docs/jobs.md#geo-lookup.
  package static let longestText = 200

  /// The text without surrounding white space; empty for nil, an error for an invalid name.
  private func text(_ text: String?) throws(FeedError) -> String {
    let trimmed = (text ?? "").trimmed
    let acts = trimmed.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard trimmed.unicodeScalars.count <= Self.longestText, !acts else {
      throw .malformed(feed: feed, reason: "a text in it is not the name of a place")
    }
    return trimmed
  }
}

/// The place of the caller's address according to the geo service.
package struct GeoPlace: Hashable, Sendable {
  /// Never empty.
  package let city: String
  /// Empty when unknown.
  package let region: String
  /// The English name; empty when unknown.
  package let country: String
  /// The address that was looked up; empty when the service does not send it.
  package let address: String
}
