import ArgumentParser
import Feeds
import Jobs
import Model
import Reports

struct ProfileLocateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "locate",
    abstract: "Find this machine's city by the geo service, and save it for --nearby.",
    discussion: """
      The service is geo.base_url of firetally.yml. Replaces the profile's city and prints the \
      old one. Shows the country but does not save it.

      EXAMPLES:
        firetally profile locate
      """)

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let invocation = Invocation(global)
    let opened = try invocation.openWorkspace()
    let store = try opened.store()
    let place = try await GeoClient(
      http: invocation.httpClient(opened), baseURL: opened.config.geoBaseURL
    ).locate()
    let session = try invocation.session(opened, store: store)
    var cityBefore: String?
    try session.updateProfile { profile in
      cityBefore = profile.city
      profile.city = place.city
    }
    let line = JSONOutput(place, cityBefore: cityBefore)
    guard !invocation.output.isJSON else { return try invocation.output.show(json: line) }
    var table = TextTable(["FIELD", "VALUE"])
    for (name, value) in line.fields { table.add([name, value]) }
    invocation.output.show(table.text)
  }

  private struct JSONOutput: Encodable {
    let message_type = "place"
    let city: String
    /// The city that was replaced; nil when there was none or the same.
    let cityBefore: String?
    let region: String
    let country: String
    let address: String

    init(_ place: GeoPlace, cityBefore: String?) {
      city = place.city
      self.cityBefore = cityBefore == place.city ? nil : cityBefore
      region = place.region
      country = place.country
      address = place.address
    }

    var fields: [(String, String)] {
      [("city", city)] + (cityBefore.map { [("city before", $0)] } ?? [])
        + [("region", region), ("country", country), ("address", address)]
    }
  }
}
