import Jobs
import Firestore
import Model

extension KnownDatabase {
  /// For a program; what is unknown is null.
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
