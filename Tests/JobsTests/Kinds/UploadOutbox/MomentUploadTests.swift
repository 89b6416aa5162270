import Feeds
import Model
import Store
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

@Suite struct MomentUploadTests {
  private static func refusal(_ status: Int, _ code: String?) -> MomentUpload.Event {
    .answered(.refused(MomentRefusal(status: status, code: code, message: "no")))
  }

  private func upload(mayHaveArrived: Bool = false, knownLimit: MomentLimit? = nil) -> MomentUpload
  {
    MomentUpload(mayHaveArrived: mayHaveArrived, knownLimit: knownLimit)
  }

  @Test func `a new moment is posted, and delivered when it is taken`() {
    var upload = upload()
    #expect(upload.start() == .post)
    #expect(!upload.isAbsent)
    #expect(upload.on(.answered(.taken(id: "m1"))) == .deliver(id: "m1"))
  }

  @Test func `a moment that may have arrived is asked for, and posted only when it is not there`() {
    var found = upload(mayHaveArrived: true)
    #expect(found.start() == .ask)
    #expect(found.on(.answered(.taken(id: nil))) == .deliver(id: nil))
    var absent = upload(mayHaveArrived: true)
    #expect(absent.start() == .ask)
    #expect(absent.on(.answered(.absent)) == .post)
    #expect(absent.on(.answered(.taken(id: "m1"))) == .deliver(id: "m1"))
  }

  @Test
  func `a known limit spares the post, but not the question about one that may have arrived`() {
    var new = upload(knownLimit: .daily)
    #expect(new.start() == .park(.daily))
    var old = upload(mayHaveArrived: true, knownLimit: .total)
    #expect(old.start() == .ask)
    #expect(!old.isAbsent)
    #expect(old.on(.answered(.absent)) == .park(.total))
    #expect(old.isAbsent)
  }

  /// The action after an answer to a post, and whether the answer says that the moment is absent.
  private static let answers: [(Int, String?, MomentUpload.Action, isAbsent: Bool)] = [
    (400, "DAILY_LIMIT_REACHED", .park(.daily), true),
    (403, "TOTAL_LIMIT_REACHED", .park(.total), true),
    (500, "DAILY_LIMIT_REACHED", .park(.daily), true),
    (401, "INVALID_APP_TOKEN", .stop, true), (401, nil, .stop, true),
    (403, "INVALID_APP_TOKEN", .stop, true),
    (429, "RATE_LIMIT_EXCEEDED", .retryLater, true), (429, nil, .retryLater, true),
    (400, "VALIDATION_ERROR", .reject, true), (403, "FORBIDDEN", .reject, true),
    (404, "NOT_FOUND", .reject, true), (418, "TEAPOT", .reject, true),
    (400, nil, .stop, true), (403, nil, .stop, true), (404, nil, .stop, true),
    (302, nil, .stop, true),
    (408, nil, .retryLater, false), (425, nil, .retryLater, false),
    (500, "INTERNAL_SERVER_ERROR", .retryLater, false), (502, nil, .retryLater, false),
    (503, nil, .retryLater, false),
    (200, "DAILY_LIMIT_REACHED", .park(.daily), true),
    (200, "TOTAL_LIMIT_REACHED", .park(.total), true), (200, "INVALID_APP_TOKEN", .stop, true),
    (200, "RATE_LIMIT_EXCEEDED", .retryLater, true), (200, "VALIDATION_ERROR", .reject, true),
    (200, "TEAPOT", .reject, true), (200, "INTERNAL_ERROR", .retryLater, false),
    (500, "INVALID_APP_TOKEN", .stop, true), (401, "VALIDATION_ERROR", .reject, true),
    (401, "RATE_LIMIT_EXCEEDED", .retryLater, true), (401, "RESTRICTED_ACCESS", .stop, true),
  ]

  @Test(arguments: answers)
  func `the service's code decides before the status`(
    status: Int, code: String?, action: MomentUpload.Action, isAbsent: Bool
  ) {
    var upload = upload()
    _ = upload.start()
    #expect(upload.on(Self.refusal(status, code)) == action)
    #expect(upload.isAbsent == isAbsent)
  }

  @Test func `no answer leaves open whether it arrived`() {
    var upload = upload()
    _ = upload.start()
    #expect(upload.on(.failed) == .retryLater)
    #expect(!upload.isAbsent)
  }

  @Test(arguments: answers)
  func `whatever answers the question, what may have arrived still may`(
    status: Int, code: String?, action: MomentUpload.Action, isAbsent: Bool
  ) {
    var upload = upload(mayHaveArrived: true)
    _ = upload.start()
    let answer = upload.on(Self.refusal(status, code))
    #expect([.retryLater, .stop, .reject].contains(answer))
    #expect(!upload.isAbsent)
  }

  @Test(arguments: ["CONFLICT", nil])
  func `a conflict is looked into, once, with a code or without`(code: String?) {
    var known = upload()
    _ = known.start()
    #expect(known.on(Self.refusal(409, code)) == .ask)
    #expect(known.on(.answered(.taken(id: "m1"))) == .deliver(id: "m1"))
    var unknown = upload()
    _ = unknown.start()
    #expect(unknown.on(Self.refusal(409, code)) == .ask)
    #expect(unknown.on(.answered(.absent)) == .reject)
    var again = upload()
    _ = again.start()
    #expect(again.on(Self.refusal(409, code)) == .ask)
    #expect(again.on(Self.refusal(409, code)) == .retryLater)
    #expect(!again.isAbsent)
  }
}
