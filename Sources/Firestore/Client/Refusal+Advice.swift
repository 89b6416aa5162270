extension Refusal: CustomStringConvertible {
  package var description: String {
    let code = "(\(status.rawValue), HTTP \(httpStatus))"
    if isExplained { return "Could not \(request) \(code). \(advice)" }
    let said = envelope.message.isEmpty ? "no reason given" : envelope.message
    return "\(api.name) refused to \(request): \(said) \(code). " + advice
  }

  /// Whether the advice replaces Google's message.
  private var isExplained: Bool {
    [
      .serviceDisabled, .datastoreMode, .billingDisabled, .consumerInvalid, .scopeMissing,
      .authenticationMissing,
    ].contains(reason)
  }

  /// What the operator should do, one or two sentences.
  package var advice: String {
    switch reason {
    case .missingIndex: Self.advice(onMissing: missingIndexes, link: link)
    case .buildingIndex: "Wait until the index is built, then run again."
    case .preconditionFailed: "The document is not in the state that the write demanded; read it."
    case .readTimeTooOld: "Run it again, in a new snapshot: Firestore keeps one for an hour."
    case .dailyQuota: "The daily quota is used up; it is renewed at midnight Pacific time."
    case .rate: "Try again later, with fewer requests at a time."
    case .unauthenticated: "Check the credentials, or sign in again."
    case .permissionDenied: (account ?? GoogleAccount(.unknown)).grant(role, in: project)
    case .quotaProjectMissing:
      "Set a quota project: `gcloud auth application-default set-quota-project PROJECT`."
    case .serviceDisabled:
      "The \(api.title) is disabled for the project\(quotedProject). Enable it"
        + "\(link.map { " at \($0)" } ?? ""), wait a few minutes, then run again."
    case .notFound: "Check the project and the name."
    case .databaseMissing: "Check the project, or create its Firestore database."
    case .datastoreMode: "This database is in Datastore mode; Firetally needs Native mode."
    case .billingDisabled:
      "Billing is disabled for the project\(quotedProject); enable it at "
        + "\(link ?? "https://console.cloud.google.com/billing"), then run again."
    case .consumerInvalid:
      "There is no project\(quotedProject), or this account may not use it. Correct --project, or "
        + "project in firetally.yml."
    case .scopeMissing:
      "The token lacks the scope \(api.scope), or https://www.googleapis.com/auth/cloud-platform; "
        + "obtain it with one of them."
    case .authenticationMissing:
      "The project\(quotedProject) does not use Firebase Authentication; open Authentication in "
        + "the Firebase console and choose Get started, or remove the job."
    case .pageTokenInvalid: "Run it again: it begins with the first page."
    case .alreadyExists: "Read the document and compare."
    case .transient: "Try again later."
    case .colonInId:
      "Like Google's emulator, this server finds nothing below a document whose id holds a colon. "
        + "Name the collection as a group: 'collection_group: ID' in a job, --group ID in a command."
    case .notInEdition: "An Enterprise database cannot do this: see docs/editions.md#what-differs."
    case .invalid: "\(api.name) would refuse the same request again; correct it."
    case .other: "Try again, and if it stays so, ask Google's support."
    }
  }

  private var role: String {
    switch api {
    case .firestore: isWrite ? "roles/datastore.user" : "roles/datastore.viewer"
    case .identityToolkit: "roles/firebaseauth.viewer"
    }
  }

  /// The project in the request's resource name; nil when there is none.
  private var project: String? {
    let name = request.split(separator: " ").first { $0.hasPrefix("projects/") }
    return name.flatMap { $0.split(separator: "/").dropFirst().first }.map { String($0) }
  }

  private var quotedProject: String { project.map { " \($0)" } ?? "" }
}

extension Refusal {
  /// How to create a missing index: a sentence, followed by the entries of
  /// `firestore.indexes.json`, one per line; see `docs/firestore.md#indexes`.
  ///
  /// `indexes` serve the query, and at least one of them is missing; empty when unknown. `link` is
  /// the console's page that creates it; nil when the server did not send it.
  static func advice(onMissing indexes: [QueryIndex], link: String?) -> String {
    guard !indexes.isEmpty else {
      return link.map { "Create the index at \($0), then run again." }
        ?? "Create the composite index that the query needs, then run again."
    }
    let start = link.map { "Create the index at \($0), or add" } ?? "Add"
    let sentence =
      "\(start) what is missing of this to firestore.indexes.json and run "
      + "`firebase deploy --only firestore:indexes`, then run again:"
    let entries = indexes.map { index in
      "  \(index.section().rawValue): "
        + String(decoding: index.entry().serialized(), as: UTF8.self)
    }
    return ([sentence] + entries).joined(separator: "\n")
  }
}
