import Firestore
import JobsTesting
import Model
import Testing

@testable import Jobs
@testable import Sync

@Suite struct SyncUsersQueryTests {
  private func query(_ filter: UserFilter, city: String? = nil) -> StructuredQuery {
    SyncUsersQuery.query(collection: "Users", fields: .app, filter: filter, city: city)
  }

  private func equal(_ field: String, _ value: String) -> StructuredQuery.Filter {
    .field(FieldPath(segments: [field]), .equal, .string(value))
  }

  @Test func `users come newest first, then by name, and nothing is filtered without criteria`() {
    let query = query(.none)
    #expect(
      query.orderBy == [
        .init(field: FieldPath(segments: ["last_time_seen"]), direction: .descending),
        .init(field: .documentName, direction: .descending),
      ])
    #expect(query.from == [.init(collectionId: "Users", allDescendants: false)])
    #expect(query.filter == nil)
  }

  @Test func `one criterion is a plain equality`() {
    #expect(query(UserFilter(country: "Chile")).filter == equal("User_country", "Chile"))
    #expect(query(UserFilter(language: "Spanish")).filter == equal("user_language", "Spanish"))
  }

  @Test func `a gender is asked for in every spelling that programs write`() {
    #expect(query(UserFilter(gender: .female)).filter == oneOf(["Female", "female", "FEMALE"]))
    #expect(query(UserFilter(gender: .male)).filter == oneOf(["Male", "male", "MALE"]))
  }

  private func oneOf(_ genders: [String]) -> StructuredQuery.Filter {
    .field(
      FieldPath(segments: ["User_gender"]), .in, .array(genders.map { .string($0) }))
  }

  @Test func `several criteria must all hold; age stays out`() {
    let filter = UserFilter(gender: .male, country: "Chile", minAge: 20, maxAge: 30)
    #expect(
      query(filter).filter
        == .composite(
          .and, [oneOf(["Male", "male", "MALE"]), equal("User_country", "Chile")]))
    #expect(query(UserFilter(minAge: 20, maxAge: 30)).filter == nil)
  }

  @Test func `nearby compares the city in either of its fields, and only when it is asked for`() {
    #expect(
      query(UserFilter(isNearbyOnly: true), city: "Lima").filter
        == .composite(.or, [equal("user_city", "Lima"), equal("User_city", "Lima")]))
    #expect(query(.none, city: "Lima").filter == nil)
  }

  @Test func `renamed fields are used in the query and in the mapping`() {
    let fields = UserWireFields.app.renamed(["last_time_seen": "seenAt", "User_city": "town"])
    let query = SyncUsersQuery.query(collection: "People", fields: fields, filter: .none, city: nil)
    #expect(query.orderBy.first?.field == FieldPath(segments: ["seenAt"]))
    #expect(fields.names[.city] == ["user_city", "town"])
    #expect(fields.names[.name] == ["User_name"])
    #expect(fields.scanned.count == 16)
  }
}
