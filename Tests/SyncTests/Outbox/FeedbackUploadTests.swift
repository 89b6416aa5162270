import Firestore
import Model
import Testing

@testable import Sync

@Suite struct FeedbackUploadTests {
  private let feedback = Feedback(
    userId: "u1", gender: "Female", country: "Chile", appVersion: "3.1",
    text: "Too many limits for me", timestamp: 1_769_846_400, stars: 2)

  @Test("a created document is delivered under the feedback's second")
  func created() {
    var upload = FeedbackUpload(feedback)
    #expect(upload.start == .create(id: "1769846400"))
    #expect(upload.on(.created) == .deliver(id: "1769846400"))
  }

  @Test("the document has the seven fields of the app, the rating as a double")
  func fields() {
    #expect(
      FeedbackUpload(feedback).fields == [
        "userId": .string("u1"), "gender": .string("Female"), "country": .string("Chile"),
        "appVersion": .string("3.1"), "feedback": .string("Too many limits for me"),
        "timestamp": .integer(1_769_846_400), "rating": .double(2),
      ])
  }

  @Test("an id taken by the same content was delivered before")
  func sameContent() {
    var upload = FeedbackUpload(feedback)
    #expect(upload.on(.alreadyExists) == .read(id: "1769846400"))
    #expect(upload.on(.read(upload.fields)) == .deliver(id: "1769846400"))
  }

  @Test("an id taken by other content moves on to the next free second, the timestamp stays")
  func otherContent() {
    var upload = FeedbackUpload(feedback)
    for second in 1_769_846_400...1_769_846_402 {
      #expect(upload.on(.alreadyExists) == .read(id: String(second)))
      let next = upload.on(.read(["feedback": .string("somebody else's")]))
      #expect(next == .create(id: String(second + 1)))
    }
    #expect(upload.on(.created) == .deliver(id: "1769846403"))
    #expect(upload.fields["timestamp"] == .integer(1_769_846_400))
  }

  @Test("a document that vanished between create and read is created again")
  func vanished() {
    var upload = FeedbackUpload(feedback)
    #expect(upload.on(.alreadyExists) == .read(id: "1769846400"))
    #expect(upload.on(.read(nil)) == .create(id: "1769846400"))
  }

  @Test("after a crash at the second id, the same walk finds the document again")
  func resumes() {
    let other: [String: Value] = ["feedback": .string("somebody else's")]
    var again = FeedbackUpload(feedback)
    #expect(again.on(.alreadyExists) == .read(id: "1769846400"))
    #expect(again.on(.read(other)) == .create(id: "1769846401"))
    #expect(again.on(.alreadyExists) == .read(id: "1769846401"))
    #expect(again.on(.read(again.fields)) == .deliver(id: "1769846401"))
  }

  @Test(
    "a failure decides what becomes of the item",
    arguments: [
      (.transient, .retryLater), (.permanent, .reject),
      (.forbidden(areCredentialsKnownGood: true), .reject),
      (.forbidden(areCredentialsKnownGood: false), .stop), (.unauthenticated, .stop),
      (.quota, .stop), (.misconfigured, .stop),
    ] as [(FeedbackUpload.Failure, FeedbackUpload.Action)])
  func failures(failure: FeedbackUpload.Failure, action: FeedbackUpload.Action) {
    var upload = FeedbackUpload(feedback)
    #expect(upload.on(.failed(failure)) == action)
  }
}
