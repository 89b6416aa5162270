/// Where the geo service believes the caller's address to be.
package struct GeoPlace: Hashable, Sendable {
  /// Never empty.
  package let city: String
  /// Empty when the service does not know it.
  package let region: String
  /// English name; empty when the service does not know it.
  package let country: String
  /// The address that was looked up; empty when the service does not say it.
  package let address: String
}
