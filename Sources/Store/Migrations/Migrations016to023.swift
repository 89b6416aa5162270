/// What the moments service said about a limit, and whether a profile's timeline is restricted.
enum M016MomentStates: Migration {
  static let identifier = "016-moment-states"

  static let sql = """
    ALTER TABLE moment_marks ADD COLUMN daily_message TEXT;
    ALTER TABLE moment_marks ADD COLUMN total_message TEXT;
    ALTER TABLE profiles ADD COLUMN is_timeline_restricted INTEGER NOT NULL DEFAULT 0;
    """
}

/// Where an item of the outbox was last sent, and which ids of feedback are known to be taken; see
/// `docs/outbox.md`.
///
/// Both ends of a range are taken, and ranges neither overlap nor touch.
enum M017FeedbackSeconds: Migration {
  static let identifier = "017-feedback-seconds"

  static let sql = """
    ALTER TABLE outbox ADD COLUMN target TEXT;
    CREATE TABLE feedback_seconds (
        collection TEXT NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL CHECK (last >= first),
        PRIMARY KEY (collection, first)
    ) STRICT, WITHOUT ROWID;
    """
}

/// Feedback that the app itself sent to Firestore; see `docs/jobs/sync-feedback.md`.
///
/// `timestamp` is in unix seconds, `update_time` and `synced_at` are in microseconds. The index of
/// the outbox finds the item that became a document.
enum M018Feedback: Migration {
  static let identifier = "018-feedback"

  static let sql = """
    CREATE TABLE app_rating_feedback (
        document_path TEXT PRIMARY KEY NOT NULL,
        document_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        gender TEXT NOT NULL,
        country TEXT NOT NULL,
        app_version TEXT NOT NULL,
        feedback TEXT NOT NULL,
        timestamp INTEGER NOT NULL,
        stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
        update_time INTEGER NOT NULL,
        synced_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX app_rating_feedback_timestamp ON app_rating_feedback(timestamp);
    CREATE INDEX outbox_remote_name ON outbox(remote_name) WHERE remote_name IS NOT NULL;
    """
}

/// An index of the few events of the rating dialog; see `docs/ratings.md#rating-events`.
///
/// A question has to repeat the condition word by word to be answered by the index. Its first half
/// spares an import the comparison of most names.
enum M019RatingPrompts: Migration {
  static let identifier = "019-rating-prompts"

  static let condition = "feature IS NULL AND name GLOB 'rating_prompt_*'"

  static let sql = """
    CREATE INDEX events_rating_prompts ON events(at)
        WHERE \(condition);
    """
}

/// The visits that events belong to, the popups that stand open, and allowances that lie fresh.
///
/// A profile that was never saved has them, too, so nothing here has a foreign key.
enum M020AppSessions: Migration {
  static let identifier = "020-app-sessions"

  static let sql = """
    CREATE TABLE app_sessions (
        profile TEXT PRIMARY KEY NOT NULL,
        id TEXT NOT NULL,
        last_event_at INTEGER NOT NULL,
        event_count INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE app_session_counts (
        profile TEXT NOT NULL,
        feature TEXT NOT NULL,
        performed INTEGER NOT NULL,
        PRIMARY KEY (profile, feature)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE open_popups (
        profile TEXT NOT NULL,
        feature TEXT NOT NULL,
        shown_at INTEGER NOT NULL,
        PRIMARY KEY (profile, feature)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE limit_states ADD COLUMN is_fresh INTEGER NOT NULL DEFAULT 0;
    """
}

/// Values of Remote Config for app instances that meet a condition, which are listed only.
enum M021ConditionalSettings: Migration {
  static let identifier = "021-conditional-settings"

  static let sql = """
    CREATE TABLE conditional_settings (
        wire_name TEXT NOT NULL,
        condition TEXT NOT NULL,
        expression TEXT NOT NULL,
        raw_value TEXT,
        PRIMARY KEY (wire_name, condition)
    ) STRICT, WITHOUT ROWID;
    """
}

/// What was logged about each run, and the exit status that its error stands for.
///
/// Lines are numbered from 1 as they were logged; those before the first that is here were left
/// out.
enum M022RunLogs: Migration {
  static let identifier = "022-run-logs"

  static let sql = """
    ALTER TABLE sync_runs ADD COLUMN exit_status INTEGER;
    CREATE TABLE run_logs (
        run_id INTEGER NOT NULL REFERENCES sync_runs(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        logged_at INTEGER NOT NULL,
        level TEXT NOT NULL,
        message TEXT NOT NULL,
        PRIMARY KEY (run_id, number)
    ) STRICT, WITHOUT ROWID;
    """
}

/// The people whose data was erased; see `docs/privacy.md#tombstones`.
///
/// `hash` is a keyed hash of the id; the key is the metadata `erasure-key`.
enum M023Erasures: Migration {
  static let identifier = "023-erasures"

  static let sql = """
    CREATE TABLE erased_people (
        hash INTEGER PRIMARY KEY,
        erased_at INTEGER NOT NULL
    ) STRICT;
    """
}
