package import Firestore
import Synchronization

/// The accounts of Firebase Authentication by project, served as Identity Toolkit does.
package final class AccountStore: Sendable {
  /// `UserInfo` objects by project and account id.
  private let accounts = Mutex<[String: [String: JSON]]>([:])

  /// Adds accounts, or replaces those with the same `localId`; one without an id is ignored.
  package func seed(_ users: [JSON], project: String) {
    accounts.withLock { accounts in
      for user in users {
        guard case .string(let id)? = user["localId"] else { continue }
        accounts[project, default: [:]][id] = user
      }
    }
  }

  package func wipe(project: String) {
    accounts.withLock { $0[project] = nil }
  }

  package func count(project: String) -> Int { accounts.withLock { $0[project]?.count ?? 0 } }

  /// At most `limit` accounts after the id `token`, by id, and the token of the page after them.
  ///
  /// As on Google's emulator, a full page has a token even when nothing follows.
  func page(after token: String?, limit: Int, project: String) -> (users: [JSON], next: String?) {
    let known = accounts.withLock { $0[project] ?? [:] }
    let ids = known.keys.filter { id in token.map { $0 < id } ?? true }.sorted().prefix(limit)
    return (ids.compactMap { known[$0] }, ids.count == limit ? ids.last : nil)
  }
}

/// Identity Toolkit's API over an `AccountStore`; see `docs/emulator.md#accounts`.
struct AccountEndpoints: Sendable {
  let store = AccountStore()

  private static let defaultPageSize = 20

  /// Nil for a target outside of the API.
  func response(to request: RequestRecord, _ target: RequestTarget) -> ServerResponse? {
    do throws(RefusedRequest) {
      let listed = "identitytoolkit.googleapis.com/v1/projects/*/accounts:batchGet"
      if let project = target.wildcards(of: listed)?.first {
        guard request.method == "GET" else { throw Endpoints.unknownMethod }
        return try list(project, request, target)
      }
      let wiped = target.wildcards(of: "emulator/v1/projects/*/accounts")?.first
      guard let project = wiped, request.method == "DELETE" else { return nil }
      store.wipe(project: project)
      return ServerResponse(json: .object([:]))
    } catch {
      return ServerResponse(error)
    }
  }

  private func list(
    _ project: String, _ request: RequestRecord, _ target: RequestTarget
  ) throws(RefusedRequest) -> ServerResponse {
    guard request.headers["authorization"]?.hasPrefix("Bearer ") == true else {
      throw RefusedRequest(
        .unauthenticated,
        "Request is missing required authentication credential. Expected OAuth 2 access token.")
    }
    guard !project.isEmpty else { throw .invalid("INVALID_PROJECT_ID") }
    try target.allowOnly("maxResults", "nextPageToken", "delegatedProjectNumber", "tenantId")
    let wanted = target.first("maxResults") ?? "0"
    guard let limit = Int(wanted), limit >= 0 else {
      throw .invalid("Invalid value at 'max_results' (TYPE_INT32), \"\(wanted)\"")
    }
    let most = FirestoreClient.accountLimits.upperBound
    let size = limit == 0 ? Self.defaultPageSize : min(limit, most)
    let token = target.first("nextPageToken").flatMap { $0.isEmpty ? nil : $0 }
    let page = store.page(after: token, limit: size, project: project)
    var members: [String: JSON] = ["kind": .string("identitytoolkit#DownloadAccountResponse")]
    if !page.users.isEmpty { members["users"] = .array(page.users) }
    members["nextPageToken"] = page.next.map { .string($0) }
    return ServerResponse(json: .object(members))
  }
}
