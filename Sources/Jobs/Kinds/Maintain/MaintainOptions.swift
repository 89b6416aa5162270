package import Model

/// How a job of kind `maintain` works; see `docs/jobs/maintain.md`.
package struct MaintainOptions: JobDefinition {
  package static let kind = JobKind("maintain")

  /// The backups that stay; a policy that keeps none makes none.
  package var keep = RetentionPolicy(daily: 7)
  /// What goes by its age.
  package var retention = RetentionOptions()

  package static let dayCounts = 0...365
  package static let weekCounts = 0...520
  package static let monthCounts = 0...120

  package static let options = OptionKeys(
    MaintainOptions(),
    [
      .section("keep", \.keep, policy),
      .custom(ConfigurationKey("keep_backups", .integer(dayCounts))) { reader, options in
        guard let entry = reader.entry("keep_backups") else { return }
        if reader.entry("keep") != nil {
          reader.problem(
            entry, "cannot stand beside keep; write its number as keep.daily, and leave it out")
        }
        options.keep.daily = reader.integer("keep_backups", in: dayCounts) ?? options.keep.daily
      },
      .section("retention", \.retention, RetentionOptions.options),
    ])

  private static let policy = OptionKeys(
    MaintainOptions().keep,
    [
      .key("daily", \.daily, .integer(dayCounts)),
      .key("weekly", \.weekly, .integer(weekCounts)),
      .key("monthly", \.monthly, .integer(monthCounts)),
    ])

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
