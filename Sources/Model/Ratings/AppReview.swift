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

/// The countries that have an App Store, by the codes that its addresses use.
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

  private static let names: [String: [String]] = Dictionary(
    uniqueKeysWithValues: text.split(separator: "; ").map { entry in
      (String(entry.prefix(2)), entry.dropFirst(3).split(separator: "|").map(String.init))
    })

  /// `code name`, or `code name|other name`; separated by `; `, in the order of the codes.
  private static let text = """
    ae United Arab Emirates; af Afghanistan; ag Antigua & Barbuda|Antigua and Barbuda; \
    ai Anguilla; al Albania; am Armenia; ao Angola; ar Argentina; at Austria; au Australia; \
    az Azerbaijan; ba Bosnia & Herzegovina|Bosnia and Herzegovina; bb Barbados; be Belgium; \
    bf Burkina Faso; bg Bulgaria; bh Bahrain; bj Benin; bm Bermuda; \
    bn Brunei|Brunei Darussalam; bo Bolivia; br Brazil; bs Bahamas; bt Bhutan; bw Botswana; \
    by Belarus; bz Belize; ca Canada; cd Congo - Kinshasa; cg Congo - Brazzaville; \
    ch Switzerland; ci Côte d’Ivoire|Ivory Coast; cl Chile; cm Cameroon; cn China; co Colombia; \
    cr Costa Rica; cv Cape Verde|Cabo Verde; cy Cyprus; cz Czechia|Czech Republic; de Germany; \
    dk Denmark; dm Dominica; do Dominican Republic; dz Algeria; ec Ecuador; ee Estonia; \
    eg Egypt; es Spain; fi Finland; fj Fiji; fm Micronesia; fr France; ga Gabon; \
    gb United Kingdom; gd Grenada; ge Georgia; gh Ghana; gm Gambia; gr Greece; gt Guatemala; \
    gw Guinea-Bissau; gy Guyana; hk Hong Kong|Hong Kong SAR China; hn Honduras; hr Croatia; \
    hu Hungary; id Indonesia; ie Ireland; il Israel; in India; iq Iraq; is Iceland; it Italy; \
    jm Jamaica; jo Jordan; jp Japan; ke Kenya; kg Kyrgyzstan; kh Cambodia; \
    kn St. Kitts & Nevis|Saint Kitts and Nevis; kr South Korea; kw Kuwait; ky Cayman Islands; \
    kz Kazakhstan; la Laos; lb Lebanon; lc St. Lucia|Saint Lucia; lk Sri Lanka; lr Liberia; \
    lt Lithuania; lu Luxembourg; lv Latvia; ly Libya; ma Morocco; md Moldova; me Montenegro; \
    mg Madagascar; mk North Macedonia; ml Mali; mm Myanmar (Burma)|Myanmar; mn Mongolia; \
    mo Macao|Macao SAR China; mr Mauritania; ms Montserrat; mt Malta; mu Mauritius; \
    mv Maldives; mw Malawi; mx Mexico; my Malaysia; mz Mozambique; na Namibia; ne Niger; \
    ng Nigeria; ni Nicaragua; nl Netherlands; no Norway; np Nepal; nr Nauru; nz New Zealand; \
    om Oman; pa Panama; pe Peru; pg Papua New Guinea; ph Philippines; pk Pakistan; pl Poland; \
    pt Portugal; pw Palau; py Paraguay; qa Qatar; ro Romania; rs Serbia; \
    ru Russia|Russian Federation; rw Rwanda; sa Saudi Arabia; sb Solomon Islands; \
    sc Seychelles; se Sweden; sg Singapore; si Slovenia; sk Slovakia; sl Sierra Leone; \
    sn Senegal; sr Suriname; st São Tomé & Príncipe; sv El Salvador; sz Eswatini|Swaziland; \
    tc Turks & Caicos Islands; td Chad; th Thailand; tj Tajikistan; tm Turkmenistan; \
    tn Tunisia; to Tonga; tr Türkiye|Turkey; tt Trinidad & Tobago|Trinidad and Tobago; \
    tw Taiwan; tz Tanzania; ua Ukraine; ug Uganda; us United States; uy Uruguay; uz Uzbekistan; \
    vc St. Vincent & Grenadines|Saint Vincent and the Grenadines; ve Venezuela; \
    vg British Virgin Islands; vn Vietnam|Viet Nam; vu Vanuatu; xk Kosovo; ye Yemen; \
    za South Africa; zm Zambia; zw Zimbabwe
    """
}
