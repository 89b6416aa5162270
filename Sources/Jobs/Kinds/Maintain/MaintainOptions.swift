package import Rules

/// How a job of kind `maintain` works; see `docs/jobs/maintain.md`.
package struct MaintainOptions: JobDefinition {
  package static let kind = JobKind("maintain")

  /// The backups that stay; a policy that keeps none makes none.
  package var keep: RetentionPolicy
  /// What goes by its age.
  package var retention = RetentionOptions()

  package static let defaultKeep = RetentionPolicy(daily: 7)
  package static let dayCounts = 0...365
  package static let weekCounts = 0...520
  package static let monthCounts = 0...120
  package static let keys = KeyTable(
    [
      ConfigurationKey("keep", .mapping),
      ConfigurationKey("keep.daily", .integer(dayCounts), default: "\(defaultKeep.daily)"),
      ConfigurationKey("keep.weekly", .integer(weekCounts), default: "\(defaultKeep.weekly)"),
      ConfigurationKey("keep.monthly", .integer(monthCounts), default: "\(defaultKeep.monthly)"),
      ConfigurationKey("keep_backups", .integer(dayCounts)),
    ] + RetentionOptions.keys(under: "retention"))

  package init(keep: RetentionPolicy = defaultKeep) {
    self.keep = keep
  }

  package init(_ reader: MappingReader, job: String) {
    retention = RetentionOptions(reader.mapping("retention"))
    keep = Self.defaultKeep
    let policy = reader.mapping("keep")
    policy.refuseOthers(than: Self.keys.keys(under: "keep"))
    keep.daily = policy.integer("daily", in: Self.dayCounts) ?? keep.daily
    keep.weekly = policy.integer("weekly", in: Self.weekCounts) ?? keep.weekly
    keep.monthly = policy.integer("monthly", in: Self.monthCounts) ?? keep.monthly
    guard let entry = reader.entry("keep_backups") else { return }
    if reader.entry("keep") != nil {
      reader.problem(
        entry, "cannot stand beside keep; write its number as keep.daily, and leave it out")
    }
    keep.daily = reader.integer("keep_backups", in: Self.dayCounts) ?? keep.daily
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    MaintainWork(self, context)
  }
}

extension MaintainOptions {
  package static var template: WorkspaceTemplate.File? {
    WorkspaceTemplate.File(path: "jobs/maintain.yml", text: jobFile)
  }

  private static let jobFile = """
    # Removes corrupted rows, checks the database and keeps backups in data/backups.
    kind: maintain
    description: Cleanup, integrity check and backup
    schedule: "15 3 * * *"
    timeout: 1h

    # The last backup of so many days, weeks and months stays.
    keep:
      daily: 7
      weekly: 4
      monthly: 6

    # A disk that fails takes data/backups with it. Copy the folder elsewhere, for example:
    # hooks:
    #   on_success:
    #     command: rclone copy data/backups remote:firetally
    # docs/backup.md has more recipes.

    # How long events, feedback and runs are kept (docs/privacy.md); without a key, for ever.
    # retention: {events: 400d, feedback: 800d, runs: 400d}

    """
}
