import Crypto
import FoundationEssentials
package import HTTP
package import Model

/// A daily report of Sales and Trends that App Store Connect gives; docs/purchases.md#download.
package enum AppStoreConnectReport: String, CaseIterable, Hashable, Sendable {
  case sales
  case subscriber
  case subscriptionEvent = "subscription-event"
  case subscription

  /// Type, sub-type and version, as Apple names them.
  private var words: (type: String, subtype: String, version: String) {
    switch self {
    case .sales: ("SALES", "SUMMARY", "1_0")
    case .subscriber: ("SUBSCRIBER", "DETAILED", "1_3")
    case .subscriptionEvent: ("SUBSCRIPTION_EVENT", "SUMMARY", "1_3")
    case .subscription: ("SUBSCRIPTION", "SUMMARY", "1_3")
    }
  }

  /// The path and query of the report of a day such as `2026-01-31`.
  func path(vendor: String, day: String) -> String {
    let filters = [
      ("frequency", "DAILY"), ("reportType", words.type), ("reportSubType", words.subtype),
      ("version", words.version), ("vendorNumber", vendor), ("reportDate", day),
    ]
    return "v1/salesReports?"
      + filters.map { "filter%5B\($0)%5D=\($1)" }.joined(separator: "&")
  }

  /// What the file of a day is called: its last digits are the day.
  package func fileName(vendor: String, day: String) -> String {
    "\(rawValue)_\(vendor)_\(day.replacing("-", with: "")).txt.gz"
  }
}

/// Who asks App Store Connect: a team's key of its API.
package struct AppStoreConnectAccess: Sendable {
  package var keyId: String
  package var issuerId: String
  package var vendor: String
  private let key: ECKey

  /// Nil when the text is no key of P-256 in PEM form, as Apple's `AuthKey_ID.p8` is.
  package init?(keyId: String, issuerId: String, vendor: String, pem: String) {
    guard let key = ECKey(pem: pem) else { return nil }
    (self.keyId, self.issuerId, self.vendor, self.key) = (keyId, issuerId, vendor, key)
  }

  /// Seconds that a token is good for; Apple takes 20 minutes at most.
  private static let lifetime: Int64 = 600

  /// A JSON Web Token, signed by ES256.
  func token(now: Instant) -> String? {
    let issued = now.unixSeconds
    let header = #"{"alg":"ES256","kid":"\#(keyId)","typ":"JWT"}"#
    let claims = """
      {"iss":"\(issuerId)","iat":\(issued),"exp":\(issued + Self.lifetime),\
      "aud":"appstoreconnect-v1"}
      """
    let bytes = "\(Base64.encodeForURL(header.utf8)).\(Base64.encodeForURL(claims.utf8))"
    return key.signature(of: bytes.utf8).map { "\(bytes).\(Base64.encodeForURL($0))" }
  }
}

/// Downloads reports of Sales and Trends; docs/purchases.md#download.
package struct AppStoreConnectClient: Sendable {
  package enum Response: Sendable {
    /// The gzip file.
    case report([UInt8])
    /// Apple has none of the day: nothing was sold, or it is not made yet.
    case none
    /// The same request may succeed later.
    case later(any Error)
  }

  package static let appleURL = "https://api.appstoreconnect.apple.com"
  /// How a gzip file begins: RFC 1952, section 2.3.1.
  private static let gzipMark: [UInt8] = [0x1F, 0x8B]
  /// Bytes of a report at most.
  package static let bodyLimit = 256 << 20

  private let http: HTTPClient
  private let baseURL: String
  private let access: AppStoreConnectAccess

  package init(
    http: HTTPClient, baseURL: String = AppStoreConnectClient.appleURL,
    access: AppStoreConnectAccess
  ) {
    self.http = http
    self.baseURL = baseURL.withoutTrailingSlashes
    self.access = access
  }

  /// Asks for a report, once.
  ///
  /// - Throws: `HTTPError` and `FeedError` when a retry would not help.
  package func report(
    _ report: AppStoreConnectReport, of day: String, now: Instant
  ) async throws -> Response {
    let feed = "App Store Connect"
    guard let token = access.token(now: now) else {
      throw FeedError.malformed(feed: feed, reason: "the key cannot sign")
    }
    let request = HTTPRequest(
      .get, "\(baseURL)/\(report.path(vendor: access.vendor, day: day))",
      headers: ["Authorization": "Bearer \(token)", "Accept": "application/a-gzip"],
      timeouts: HTTPTimeouts(stall: .seconds(30), total: .seconds(300)),
      bodyLimit: Self.bodyLimit)
    let response: HTTPResponse
    do {
      response = try await http.send(request)
    } catch let error as HTTPError where error.isTransient {
      return .later(error)
    }
    switch response.status {
    case 200 where response.body.starts(with: Self.gzipMark): return .report(response.body)
    // A page of a proxy, for example: kept under the report's name it would never be replaced.
    case 200: return .later(FeedError.malformed(feed: feed, reason: "it is not a gzip file"))
    case 404: return .none
    case 408, 429, 500...:
      return .later(FeedError.busy(feed: feed, status: response.status))
    default:
      throw FeedError.refused(
        feed: feed, status: response.status,
        message: "the \(report.rawValue) report of \(day) is refused: see the key and its role")
    }
  }
}
