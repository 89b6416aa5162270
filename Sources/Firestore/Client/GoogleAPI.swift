/// A Google API that the client uses, as named in its errors.
package enum GoogleAPI: Hashable, Sendable {
  case firestore
  /// The API for the accounts of Firebase Authentication.
  case identityToolkit

  package var name: String {
    switch self {
    case .firestore: "Firestore"
    case .identityToolkit: "Firebase Authentication"
    }
  }

  /// The name under which the Google Cloud console enables it.
  var title: String {
    switch self {
    case .firestore: "Cloud Firestore API"
    case .identityToolkit: "Identity Toolkit API (identitytoolkit.googleapis.com)"
    }
  }

  /// The narrowest OAuth scope; see `docs/firestore.md#credentials`.
  var scope: String {
    switch self {
    case .firestore: "https://www.googleapis.com/auth/datastore"
    case .identityToolkit: "https://www.googleapis.com/auth/identitytoolkit"
    }
  }
}

/// The reasons of Identity Toolkit, which names most errors by a word at the beginning of the
/// message.
///
/// See `docs/jobs/sync-auth.md#errors`.
extension Refusal {
  /// Returns nil for an error without more information than its status.
  static func identityReason(of envelope: ErrorEnvelope) -> Reason? {
    let word = envelope.message.prefix { $0.isUppercase || $0 == "_" }
    switch word {
    case "CONFIGURATION_NOT_FOUND": return .authenticationMissing
    case "INVALID_PAGE_SELECTION": return .pageTokenInvalid
    case "QUOTA_EXCEEDED", "TOO_MANY_ATTEMPTS_TRY_LATER": return .rate
    case "PROJECT_NOT_FOUND", "INVALID_PROJECT_ID": return .consumerInvalid
    case "INSUFFICIENT_PERMISSION", "PERMISSION_DENIED": return .permissionDenied
    default: return nil
    }
  }
}
