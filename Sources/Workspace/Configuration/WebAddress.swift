import Foundation
import HTTP

/// Checks the addresses that configuration files name.
package enum WebAddress {
  package static let wanted = "an address such as https://example.com"
  package static let wantedSecure =
    "an https:// address (http:// only for this machine: localhost, 127.0.0.1, [::1])"
  /// What `isSecure` takes, for JSON Schema.
  package static let securePattern =
    #"^([Hh][Tt][Tt][Pp][Ss]://|[Hh][Tt][Tt][Pp]://"#
    + #"(([A-Za-z0-9-]+\.)*localhost|(127\.[0-9]+|169\.254)\.[0-9]+\.[0-9]+|\[::1\]"#
    + #"|metadata\.google\.internal|\[fd00:ec2::254\]|\[fe[89ab][0-9a-f]:[0-9a-f:]+\])(:|/|\?|#|$))"#

  /// An http or https URL with a host and without a user name.
  package static func isValid(_ text: String) -> Bool {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else { return false }
    let hasHost = url.host()?.isEmpty == false
    return ["http", "https"].contains(scheme) && hasHost && url.user() == nil
  }

  /// Why it is no valid address, after "must be ...:"; never a part of it but its scheme.
  ///
  /// A secret can be anywhere else in it.
  package static func fault(of text: String) -> String {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else {
      return "it does not begin with https://"
    }
    guard ["http", "https"].contains(scheme) else { return "it does not begin with https://" }
    guard url.host()?.isEmpty == false else { return "it names no host" }
    return url.user() == nil ? "it begins with http://" : "it holds a user name"
  }

  /// Scheme, host and port: `https://example.com:8443`; nil for what is no address.
  ///
  /// What follows them can hold a secret.
  package static func origin(of text: String) -> String? {
    guard isValid(text), let url = URL(string: text), let scheme = url.scheme, let host = url.host()
    else { return nil }
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(scheme.lowercased())://\(name)" + (url.port.map { ":\($0)" } ?? "")
  }

  /// Valid, and nobody on the way can read what is sent.
  package static func isSecure(_ text: String) -> Bool {
    guard isValid(text) else { return false }
    do {
      return try !HTTPClient.isPlain(toAnotherMachine: text)
    } catch {
      return false
    }
  }
}
