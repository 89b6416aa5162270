/// What a job does, with what its file says about how.
package enum JobKind: Hashable, Sendable {
  case syncSettings(SyncSettingsOptions)
  case syncUsers(SyncUsersOptions)
  case syncCollection(SyncCollectionOptions)
  case syncReviews(SyncReviewsOptions)
  case importEvents(ImportEventsOptions)
  case uploadOutbox(UploadOutboxOptions)
  case report(ReportOptions)
  case maintain(MaintainOptions)

  /// The words that `kind:` takes.
  package enum Name: String, CaseIterable, Hashable, Sendable {
    case syncSettings = "sync-settings"
    case syncUsers = "sync-users"
    case syncCollection = "sync-collection"
    case syncReviews = "sync-reviews"
    case importEvents = "import-events"
    case uploadOutbox = "upload-outbox"
    case report
    case maintain

    /// The keys that a file of this kind may have beside those of every job.
    package var keys: KeyTable {
      switch self {
      case .syncSettings: SyncSettingsOptions.keys
      case .syncUsers: SyncUsersOptions.keys
      case .syncCollection: SyncCollectionOptions.keys
      case .syncReviews: SyncReviewsOptions.keys
      case .importEvents: ImportEventsOptions.keys
      case .uploadOutbox: UploadOutboxOptions.keys
      case .report: ReportOptions.keys
      case .maintain: MaintainOptions.keys
      }
    }
  }

  /// Billed reads that one run may make; nil for as many as it takes.
  package var maxReads: Int? {
    switch self {
    case .syncUsers(let options): options.maxReads
    case .syncCollection(let options): options.maxReads
    case .syncSettings, .syncReviews, .importEvents, .uploadOutbox, .report, .maintain: nil
    }
  }

  package var name: Name {
    switch self {
    case .syncSettings: .syncSettings
    case .syncUsers: .syncUsers
    case .syncCollection: .syncCollection
    case .syncReviews: .syncReviews
    case .importEvents: .importEvents
    case .uploadOutbox: .uploadOutbox
    case .report: .report
    case .maintain: .maintain
    }
  }

  init(_ name: Name, job: String, _ reader: MappingReader) {
    switch name {
    case .syncSettings: self = .syncSettings(SyncSettingsOptions(reader))
    case .syncUsers: self = .syncUsers(SyncUsersOptions(reader))
    case .syncCollection: self = .syncCollection(SyncCollectionOptions(reader))
    case .syncReviews: self = .syncReviews(SyncReviewsOptions(reader))
    case .importEvents: self = .importEvents(ImportEventsOptions(reader, job: job))
    case .uploadOutbox: self = .uploadOutbox(UploadOutboxOptions(reader))
    case .report: self = .report(ReportOptions(reader))
    case .maintain: self = .maintain(MaintainOptions(reader))
    }
  }
}
