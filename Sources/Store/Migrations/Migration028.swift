/// What a person noted about a feedback text; see `docs/feedback-themes.md#tag-and-done`.
///
/// `key` is `own/` and the row in `ratings`, or the path of the document: it stays the same when the
/// text is delivered, and when its document is read again. `theme` is empty for a text that belongs
/// to none, NULL where its words decide. Times are in microseconds.
enum M028FeedbackMarks: Migration {
  static let identifier = "028-feedback-marks"

  static let sql = """
    CREATE TABLE feedback_marks (
        key TEXT PRIMARY KEY NOT NULL,
        theme TEXT,
        done_at INTEGER,
        changed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
