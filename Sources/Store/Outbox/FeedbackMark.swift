import GRDB
package import Model

/// What a person noted about a feedback text.
package struct FeedbackMark: Hashable, Sendable {
  package enum ThemeChoice: Hashable, Sendable {
    /// Nobody chose: the words of the text decide.
    case byWords
    /// It belongs to no theme, whatever its words.
    case none
    /// The id of a theme, which the list may no longer have.
    case chosen(String)
  }

  package var theme = ThemeChoice.byWords
  /// Nil while it is open.
  package var doneAt: Instant?
}

/// What people note about feedback: docs/feedback-themes.md#tag-and-done.
extension Readable {
  /// The entries that an id means: a key (`own/12`), a document's path, or a document's id.
  ///
  /// More than one when documents of several collections have the id.
  package func feedbackEntries(named id: String) throws -> [RatingsData.FeedbackEntry] {
    let entries = try feedbackEntries()
    let exact = entries.filter { $0.key.hasSameBytes(as: id) || $0.remoteName == id }
    guard exact.isEmpty, !id.contains("/") else { return exact }
    return entries.filter { $0.remoteName?.hasSuffix("/\(id)") == true }
  }
}

extension Writer {
  /// Notes the theme of an entry; `byWords` takes a note back.
  package func setTheme(
    _ theme: FeedbackMark.ThemeChoice, ofFeedback key: String, at now: Instant
  ) throws {
    let stored: String? =
      switch theme {
      case .byWords: nil
      case .none: ""
      case .chosen(let id): id
      }
    try run(
      """
      INSERT INTO feedback_marks (key, theme, changed_at) VALUES (?1, ?2, ?3)
      ON CONFLICT (key) DO UPDATE SET theme = ?2, changed_at = ?3
      """, [key, stored, now.microseconds])
    try forgetEmptyMark(of: key)
  }

  /// Notes that an entry is done, or open again; one that is done already keeps its time.
  package func setDone(_ isDone: Bool, feedback key: String, at now: Instant) throws {
    try run(
      """
      INSERT INTO feedback_marks (key, done_at, changed_at) VALUES (?1, ?2, ?3)
      ON CONFLICT (key) DO UPDATE SET
        done_at = CASE WHEN ?2 IS NULL THEN NULL ELSE coalesce(done_at, ?2) END, changed_at = ?3
      """, [key, isDone ? now.microseconds : nil, now.microseconds])
    try forgetEmptyMark(of: key)
  }

  private func forgetEmptyMark(of key: String) throws {
    try run("DELETE FROM feedback_marks WHERE key = ? AND theme IS NULL AND done_at IS NULL", [key])
  }

  /// Removes the notes about own feedback whose row is gone: its number may be given again.
  func forgetMarksWithoutRating() throws {
    try run(
      """
      DELETE FROM feedback_marks WHERE substr(key, 1, 4) = 'own/'
      AND CAST(substr(key, 5) AS INTEGER) NOT IN (SELECT id FROM ratings)
      """)
  }
}
