/// The types of columns that views of the relations compute: SQLite knows types of tables alone.
///
/// docs/relations.md has the same; a test holds both against the views.
extension RelationTables {
  /// The types by column: none of those that the view takes from a table as they are.
  ///
  /// An affinity that changes no value that the view gives: NUMERIC where integers and fractions
  /// stand beside each other.
  static func computedTypes(of relation: String) -> [String: String] {
    let types = computed[relation] ?? []
    let times = TimeViews.all.first { $0.name == relation }?.times ?? []
    return Dictionary(
      types.flatMap { type, columns in
        columns.split(separator: " ").map { (String($0), type) }
      } + times.map { ($0, "TEXT") }
    ) { first, _ in first }
  }

  private static let computed: [String: [(type: String, columns: String)]] = [
    "price_seen": [("TEXT", "currency"), ("INTEGER", "first has_tapped has_subscribed")],
    "price_pair": [
      ("TEXT", "cheaper dearer currency"), ("REAL", "cheaper_amount dearer_amount"),
      ("INTEGER", "together start finish"),
    ],
    "price_answer": [
      ("TEXT", "measure cheaper dearer currency verdict until"),
      ("INTEGER", "together cheaper_part cheaper_whole dearer_part dearer_whole"),
      ("REAL", "cheaper_brings dearer_brings difference low high"),
    ],
    "payment_month": [("TEXT", "month"), ("INTEGER", "start end is_over")],
    "account": [("INTEGER", "read_at")],
    "app_user": [
      ("TEXT", "gender country language"), ("INTEGER", "age is_sample"),
      ("NUMERIC", "seconds_ago"),
    ],
    "feedback_text": [
      ("TEXT", "key origin user_id country app_version text state"), ("INTEGER", "at stars"),
    ],
    "setting_value": [("TEXT", "wire_name value condition"), ("INTEGER", "since is_now")],
    "online_load": [("INTEGER", "in_period")],
    "store_country": [("TEXT", "country code name")],
  ]
}
