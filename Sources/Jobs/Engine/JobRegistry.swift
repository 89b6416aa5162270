/// All kinds of jobs.
package enum JobRegistry {
  /// In the order in which errors list them and `firetally init` writes their files.
  package static let all: [any JobDefinition.Type] = [
    SyncSettingsOptions.self, SyncUsersOptions.self, SyncCollectionOptions.self,
    SyncReviewsOptions.self, SyncFeedbackOptions.self, SyncAuthOptions.self,
    ImportEventsOptions.self, UploadOutboxOptions.self, SettleOptions.self, ReportOptions.self,
    MaintainOptions.self,
  ]

  static func definition(of kind: JobKind) -> (any JobDefinition.Type)? {
    all.first { $0.kind == kind }
  }
}

/// The word for what a job does: in its file after `kind:`, in the database and in reports.
package struct JobKind: Hashable, Sendable {
  package let rawValue: String

  /// The word of a new kind; `init(rawValue:)` takes only those that are registered.
  package init(_ word: String) { rawValue = word }
}

extension JobKind: RawRepresentable, CaseIterable {
  package static var allCases: [JobKind] { JobRegistry.all.map { $0.kind } }

  package init?(rawValue: String) {
    guard Self.allCases.contains(where: { $0.rawValue == rawValue }) else { return nil }
    self.rawValue = rawValue
  }
}
