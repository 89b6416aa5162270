extension SchemaNotes {
  /// What the program keeps for itself.
  static let bookkeeping = """
    profiles: The signed-in users of the workspace.
      name: Name of the profile.
      user_id: Id of the user; NULL when signed out.
      tier: free, lite, plus or pro.
      city: City, for the nearby filter.
      gender: Gender.
      country: Country.
      app_version: Version of the app.
      first_account_created_at: Creation of the first account, in microseconds since 1970.
      time_zone: Time zone of its calendar days, such as Europe/Berlin.
      price: Price shown on the subscription button.
      filter_gender: Saved filter: gender.
      filter_country: Saved filter: country.
      filter_language: Saved filter: language.
      filter_min_age: Saved filter: lowest age in years.
      filter_max_age: Saved filter: highest age in years.
      filter_is_nearby_only: Saved filter: 1 for users of the same city only.
      users_refreshed_at: Last successful load of users, in microseconds since 1970.
      rating_sent: Messages sent since the last prompt.
      rating_received: Messages received since the last prompt.
      rating_tries: How often a prompt was answered with few stars.
      is_timeline_restricted: 1 when the moments service said so.
    limit_states: How much of each limit a profile has used.
      profile: Name of the profile.
      feature: What the limit counts.
      usage: Uses since the last reset.
      cooldown_started_at: Start of the cooldown, in microseconds since 1970; NULL for none.
      is_fresh: 1 after a reset until the next use.
    pending_uses: Uses whose action has not ended yet.
      id: Row number.
      profile: Name of the profile.
      feature: What the limit counts.
      started_at: Start, in microseconds since 1970.
      owner: The process that acts.
    moment_marks: Quotas of moments that the service said are reached.
      profile: Name of the profile.
      daily_limit_day: Day of the reached daily limit, as YYYY-MM-DD.
      daily_limit: The daily limit.
      is_total_limit_reached: 1 when the total limit is reached.
      total_limit: The total limit.
      daily_message: What the service said about the daily limit.
      total_message: What the service said about the total limit.
    app_sessions: Sessions of the profiles that events may still belong to.
      profile: Name of the profile.
      id: Id of the session.
      started_at: Its first event, in microseconds since 1970.
      last_event_at: Its last event, in microseconds since 1970.
      event_count: Its events so far.
    app_session_counts: Performed actions of these sessions.
      profile: Name of the profile.
      session_id: Id of the session.
      feature: What was performed.
      performed: How often.
    open_popups: Popups that stand open.
      profile: Name of the profile.
      feature: Whose popup.
      shown_at: When it was opened, in microseconds since 1970.
    outbox: The items to deliver, and those delivered; nothing is deleted.
      id: Row number, in the order of creation.
      profile: Profile that it is from.
      kind: feedback, moment or event.
      state: queued, sending, delivered, parked or rejected.
      payload: What is sent, as JSON.
      created_at: When it was queued, in microseconds since 1970.
      attempts: Attempts so far.
      sending_since: Start of the current attempt, in microseconds since 1970.
      next_attempt_at: Earliest next attempt, in microseconds since 1970.
      last_error: Why the last attempt failed.
      delivered_at: When the server took it, in microseconds since 1970.
      remote_name: Its name on the server.
      target: Where it was last sent.
    feedback_marks: What a person noted about feedback.
      key: own/ and the row in ratings, or the path of the document.
      theme: The chosen theme; empty for none, NULL where the words of the text decide.
      done_at: When it was marked as done, in microseconds since 1970; NULL while it is open.
      changed_at: When the note was last changed, in microseconds since 1970.
    feedback_seconds: Ids of feedback documents known to be taken, as ranges.
      collection: Path of the collection.
      first: First taken second since 1970.
      last: Last taken second since 1970.
    sync_runs: The ledger of runs: one row for each run of a job.
      id: Number of the run.
      job: Name of the job.
      kind: Kind of the job.
      trigger: What made it run, such as scheduled or manual.
      started_at: Start, in microseconds since 1970.
      ended_at: End, in microseconds since 1970; NULL while it runs and after a crash.
      outcome: ok, partial, fresh, blocked, failed, interrupted or locked.
      fetched: Documents read.
      inserted: Rows added.
      updated: Rows changed.
      unchanged: Rows that were as the document is.
      deleted: Rows removed.
      skipped: Documents left out by reason, as a JSON object.
      billed_reads: Document reads that are billed.
      bytes: Bytes received.
      requests: Requests sent.
      retries: Requests repeated.
      read_time: Snapshot of the pages, in microseconds since 1970.
      warnings: Warnings, as a JSON array.
      error: Why it failed.
      estimated_cost: Price of the reads, in the currency.
      currency: Currency of the price, such as USD.
      refused_by: What kept it from beginning.
      exit_status: Exit status that its error stands for.
    run_logs: What was logged about each run.
      run_id: The run.
      number: Line, from 1.
      logged_at: When, in microseconds since 1970.
      level: error, warning, info or debug.
      message: The line.
    incidents: States that kept jobs from doing well.
      id: Number of the incident.
      kind: What is wrong, such as server, failure or partial.
      causes: What makes the same trouble this incident, as a JSON array.
      sentence: What is wrong, in the words of the newest run.
      jobs: Jobs that it touched, as a JSON array.
      waiting: Those that have not done well since, as a JSON array.
      began_at: Beginning, in microseconds since 1970.
      seen_at: When it was last met, in microseconds since 1970.
      ended_at: End, in microseconds since 1970; NULL while it lasts.
      runs: Runs that met it.
      returns: How often it came back after its end.
      is_changed: 1 when a new reason was not told yet.
      told: The last message that was sent; NULL before the first.
      told_at: When it was sent, in microseconds since 1970.
      tried: A message that did not arrive; NULL when the last one did.
      claimed_at: When a process took on to send it, in microseconds since 1970; NULL when all was sent.
    online_counts: How many users were online at each load of all users.
      at: When it was loaded, in microseconds since 1970.
      job: Name of the job.
      online: Users seen within 5 minutes before.
      is_sample: 1 when the load ended at its most documents.
      is_minimum: 1 when there may have been more of them than the load fetched.
    sync_cursors: How far unfinished loads are, and where incremental ones go on.
      job: Name of the job.
      key: Which load.
      value: Position.
      started_at: Start of the load, in microseconds since 1970.
    sync_tables: Tables made by jobs of kind sync-collection.
      name: Name of the table.
      source: The collection.
    sync_child_tables: Child tables of those tables.
      name: The child table.
      parent: The table of its documents.
    sync_columns: What fills their columns.
      table_name: Name of the table.
      name: Name of the column.
      mapping: Path of the field, and type.
    sync_fields: Fields seen in their documents.
      table_name: Name of the table.
      field: Name of the field.
      kinds: Kinds of values seen, joined by commas.
    tombstones: Rows removed because their documents are gone.
      table_name: Name of the table.
      key: Key of the row.
      deleted_at: Snapshot that lacked the document, in microseconds since 1970.
    skipped_documents: Documents that were read and became no row.
      table_name: Name of the table.
      key: Key of the document.
    swept_documents: Keys found by an unfinished sweep.
      table_name: Name of the table.
      key: Key of the document.
    marks: What jobs remember between runs.
      name: Name.
      value: Value.
    erased_people: People whose data was erased.
      hash: Keyed hash of the id.
      erased_at: When, in microseconds since 1970.
    grdb_migrations: The migrations that were applied.
      identifier: Name of the migration.
    """
}
