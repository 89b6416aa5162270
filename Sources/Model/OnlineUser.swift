/// One row of the table `OnlineUsers`: a user of the app as last read from Firestore.
///
/// Texts are as the app wrote them. A field that the document lacks is empty, as in the app's
/// table.
package struct OnlineUser: Hashable, Codable, Sendable {
  package var userId: String
  package var name: String
  package var image: String
  /// `Male`, `Female` or whatever the app wrote; compared without case.
  package var gender: String
  package var country: String
  package var language: String
  /// A string of digits on the wire and in the table; see `ageInYears`.
  package var age: String
  package var deviceId: String
  package var deviceToken: String
  package var area: String
  package var city: String
  package var state: String
  package var decentTime: Int64
  /// Unix seconds.
  package var lastSeenAtSeconds: Int64
  package var isAd: Bool

  package init(
    userId: String, name: String, image: String = "", gender: String = "", country: String = "",
    language: String = "", age: String = "", deviceId: String = "", deviceToken: String = "",
    area: String = "", city: String = "", state: String = "", decentTime: Int64 = 0,
    lastSeenAtSeconds: Int64 = 0, isAd: Bool = false
  ) {
    self.userId = userId
    self.name = name
    self.image = image
    self.gender = gender
    self.country = country
    self.language = language
    self.age = age
    self.deviceId = deviceId
    self.deviceToken = deviceToken
    self.area = area
    self.city = city
    self.state = state
    self.decentTime = decentTime
    self.lastSeenAtSeconds = lastSeenAtSeconds
    self.isAd = isAd
  }

  /// The age as a number; nil when the text is not one.
  package var ageInYears: Int? { Int(age) }

  package var lastSeenAt: Instant { Instant(unixSeconds: lastSeenAtSeconds) }
}
