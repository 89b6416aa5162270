import Foundation
import HTTP

/// Checks of the addresses in configuration files.
package enum WebAddress {
  package static let wanted = "an address such as https://example.com"
  package static let wantedSecure =
    "an https:// address (http:// only for this machine: localhost, 127.0.0.1, [::1])"
  /// The pattern of addresses that pass `isSecure`, for JSON Schema.
  package static let securePattern =
    #"^([Hh][Tt][Tt][Pp][Ss]://|[Hh][Tt][Tt][Pp]://"#
    + #"(([A-Za-z0-9-]+\.)*localhost|(127\.[0-9]+|169\.254)\.[0-9]+\.[0-9]+|\[::1\]"#
    + #"|metadata\.google\.internal|\[fd00:ec2::254\]|\[fe[89ab][0-9a-f]:[0-9a-f:]+\])(:|/|\?|#|$))"#

  /// Whether a text is an http or https URL with a host and without a user name.
  package static func isValid(_ text: String) -> Bool {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else { return false }
    let hasHost = url.host()?.isEmpty == false
    return ["http", "https"].contains(scheme) && hasHost && url.user() == nil
  }

  /// Returns why an address is invalid, after "must be ...:"; it contains only the scheme.
  ///
  /// A secret can be anywhere else in the address.
  package static func fault(of text: String) -> String {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else {
      return "it does not begin with https://"
    }
    guard ["http", "https"].contains(scheme) else { return "it does not begin with https://" }
    guard url.host()?.isEmpty == false else { return "it names no host" }
    return url.user() == nil ? "it begins with http://" : "it holds a user name"
  }

  /// Returns scheme, host and port: `https://example.com:8443`; nil for a text that is not an
  /// address.
  ///
  /// The rest of an address can contain a secret.
  package static func origin(of text: String) -> String? {
    guard isValid(text), let url = URL(string: text), let scheme = url.scheme, let host = url.host()
    else { return nil }
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(scheme.lowercased())://\(name)" + (url.port.map { ":\($0)" } ?? "")
  }

  /// Whether an address is valid, and its traffic cannot be read on the way.
  package static func isSecure(_ text: String) -> Bool {
    guard isValid(text) else { return false }
    do {
      return try !HTTPClient.isPlain(toAnotherMachine: text)
    } catch {
      return false
    }
  }
}
