import Firestore

extension FeedbackUpload.Failure {
  /// Reads the error's reason, never its text.
  ///
  /// Only a request that Firestore itself calls invalid is permanent: a page of a proxy's or a
  /// broken certificate says nothing about the item.
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
        .buildingIndex:
        .misconfigured
      case .transient, .rate, .alreadyExists, .readTimeTooOld, .other: .transient
      }
  }
}
