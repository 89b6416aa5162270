/// A page of a query, scanned but not decoded.
package struct QueryPage: Sendable {
  /// The answer, with the strings of wanted fields unescaped in place.
  package var bytes: [UInt8]
  package var page: ScannedPage
}
