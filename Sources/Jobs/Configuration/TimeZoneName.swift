import Foundation

/// Which names of time zones the files and the command line take.
package enum TimeZoneName {
  /// Whether it is `UTC` or an IANA name of an area and a place; abbreviations are ambiguous.
  package static func isValid(_ name: String) -> Bool {
    name == "UTC" || (name.contains("/") && TimeZone(identifier: name) != nil)
  }
}
