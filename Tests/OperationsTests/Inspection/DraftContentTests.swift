import Firestore
import JobsTesting
import Model
import Reports
import Sync
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Operations

/// What drafted job files leave out, and say of schedules: docs/inspect.md#drafts.
@Suite struct DraftContentTests {
  private static let written = Timestamp(microseconds: 1_769_846_400_000_000)

  private func collection(
    _ id: String, _ documents: [[String: Value]], isGroup: Bool = false, places: Set<String> = [],
    count: Int = 1_234
  ) -> InspectedCollection {
    let tally = SampleTally()
    for (number, fields) in documents.enumerated() {
      tally.add(
        Document(
          name: "projects/p/databases/d/documents/C/\(number)", fields: fields,
          createTime: Self.written, updateTime: Self.written))
    }
    var collection = InspectedCollection(
      source: CollectionSource(collectionId: id, isGroup: isGroup), level: 1)
    collection.places = places
    collection.count = count
    collection.profile = tally.profile
    return collection
  }

  private func draft(_ collection: InspectedCollection) throws -> JobDraft {
    var taken = TakenNames(JobFiles.catalog(of: []))
    return JobDraft(collection, besides: &taken, price: .example, day: "2026-01-31")
  }

  private func options(_ draft: JobDraft) throws -> SyncCollectionOptions {
    let job = try #require(JobDraft.accepted(draft.text, draft.job), "\(draft.text)")
    return try #require(job.definition as? SyncCollectionOptions)
  }

  @Test func `passwords and tokens are in no column, nor in whole documents`() throws {
    let found = collection(
      "Members",
      [
        [
          "name": .string("x"), "fcmToken": .string("t"), "User_device_token": .string("t"),
          "pushTokens": .array([.string("t")]), "tokensUsed": .integer(3),
          "auth": .map(["api_key": .string("k"), "level": .integer(1)]),
        ]
      ])
    let draft = try draft(found)
    let options = try options(draft)
    #expect(options.columns.map(\.name) == ["auth_level", "name", "tokensUsed"])
    #expect(options.exploded.isEmpty && !options.hasDocument)
    #expect(draft.text.contains("\n# document: true\n"))
    #expect(
      draft.text.contains("copied with User_device_token, auth.api_key, fcmToken and pushTokens."),
      "\(draft.text)")
  }

  @Test func `a draft has no schedule, and says how to give it one`() throws {
    let draft = try draft(collection("Orders", [["n": .integer(1)]]))
    #expect(draft.text.contains("`firetally run orders`"))
    #expect(try #require(JobDraft.accepted(draft.text, draft.job)).schedule == nil)
    let scheduled = draft.text.replacing("# schedule: ", with: "schedule: ")
    #expect(JobDraft.accepted(scheduled, draft.job)?.schedule?.fields == "20 * * * *")
  }

  @Test(arguments: [false, true])
  func `what the app's own jobs read is drafted only when it is named`(areNamed: Bool) throws {
    let workspace = try TestWorkspace(jobs: [
      "people": "kind: sync-users\n", "rules": "kind: sync-settings\n",
      "texts": "kind: sync-feedback\n",
    ])
    let found = [
      collection("Users", [[:]]), collection("AppSettings", [[:]]), collection("Orders", [[:]]),
      collection("Users", [[:]], isGroup: true, places: ["Shops/*/Users"]),
      collection(
        "Rating_Feedback", [[:]], isGroup: true, places: ["Feedback/*/Rating_Feedback"]),
    ]
    var outcomes: [String] = []
    try JobDraft.write(
      found, to: workspace.folder, price: .example, day: "2026-01-31", overwrites: false,
      areNamed: areNamed
    ) { _, outcome, path in outcomes.append("\(outcome) \(path)") }
    #expect(
      outcomes
        == (areNamed
          ? [
            "written jobs/users.yml", "written jobs/app-settings.yml", "written jobs/orders.yml",
            "written jobs/users-2.yml", "written jobs/rating-feedback.yml",
          ]
          : [
            "read jobs/people.yml", "read jobs/rules.yml", "written jobs/orders.yml",
            "written jobs/users.yml", "read jobs/texts.yml",
          ]))
  }
}
