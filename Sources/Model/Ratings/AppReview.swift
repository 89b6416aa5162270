/// One customer's review of the app in one country's App Store.
package struct AppReview: Hashable, Sendable {
  /// Apple's id, which stays when the customer changes the review.
  package var id: String
  /// The number in the app's App Store URL.
  package var appId: Int
  /// The store's country: two lower-case letters of ISO 3166-1.
  package var country: String
  /// 1 to 5.
  package var stars: Int
  /// The reviewed version; empty when the feed has none.
  package var version: String
  /// The customer's name in the store.
  package var author: String
  package var title: String
  package var text: String
  /// The time when it was written or last changed.
  package var updatedAt: Instant

  package init(
    id: String, appId: Int, country: String, stars: Int, version: String, author: String,
    title: String, text: String, updatedAt: Instant
  ) {
    self.id = id
    self.appId = appId
    self.country = country
    self.stars = stars
    self.version = version
    self.author = author
    self.title = title
    self.text = text
    self.updatedAt = updatedAt
  }
}

/// The countries that have an App Store, by the codes that its addresses use: `app-stores.txt`.
///
/// Codes are those of ISO 3166-1. Names are English: first that of the Unicode CLDR, then other
/// names that an analytics export may use.
package enum StoreCountries {
  /// The country's name; the code in capitals when it has no store.
  package static func name(of code: String) -> String {
    names[code]?.first ?? code.uppercased()
  }

  /// All names, each with its code.
  package static let all: [(name: String, code: String)] = names.sorted { $0.key < $1.key }
    .flatMap { code, names in names.map { ($0, code) } }

  /// By code, as `code name` or `code name|other name` in the file.
  private static let names: [String: [String]] = {
    let entries = String(decoding: PackageResources.app_stores_txt, as: UTF8.self)
      .split(separator: ";").map(\.trimmed)
    return Dictionary(
      uniqueKeysWithValues: entries.map { entry in
        (String(entry.prefix(2)), entry.dropFirst(3).split(separator: "|").map(String.init))
      })
  }()
}
