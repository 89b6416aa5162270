import Firestore

/// An error as a program reads it: one JSON object on a line; see `docs/jobs.md#commands`.
struct Complaint {
  let code: Int32
  let message: String
  /// What `firestore.indexes.json` has to hold for the query that failed; nil for other errors.
  private let indexFile: JSON?

  init(_ error: any Error, code: Int32, message: String) {
    self.code = code
    self.message = message
    let indexes = (error as? FirestoreError)?.missingIndexes ?? []
    indexFile = indexes.isEmpty ? nil : QueryIndex.file(of: indexes)
  }

  var line: String {
    var members: [String: JSON] = [
      "message_type": .string("error"), "code": .integer(code), "message": .string(message),
    ]
    members["firestore_indexes"] = indexFile
    return String(decoding: JSON.object(members).serialized(), as: UTF8.self)
  }
}
