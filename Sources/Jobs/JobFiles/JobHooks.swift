/// What a job tells others about itself.
package struct JobHooks: Hashable, Sendable {
  package var onStart: Hook?
  package var onSuccess: Hook?
  package var onFailure: Hook?

  package init(onStart: Hook? = nil, onSuccess: Hook? = nil, onFailure: Hook? = nil) {
    self.onStart = onStart
    self.onSuccess = onSuccess
    self.onFailure = onFailure
  }
}

package enum Hook: Hashable, Sendable {
  /// A GET request to an address.
  case ping(url: String)
  /// A command for `/bin/sh`.
  case command(String)
}
