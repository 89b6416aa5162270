/// Where names of events come apart, remembered for those met last: an app has a few dozen.
struct EventNames {
  /// Bytes of a feature event's platform and feature; the kind is the rest.
  struct Parts: Hashable {
    let platformCount: Int
    let featureCount: Int
  }

  private struct Entry {
    var name: [UInt8] = []
    var parts: Parts?
  }

  private var entries = [Entry](repeating: Entry(), count: 256)

  /// Nil for a name that is not about a limited feature.
  mutating func parts(of name: UnsafeBufferPointer<UInt8>) -> Parts? {
    let place = Self.place(of: name)
    if entries[place].name.elementsEqual(name) { return entries[place].parts }
    let known = FeatureEventName(String(decoding: name, as: UTF8.self)).map {
      Parts(platformCount: $0.platform.utf8.count, featureCount: $0.feature.rawValue.utf8.count)
    }
    entries[place] = Entry(name: Array(name), parts: known)
    return known
  }

  private static func place(of name: UnsafeBufferPointer<UInt8>) -> Int {
    var sum = UInt64(name.count)
    for byte in name { sum = sum &* 31 &+ UInt64(byte) }
    return Int((sum ^ sum >> 8) & 255)
  }
}
