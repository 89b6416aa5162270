/// Why JSON is not what Firestore's REST API would send or accept there.
///
/// An answer to a request carries it inside `FirestoreError`; a server turns it into
/// INVALID_ARGUMENT.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, from the outside in: field names and keys.
  package var path: [String]
  /// A clause such as `integerValue is not a 64-bit integer`.
  package var problem: String

  package init(_ problem: String, at path: [String] = []) {
    self.problem = problem
    self.path = path
  }

  package var description: String {
    path.isEmpty ? problem : "\(path.joined(separator: ".")): \(problem)"
  }

  /// Runs `body`, adding `key` in front of the path of what it throws.
  static func at<Result>(
    _ key: String, _ body: () throws(WireError) -> Result
  ) throws(WireError) -> Result {
    do throws(WireError) {
      return try body()
    } catch {
      throw WireError(error.problem, at: [key] + error.path)
    }
  }
}
