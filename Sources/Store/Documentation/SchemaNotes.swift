import Model

/// What each table and column of the program means, for `firetally schema`.
///
/// A line that begins at the margin is a table, an indented one a column of it. The columns of
/// users have theirs in `UserColumn`. A test holds the list against the database.
enum SchemaNotes {
  static let tables: [String: String] = parsed.tables
  static let columns: [String: [String: String]] = parsed.columns

  private static let parsed = parse(appData + "\n" + bookkeeping)

  private static func parse(
    _ text: String
  ) -> (tables: [String: String], columns: [String: [String: String]]) {
    var tables: [String: String] = [:]
    var columns: [String: [String: String]] = [:]
    var table = ""
    for line in text.split(separator: "\n") {
      guard let colon = line.firstRange(of: ": ") else { continue }
      let name = String(line[..<colon.lowerBound].drop { $0 == " " })
      let meaning = String(line[colon.upperBound...])
      if line.hasPrefix(" ") {
        columns[table, default: [:]][name] = meaning
      } else {
        table = name
        tables[table] = meaning
      }
    }
    for column in UserColumn.allCases.map(\.descriptor) {
      columns["OnlineUsers", default: [:]][column.name] = column.note
      columns["OnlineUsers_staging", default: [:]][column.name] = "As in OnlineUsers."
    }
    return (tables, columns)
  }

  private static let appData = """
    OnlineUsers: The users, one row each; the app's own table with two columns more.
      id: Row number; a user keeps it.
      synced_at: When the row was last written, in microseconds since 1970.
    OnlineUsers_staging: Pages of a replacing load, until the last one has arrived.
    events: The usage ledger: one row for each analytics event.
      id: Row number, in the order of arrival.
      name: Full name, such as ios_refresh_performed.
      at: When it happened, in microseconds since 1970.
      user_id: Id of the user; empty when unknown.
      platform: First part of the name, such as ios; NULL for another form of name.
      feature: refresh, filter, search, message or conversation; NULL for other events.
      kind: What happened, such as popup_shown; NULL for other events.
      user_type: lite_subscriber, new_user or free_user, as of the event.
      stars: Stars of a rating event, 1 to 5.
      parameters: Parameters, as a JSON object sorted by name.
      country: Country of the event.
      app_version: Version of the app.
      source: File that it was imported from, or what recorded it.
      fingerprint: Hash of the content; with the time it tells equal events.
    ratings: Ratings given with this workspace's dialog.
      id: Row number.
      profile: Profile that rated.
      user_id: Id of the user.
      gender: Gender of the profile.
      country: Country of the profile.
      app_version: Version of the app.
      stars: 1 to 5.
      feedback: Text of a low rating; NULL for a high one.
      at: When, in microseconds since 1970.
      tries: How often the dialog had been answered before.
      outbox_id: The outbox item that delivers the feedback.
    app_rating_feedback: Feedback documents read from Firestore, own and foreign.
      document_path: Path of the document below the database.
      document_id: Id of the document: its time in unix seconds.
      user_id: Id of the user.
      gender: Gender.
      country: Country.
      app_version: Version of the app.
      feedback: The text.
      timestamp: When it was written, in seconds since 1970.
      stars: 1 to 5.
      update_time: Last change of the document, in microseconds since 1970.
      synced_at: When the row was last written, in microseconds since 1970.
    app_store_reviews: Customer reviews of the App Store.
      id: Apple's id of the review.
      app_id: Apple's id of the app.
      country: Store, as a two-letter country code.
      stars: 1 to 5.
      version: Version that was reviewed.
      author: Name of the author.
      title: Title.
      text: The review.
      updated_at: When it was written or changed, in microseconds since 1970.
      found_at: When it was first read, in microseconds since 1970.
      synced_at: When the row was last written, in microseconds since 1970.
    auth_users: Accounts of Firebase Authentication, one row each.
      uid: Id of the account.
      email: The e-mail address, where the job keeps it.
      email_hash: A keyed hash of the address.
      email_verified: 1 when the address was confirmed.
      phone: The phone number, where the job keeps it.
      phone_hash: A keyed hash of the number.
      providers: JSON array of ids such as google.com.
      created_at: When the account was made, in microseconds since 1970.
      last_sign_in_at: The last sign-in, in microseconds since 1970.
      last_refresh_at: The last new token, in microseconds since 1970.
      disabled: 1 when the account is disabled.
      tenant_id: The tenant of Identity Platform.
      factors: Number of second factors.
      claims: The custom claims as JSON.
      tier: The tier that the claims name.
      names_other_tier: 1 while the claim of the tier cannot be read: it is no text, or stands for no tier.
      password_hash: Base64, where the job asks for it.
      salt: Base64, with the hash.
      synced_at: When the row was last written, in microseconds since 1970.
      pass: Number of the whole reading that saw the account last.
    tier_changes: Accounts that were seen with another tier than before.
      id: Row number.
      uid: Id of the account.
      from_tier: The tier before; NULL at the first reading, when it is not known since when.
      to_tier: The tier since; NULL when the account is gone.
      seen_at: When a pass saw it, in microseconds since 1970.
    settings: The settings that each remote source sent last.
      source: app-settings or remote-config.
      wire_name: Name of the field there.
      raw_value: Value as text.
      fetched_at: When it was read, in microseconds since 1970.
    settings_history: Changes of settings.
      id: Row number.
      source: app-settings or remote-config.
      wire_name: Name of the field there.
      old_value: Value before; NULL when there was none.
      new_value: Value after; NULL when it is gone.
      changed_at: When the change was seen, in microseconds since 1970.
    setting_proposals: Changes of settings that somebody proposed, with what they should do.
      id: Row number.
      key: Name of the setting, such as refresh.limit.
      old_value: What the settings document said then; NULL when it did not name it.
      value: The proposed value.
      reason: Why, in the words of who proposed it.
      expected_points: By how many percentage points more people should tap to subscribe.
      proposed_at: When, in microseconds since 1970.
    conditional_settings: Values of Remote Config under a condition, for display only.
      wire_name: Name of the parameter.
      condition: Name of the condition.
      expression: The condition, as Remote Config writes it.
      raw_value: Value as text.
    """
}
