import Fixtures
import Emulator
import Firestore
import Model
import Testing

@Suite struct SampleAppTests {
  private static let now = Instant.morning
  private static let database = "projects/demo/databases/(default)"
  private static let app = SampleApp(now: now)
  private static let events = app.events()

  private static let users = app.documents(in: database).filter { $0.name.contains("/Users/") }

  private func texts(_ field: String) -> [String] {
    Self.users.compactMap { if case .string(let text)? = $0.fields[field] { text } else { nil } }
  }

  @Test func `the same seed makes the same app, another seed another one`() {
    let app = SampleApp(users: 60, now: Self.now)
    let again = SampleApp(users: 60, now: Self.now)
    #expect(again.documents(in: Self.database) == app.documents(in: Self.database))
    #expect(again.events() == app.events())
    #expect(again.ratings == app.ratings)
    let other = SampleApp(users: 60, seed: 43, now: Self.now)
    #expect(other.documents(in: Self.database) != app.documents(in: Self.database))
    #expect(other.events() != app.events())
  }

  @Test func `a session keeps its filter, and each one begins with what the last one used`() throws
  {
    var filters: [String: Set<String>] = [:]
    var used: [String: Int64] = [:]
    for event in Self.events.sorted(by: { ($0.at, $0.userId) < ($1.at, $1.userId) }) {
      guard let name = FeatureEventName(event.name) else { continue }
      let parameters = event.parameters
      if name.feature == .filter {
        guard case .string(let session)? = parameters["ios_session_id"],
          case .string(let country)? = parameters["ios_filter_country"]
        else {
          Issue.record("\(event.name) names no session or filter")
          continue
        }
        filters[session, default: []].insert(country)
      }
      guard parameters["ios_user_type"] == .string("free_user") else { continue }
      let key = "\(event.userId) \(name.feature)"
      switch name.kind {
      case .performed: used[key, default: 0] += 1
      case .limitReset: used[key] = 0
      default: break
      }
      // A popup may be closed when the wait that it showed is over, and its reset is not yet
      // logged.
      guard name.kind == .buttonTapped else { continue }
      #expect(parameters["ios_current_usage"] == .integer(used[key] ?? 0), "\(event)")
    }
    #expect(filters.count > 50 && filters.values.allSatisfy { $0.count == 1 })
    #expect(used.count > 50)
  }

  @Test(arguments: [0, 1, 24, 25, 500]) func `there are as many users as asked for`(count: Int) {
    let app = SampleApp(users: count, now: Self.now)
    let documents = app.documents(in: Self.database)
    #expect(documents.count == count + 1)
    #expect(Set(documents.map(\.name)).count == count + 1)
    #expect(documents.last?.name == "\(Self.database)/documents/AppSettings/com.peppty.ChatApp")
  }

  @Test func `names come in many scripts`() {
    let scalars = texts("User_name").joined().unicodeScalars
    let scripts: [ClosedRange<UInt32>] = [
      0x41...0x7A, 0x370...0x3FF, 0x400...0x4FF, 0x590...0x5FF, 0x600...0x6FF, 0x900...0x97F,
      0xE00...0xE7F, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
    ]
    for script in scripts {
      #expect(scalars.contains { script.contains($0.value) }, "none of \(script)")
    }
    #expect(Set(texts("User_country")).count >= 20)
    #expect(Set(texts("user_language")).count >= 15)
  }

  @Test func `ages are digits from 18 to 70, a few of them integers`() {
    var integers = 0
    var ages: [Int] = []
    for user in Self.users {
      switch user.fields["User_age"] {
      case .string(let text): ages += Int(text).map { [$0] } ?? []
      case .integer(let age):
        integers += 1
        ages.append(Int(age))
      default: break
      }
    }
    #expect(ages.count == 499)
    #expect(ages.allSatisfy { (18...70).contains($0) })
    #expect((5...50).contains(integers))
    #expect(ages.filter { $0 <= 30 }.count > 250)
  }

  @Test func `each flaw of real data is there once`() {
    func count(_ isFlawed: (Document) -> Bool) -> Int { Self.users.filter(isFlawed).count }
    #expect(count { $0.fields["User_name"] == .string("") } == 1)
    #expect(count { $0.id.contains("_ad_") } == 1)
    #expect(count { $0.id.count < 3 } == 1)
    #expect(count { if case .array = $0.fields["User_age"] { true } else { false } } == 1)
    #expect(count { if case .string = $0.fields["last_time_seen"] { true } else { false } } == 1)
    #expect(count { seen($0).map { $0 > Self.now + .seconds(300) } ?? false } == 1)
  }

  private func seen(_ user: Document) -> Instant? {
    switch user.fields["last_time_seen"] {
    case .timestamp(let time): Instant(microseconds: time.microseconds)
    case .integer(let seconds): Instant(unixSeconds: seconds)
    default: nil
    }
  }

  @Test func `last-seen times are many within the hour, with a long tail`() {
    let ages = Self.users.compactMap(seen).map { Self.now - $0 }
    func within(_ duration: Duration) -> Int { ages.filter { $0 >= .zero && $0 <= duration }.count }
    #expect((80...200).contains(within(.seconds(3600))))
    #expect((200...350).contains(within(.seconds(86_400))))
    #expect(ages.filter { $0 > .seconds(30 * 86_400) }.count >= 10)
  }

  @Test func `events are two weeks of believable funnels`() {
    let events = Self.events
    #expect((8_000...16_000).contains(events.count), "\(events.count)")
    #expect(events.allSatisfy { $0.at <= Self.now && $0.at > Self.now - .seconds(14 * 86_400) })
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.at <= $1.at })
    var counts: [EventKind: Int] = [:]
    for event in events { FeatureEventName(event.name).map { counts[$0.kind, default: 0] += 1 } }
    func count(_ kind: EventKind) -> Int { counts[kind] ?? 0 }
    #expect(count(.buttonTapped) > count(.popupShown))
    #expect(count(.popupShown) > count(.blockedLimitReached) + count(.blockedCooldown))
    #expect(count(.popupShown) == count(.pricingDisplayed))
    #expect(count(.subscriptionButtonTapped) * 100 > count(.popupShown))
    #expect(count(.subscriptionButtonTapped) * 10 < count(.popupShown))
    for kind in EventKind.allCases where kind != .clockSkew {
      #expect(count(kind) > 0, "no \(kind.rawValue)")
    }
    #expect(count(.clockSkew) == 0)
  }

  @Test func `every event of a feature says who, and what the limit was`() {
    for event in Self.events where FeatureEventName(event.name) != nil {
      #expect(event.parameters["ios_user_id"] == .string(event.userId))
      guard case .string(let type)? = event.parameters["ios_user_type"] else {
        Issue.record("no user type in \(event)")
        continue
      }
      #expect(UserType(rawValue: type) != nil)
      guard case .integer(let usage)? = event.parameters["ios_current_usage"],
        case .integer(let limit)? = event.parameters["ios_usage_limit"]
      else {
        Issue.record("no usage in \(event)")
        continue
      }
      #expect(usage <= limit)
    }
  }

  @Test func `every dialog is shown before it is answered, by two thresholds in turn`() {
    let prompts = Self.events.compactMap { RatingPromptEvent($0) }
    func count(_ kind: RatingPromptEvent.Kind) -> Int { prompts.count { $0.kind == kind } }
    for kind in RatingPromptEvent.Kind.allCases { #expect(count(kind) > 5, "\(kind)") }
    #expect(count(.shown) > count(.stars) + count(.later))
    #expect(count(.stars) > count(.store) + count(.feedback))
    // What-if and the show rate can be tried: counters are told, and some are not asked.
    #expect(prompts.allSatisfy { $0.counters != nil } && prompts.contains(where: \.isFromSettings))
    let asked = Set(prompts.filter { $0.kind == .shown }.map(\.userId))
    #expect(prompts.contains { $0.kind == .due && !asked.contains($0.userId) })
    #expect(prompts.filter { $0.kind == .due }.allSatisfy(RatingPromptRule.wasDue))
    #expect(Set(prompts.compactMap(\.thresholds?.messages)) == [10, 15])
    let given = prompts.filter { $0.kind == .stars }
    #expect(given.allSatisfy { $0.stars != nil })
  }

  @Test func `low rating events are those of the app's own feedback; the others are submitted`() {
    let keys = Self.events.filter { $0.name == "app_events" }.flatMap(\.parameters.keys)
    #expect(keys.count > 80)
    #expect(keys.contains("rating_ChatHub_5") && keys.contains("rating_ChatHub_4"))
    let low = (1...3).map { stars in keys.count { $0 == "rating_ChatHub_\(stars)" } }
    #expect(low == (1...3).map { stars in Self.app.appFeedback.count { $0.stars == stars } })
  }

  @Test func `the app's own feedback is documents by their second, apart from what is submitted`() {
    let documents = Self.app.feedbackDocuments(in: Self.database)
    #expect(documents.count == Self.app.appFeedback.count && documents.count > 10)
    let own = Set(Self.app.ratings.map { "\($0.timestamp)" })
    for document in documents {
      #expect(document.name.contains("/Feedback/com.peppty.ChatApp/Rating_Feedback/"))
      #expect(document.fields["timestamp"] == Int64(document.id).map { .integer($0) })
      #expect(!own.contains(document.id))
    }
  }

  @Test func `feedback fits its limits and is written once a user and second`() {
    let ratings = (Self.app.ratings + Self.app.appFeedback).sorted { $0.timestamp < $1.timestamp }
    #expect(ratings.count >= 40)
    #expect(ratings.allSatisfy { (10...500).contains($0.text.count) })
    #expect(Set(ratings.map(\.stars)) == [1, 2, 3])
    #expect(Set(ratings.map(\.timestamp)).count == ratings.count)
    #expect(Set(ratings.map(\.userId)).count == ratings.count)
    #expect(ratings.allSatisfy { $0.timestamp < Self.now.unixSeconds })
    #expect(ratings.map(\.timestamp) == ratings.map(\.timestamp).sorted())
  }

  @Test func `the settings hold fields that Firetally does not know`() {
    #expect(SampleApp.settings["freeRefreshLimit"] == .integer(3))
    #expect(SampleApp.settings["liveCallsEnabled"] == .boolean(true))
  }
}
