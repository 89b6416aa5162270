import Firestore
import Model

/// What is wrong with a few documents of every real collection.
enum SampleFlaws {
  typealias Entry = (id: String, fields: [String: Value])

  /// Users below which nobody is flawed.
  private static let smallest = 25

  /// Puts one flaw of each kind on users spread over the collection, all seen lately.
  static func apply(to users: inout [Entry], now: Instant) {
    guard users.count >= smallest else { return }
    let flaws: [(inout Entry) -> Void] = [
      { $0.fields["User_name"] = .string("") },
      { rename(&$0, to: "promo_ad_0017", isAd: true) },
      { rename(&$0, to: "x7", isAd: false) },
      { _ in },
      { $0.fields["User_age"] = .array([.string("27")]) },
      { $0.fields["last_time_seen"] = .string("yesterday") },
    ]
    for (position, flaw) in flaws.enumerated() {
      let index = position * users.count / flaws.count + 3
      let minutes = Int64(7 * position + 5)
      users[index].fields["last_time_seen"] = time(now - .seconds(minutes * 60))
      flaw(&users[index])
    }
    let future = 3 * users.count / flaws.count + 3
    users[future].fields["last_time_seen"] = time(now + .seconds(2 * 86_400))
  }

  private static func rename(_ user: inout Entry, to id: String, isAd: Bool) {
    user.id = id
    user.fields["User_id"] = .string(id)
    user.fields["isAd"] = .boolean(isAd)
  }

  private static func time(_ instant: Instant) -> Value {
    .timestamp(Timestamp(microseconds: instant.microseconds))
  }
}
