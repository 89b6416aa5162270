extension SectionFiles {
  /// The example of a reader's own section; without its last ending it is one.
  static let template = WorkspaceTemplate.File(
    path: "\(folder)/releases.sql.example",
    text: """
      /*---
      # A figure of your own: drop '.example' from this file's name, try it with
      # 'firetally report --check', and the next report has it on the page 'Your own figures'.
      # All keys, units and ten more examples: docs/figures.md; what a query reads:
      # docs/relations.md. 'firetally sql' runs a query without a report.
      title: Share of each release
      columns:
        version: {title: Version, unit: text}
        people:  {title: "People, of all", unit: ratio}
      definitions:
        People: With an event of this version in the period.
      empty: No event of this period names a version.
      shown: 10
      # When a row needs you: it becomes a finding, on the index and in the summary.
      checks:
        - when: people_whole >= 30 AND people_part > 0.9 * people_whole
          level: notice
          say: "{version} is on nearly every phone: {people}."
      ---*/
      SELECT app_version AS version, count(DISTINCT user_id) AS people_part,
          (SELECT count(DISTINCT user_id) FROM v_events, period
              WHERE at >= start AND at < "end" AND app_version <> '') AS people_whole
      FROM v_events, period
      WHERE at >= start AND at < "end" AND app_version <> ''
      GROUP BY app_version
      ORDER BY people_part DESC, version

      """)
}
