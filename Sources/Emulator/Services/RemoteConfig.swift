package import Firestore
import Synchronization

package final class RemoteConfig: Sendable {
  private struct Published {
    var template: JSON
    var version: Int
  }

  private let published = Mutex<[String: Published]>([:])

  /// Replaces the project's template; its ETag changes with every call.
  package func publish(_ template: JSON, project: String) {
    published.withLock { published in
      let version = (published[project]?.version ?? 0) + 1
      published[project] = Published(template: template, version: version)
    }
  }

  func response(project: String) throws(RefusedRequest) -> ServerResponse {
    guard let found = published.withLock({ $0[project] }) else {
      throw RefusedRequest(.notFound, "Project \(project) has no Remote Config template.")
    }
    let etag = "etag-\(project)-\(found.version)"
    return ServerResponse(json: found.template, headers: [("ETag", etag)])
  }
}
