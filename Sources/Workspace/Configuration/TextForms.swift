import Foundation
import FoundationEssentials
import HTTP

/// A length of time as configuration files write it: `90s`, `10m`, `2h`, `1d`.
package enum DurationText {
  /// Nil for anything but a positive integer with one of the four units.
  package static func duration(_ text: String) -> Duration? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let last = text.last, let unit = units[last], text.utf8.count <= 10,
      let count = Int64(text.dropLast()), count > 0, text.first != "+"
    else { return nil }
    return .seconds(count * unit)
  }

  /// The largest unit that divides it: `10m`, `90s`; rounded up to a whole second.
  package static func text(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    let seconds = attoseconds > 0 ? whole + 1 : whole
    for (unit, length) in [("d", Int64(86_400)), ("h", 3_600), ("m", 60)]
    where seconds >= length && seconds % length == 0 {
      return "\(seconds / length)\(unit)"
    }
    return "\(seconds)s"
  }
}

/// Which names of time zones the files and the command line take.
package enum TimeZoneName {
  /// Whether it is `UTC` or an IANA name of an area and a place; abbreviations are ambiguous.
  package static func isValid(_ name: String) -> Bool {
    name == "UTC" || (name.contains("/") && TimeZone(identifier: name) != nil)
  }
}

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
