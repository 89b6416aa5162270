extension WorkspaceTemplate {
  static let settings = """
    # Fetches the app's remote configuration: limits, cooldowns, free period.
    # Every key of a job file is explained in docs/jobs.md.
    kind: sync-settings
    description: The app's settings from Firestore
    schedule: "3-59/30 * * * *"
    timeout: 5m

    # The document; AppSettings/ and the app's bundle id when left out.
    # document: AppSettings/com.peppty.ChatApp

    """

  static let onlineUsers = """
    # Copies the users who were online last into the table OnlineUsers.
    #
    # A run makes no request while the last load is not older than the setting
    # onlineUsersStaleSeconds (30 minutes). That is why it may start often: whatever
    # cron's timing, the copy is never much older than that.
    kind: sync-users
    description: The users who were online last
    schedule: "*/10 * * * *"
    needs: [settings]
    timeout: 10m

    # The numbers of the app itself: 250 users, fetched 50 at a time.
    collection: Users
    page_size: 50
    max_documents: 250

    # To mirror every user instead (each document read is billed, once a load):
    # page_size: 1000
    # max_documents: all

    # When your documents use other field names, the app's own on the left:
    # fields:
    #   User_name: displayName
    #   last_time_seen: lastSeenAt

    """

  static let events = """
    # Reads the usage events of a GA4 export (BigQuery, as NDJSON, plain or gzip).
    # A file that was read before adds nothing, so it can stay where it is.
    kind: import-events
    description: Usage events from the analytics export
    schedule: "20 * * * *"
    timeout: 1h

    files:
      - data/exports/*.ndjson
      - data/exports/*.ndjson.gz

    # Lines that cannot be read go here, each with its number and the reason.
    rejects: data/rejects/events.txt

    """

  static let uploadFeedback = """
    # Delivers what waits in the outbox: feedback to Firestore, moments to the service that
    # moments.base_url of firetally.yml names, events to Google Analytics if it has a section for that.
    kind: upload-outbox
    description: Queued feedback, moments and events to their servers
    schedule: "2-59/5 * * * *"
    timeout: 5m

    kinds: [feedback, moment, event]
    # Of each kind, in one run.
    max_items: 500

    # Tell a monitoring service, or yourself, how it went:
    # hooks:
    #   on_success:
    #     ping: https://hc-ping.com/your-check-id
    #   on_failure:
    #     command: echo "$FIRETALLY_JOB $FIRETALLY_OUTCOME" | mail -s firetally you@example.com

    """

  static let report = """
    # Writes the pages that you read in the morning; output/index.html is the first.
    kind: report
    description: The morning report
    schedule: "35 6 * * *"
    # Only an order: 'firetally run report' runs this job alone, on what the database holds.
    # In 'firetally run --all' it comes last, and not at all when one of these failed.
    needs: [settings, online-users, events, upload-feedback]
    timeout: 10m

    reports: [usage, limits, ratings, users, runs]
    formats: [html, text, json, csv]
    # Days to look back; the same number of days before them is what it compares with.
    period_days: 7
    output: output
    # A copy of each day's last report, and how many days to keep it; 0 makes none.
    history:
      keep: 30

    # For people outside: pseudonyms for users and profiles, all in one file to send.
    # anonymous: true
    # single_file: true

    """

  static let maintain = """
    # Removes corrupted rows, checks the database and keeps backups in data/backups.
    kind: maintain
    description: Cleanup, integrity check and backup
    schedule: "15 3 * * *"
    timeout: 1h

    # Backups to keep, newest first; 0 makes none.
    keep_backups: 7

    """
}
