import FoundationEssentials

/// Checks the addresses that configuration files name.
enum WebAddress {
  static let wanted = "an address such as https://example.com"
  static let wantedSecure =
    "an https:// address (http:// only for this machine: localhost, 127.0.0.1, [::1])"

  /// An http or https URL with a host and without a user name.
  static func isValid(_ text: String) -> Bool {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else { return false }
    let hasHost = url.host()?.isEmpty == false
    return ["http", "https"].contains(scheme) && hasHost && url.user() == nil
  }

  /// Valid, and nobody on the way can read what is sent.
  static func isSecure(_ text: String) -> Bool {
    guard isValid(text), let url = URL(string: text) else { return false }
    let loopback = ["localhost", "127.0.0.1", "::1", "[::1]"]
    return url.scheme?.lowercased() == "https" || loopback.contains(url.host() ?? "")
  }
}
