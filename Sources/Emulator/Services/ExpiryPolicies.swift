package import Firestore
import Synchronization

/// The fields with TTL policies, as the Admin API lists them; nothing expires by them.
package final class ExpiryPolicies: Sendable {
  /// Fields of one answer, unless the request says.
  private static let pageSize = 100

  private let policies = Mutex<[String: [ExpiryPolicy]]>([:])

  /// Replaces the policies of a database, `projects/P/databases/D`.
  package func set(_ policies: [ExpiryPolicy], of database: String) {
    self.policies.withLock { $0[database] = policies }
  }

  func response(
    _ database: String, _ target: RequestTarget
  ) throws(RefusedRequest) -> ServerResponse {
    try target.allowOnly("filter", "pageSize", "pageToken")
    guard target.first("filter") == "ttlConfig:*" else {
      throw RefusedRequest(.unimplemented, "Only fields with a TTL policy are listed.")
    }
    let size = target.first("pageSize").flatMap { Int($0) } ?? Self.pageSize
    let start = target.first("pageToken").flatMap { Int($0) } ?? 0
    guard size > 0, start >= 0 else { throw .invalid("The page is not one.") }
    let all = policies.withLock { $0[database] ?? [] }
    var members: [String: JSON] = [:]
    let page = all.dropFirst(start).prefix(size)
    if !page.isEmpty {
      members["fields"] = .array(page.map { Self.json(of: $0, in: database) })
    }
    if start + size < all.count { members["nextPageToken"] = .string("\(start + size)") }
    return ServerResponse(json: .object(members))
  }

  private static func json(of policy: ExpiryPolicy, in database: String) -> JSON {
    let name = "\(database)/collectionGroups/\(policy.collectionId)/fields/\(policy.field)"
    return .object([
      "name": .string(name), "ttlConfig": .object(["state": .string(policy.state.rawValue)]),
    ])
  }
}
