import Firestore

/// What a failed request means for the feedback that it was about.
package enum FeedbackFailure: Hashable, Sendable {
  case transient
  /// The request can never succeed as it is.
  case permanent
  /// 403; permanent only once the credentials are known to work.
  case forbidden(areCredentialsKnownGood: Bool)
  case unauthenticated
  case quota
  /// The configuration names a project, a database or an API that does not exist.
  case misconfigured

  /// Classifies by the error's reason, never by its text.
  ///
  /// Only a request that Firestore itself calls invalid is permanent: a proxy's page or a broken
  /// certificate says nothing about the item.
  init(_ error: FirestoreError, credentialsKnownGood: Bool) {
    self =
      switch error {
      case .refused(let refusal) where refusal.status == .unimplemented: .misconfigured
      case .refused(let refusal):
        Self(refusal.reason, credentialsKnownGood: credentialsKnownGood)
      case .credentials(let error): error.isTransient ? .transient : .unauthenticated
      case .malformedAnswer, .transport: .transient
      case .invalidRequest: .misconfigured
      }
  }

  private init(_ reason: Refusal.Reason, credentialsKnownGood: Bool) {
    self =
      switch reason {
      case .unauthenticated: .unauthenticated
      case .permissionDenied: .forbidden(areCredentialsKnownGood: credentialsKnownGood)
      case .dailyQuota: .quota
      case .invalid: .permanent
      case .serviceDisabled, .databaseMissing, .notFound, .preconditionFailed, .missingIndex,
        .buildingIndex, .datastoreMode, .billingDisabled, .consumerInvalid, .quotaProjectMissing,
        .scopeMissing, .authenticationMissing, .pageTokenInvalid:
        .misconfigured
      case .transient, .rate, .alreadyExists, .readTimeTooOld, .other: .transient
      }
  }
}
