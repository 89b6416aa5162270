import HTTP

/// The tags that distinguish requests on the owner's usage page; see
/// `docs/readers.md#request-tags`.
package enum RequestTags {
  /// The job or the command that the current task sends requests for; nil outside of one.
  @TaskLocal package static var job: String?

  /// `app=firetally`, and `job=NAME` for a job.
  static var current: [String] { ["app=firetally"] + (job.map { ["job=\($0)"] } ?? []) }
}

extension FirestoreCall {
  /// The place of the tags in a request.
  enum TagPlace: Sendable {
    /// In the body's `requestOptions`; a call without a body takes no tags.
    case body
    case parameters
  }

  func tagged(_ tags: [String]) -> FirestoreCall {
    guard api == .firestore, !tags.isEmpty else { return self }
    var call = self
    switch (tagPlace, body) {
    case (.parameters, _):
      call.url += tags.map { "&requestOptions.requestTags=\(PercentEncoding.query($0))" }.joined()
    case (.body, .object(var members)):
      members["requestOptions"] = .object(["requestTags": .array(tags.map(JSON.string))])
      call.body = .object(members)
    case (.body, _): break
    }
    return call
  }
}
