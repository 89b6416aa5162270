import Firestore
import Fixtures
import Model
import Store
import Testing

@testable import Jobs
@testable import Sync

/// The second of the feedback below, which is the first id that it is sent under.
private let second = Instant.morning.unixSeconds

@Suite struct FeedbackUploadTests {
  private let feedback = Feedback(
    userId: "u1", gender: "Female", country: "Chile", appVersion: "3.1",
    text: "Too many limits for me", timestamp: second, stars: 2)

  private let other: [String: Value] = ["feedback": .string("somebody else's")]

  /// An upload whose first create, at its own second, is under way.
  private func begun() -> FeedbackUpload {
    var upload = FeedbackUpload(feedback)
    #expect(upload.start() == .place(from: second))
    #expect(upload.on(.placed(second)) == .create(id: "1769846400"))
    return upload
  }

  @Test func `a created document is delivered under the feedback's second`() {
    var upload = begun()
    #expect(upload.on(.created) == .deliver(id: "1769846400"))
  }

  @Test func `the document has the seven fields of the app, the rating as a double`() {
    #expect(
      feedback.fields == [
        "userId": .string("u1"), "gender": .string("Female"), "country": .string("Chile"),
        "appVersion": .string("3.1"), "feedback": .string("Too many limits for me"),
        "timestamp": .integer(second), "rating": .double(2),
      ])
  }

  @Test func `an id taken by the same content was delivered before`() {
    var upload = begun()
    #expect(upload.on(.alreadyExists) == .read(id: "1769846400"))
    #expect(upload.on(.read(feedback.fields)) == .deliver(id: "1769846400"))
  }

  @Test
  func `an id taken by other content leads to a search for a free one, the timestamp stays`() {
    var upload = begun()
    #expect(upload.on(.alreadyExists) == .read(id: "1769846400"))
    #expect(upload.on(.read(other)) == .search(after: second))
    #expect(upload.on(.searched) == .place(from: second))
    #expect(upload.on(.placed(1_769_846_403)) == .create(id: "1769846403"))
    #expect(upload.on(.created) == .deliver(id: "1769846403"))
  }

  @Test func `a document that vanished between create and read is created again`() {
    var upload = begun()
    #expect(upload.on(.alreadyExists) == .read(id: "1769846400"))
    #expect(upload.on(.read(nil)) == .create(id: "1769846400"))
  }

  @Test func `a success that proves nothing is asked for: there is delivered, not there waits`() {
    var upload = begun()
    #expect(upload.on(.unproven) == .read(id: "1769846400"))
    var absent = upload
    #expect(upload.on(.read(feedback.fields)) == .deliver(id: "1769846400"))
    #expect(absent.on(.read(nil)) == .retryLater)
    var taken = begun()
    _ = taken.on(.unproven)
    #expect(taken.on(.read(other)) == .search(after: second))
  }

  @Test
  func `what may have arrived is asked for where it was sent, and goes there when it is not`() {
    var again = FeedbackUpload(feedback, mayHaveArrived: true, target: 1_769_846_407)
    #expect(again.start() == .read(id: "1769846407"))
    var absent = again
    #expect(again.on(.read(feedback.fields)) == .deliver(id: "1769846407"))
    #expect(absent.on(.read(nil)) == .create(id: "1769846407"))
    var known = FeedbackUpload(feedback, mayHaveArrived: false, target: 1_769_846_407)
    #expect(known.start() == .place(from: second))
  }

  @Test func `what was sent nobody knows where is looked for by its content`() {
    var upload = FeedbackUpload(feedback, mayHaveArrived: true)
    #expect(upload.start() == .find)
    var absent = upload
    #expect(upload.on(.found("1769846499")) == .deliver(id: "1769846499"))
    #expect(absent.on(.found(nil)) == .place(from: second))
    #expect(absent.on(.placed(second)) == .create(id: "1769846400"))
    #expect(absent.on(.alreadyExists) == .read(id: "1769846400"))
    #expect(absent.on(.read(other)) == .search(after: second))
  }

  @Test func `where the collection cannot be searched, it is looked for second by second`() {
    var upload = FeedbackUpload(feedback, mayHaveArrived: true)
    #expect(upload.start() == .find)
    #expect(upload.on(.cannotFind) == .create(id: "1769846400"))
    for second in second...1_769_846_402 {
      #expect(upload.on(.alreadyExists) == .read(id: String(second)))
      #expect(upload.on(.read(other)) == .create(id: String(second + 1)))
    }
    #expect(upload.on(.alreadyExists) == .read(id: "1769846403"))
    #expect(upload.on(.read(feedback.fields)) == .deliver(id: "1769846403"))
  }

  @Test
  func `an item is never rejected because seconds are taken, and never asked for without end`() {
    var upload = FeedbackUpload(feedback, mayHaveArrived: true)
    _ = upload.start()
    var action = upload.on(.cannotFind)
    var creates = 0
    while case .create(let id) = action {
      creates += 1
      #expect(upload.on(.alreadyExists) == .read(id: id))
      action = upload.on(.read(other))
    }
    #expect(creates == FeedbackUpload.longestRun)
    #expect(action == .retryLater)
    var searching = begun()
    #expect(searching.on(.nothingFree) == .retryLater)
  }

  @Test(
    arguments: [
      (.transient, .retryLater), (.permanent, .reject), (.general, .stop),
    ] as [(FeedbackFailure, FeedbackUpload.Action)])
  func `a failure decides what becomes of the item`(
    failure: FeedbackFailure, action: FeedbackUpload.Action
  ) {
    var upload = begun()
    #expect(upload.on(.failed(failure)) == action)
  }
}
