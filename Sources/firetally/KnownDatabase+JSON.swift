import Jobs
import Firestore
import Model

extension KnownDatabase {
  /// The facts as a JSON object; unknown ones are null.
  var line: JSONObject {
    [
      "name": name, "edition": facts.edition.rawValue, "location": facts.location,
      "pointInTimeRecovery": facts.pointInTimeRecovery,
      "deleteProtection": facts.deleteProtection, "freeTier": facts.freeTier,
      "firestoreAccess": facts.firestoreAccess, "mongodbAccess": facts.mongodbAccess,
      "realtimeUpdates": facts.realtimeUpdates, "knownAt": knownAt, "isOwnWord": isOwnWord,
    ]
  }
}
