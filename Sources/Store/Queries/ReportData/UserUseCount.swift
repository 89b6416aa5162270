import Glibc
import Model

/// Counts what each user did in a period, as the events come.
///
/// Users are told apart by the bytes of their ids, which are copied once into one array: a hundred
/// thousand users cost a few megabytes and no text is made but for those that are asked for.
struct UserUseCount {
  typealias Text = UnsafeRawBufferPointer

  private struct User {
    let hash: UInt32
    let start: Int
    let length: Int
    var taps = 0
    var performed = 0
    var blocked = 0
    /// When the attempt at hand was blocked, in microseconds; nil when it was not.
    var blockedAt: Int64?
  }

  private var users: [User] = []
  private var ids: ContiguousArray<UInt8> = []
  /// A hash table of indices into `users`, at most half full; -1 when there is none.
  private var places = [Int32](repeating: -1, count: 1 << 10)

  /// Distinct users so far.
  var count: Int { users.count }

  /// Counts an event of the user, in the order of time; returns whether the attempt at hand was
  /// blocked.
  ///
  /// Events of one attempt may have the same time, and then come in the order of their names.
  @discardableResult
  mutating func add(_ id: Text, _ kind: EventKind, at microseconds: Int64) -> Bool {
    let user = user(id)
    switch kind {
    case .buttonTapped:
      users[user].taps += 1
      if let at = users[user].blockedAt, at < microseconds { users[user].blockedAt = nil }
    case .performed: users[user].performed += 1
    case .blockedLimitReached, .blockedCooldown:
      users[user].blocked += 1
      users[user].blockedAt = microseconds
    default: break
    }
    return users[user].blockedAt != nil
  }

  /// The heaviest by taps, then by performed, most first, then by the bytes of the id; without
  /// names.
  func heaviest(_ limit: Int) -> [UsageData.HeavyUser] {
    ids.withUnsafeBytes { ids in
      users.sorted { Self.isHeavier($0, $1, ids) }.prefix(limit).map { user in
        UsageData.HeavyUser(
          userId: String(decoding: ids[user.start..<user.start + user.length], as: UTF8.self),
          name: nil, taps: user.taps, performed: user.performed, blocked: user.blocked)
      }
    }
  }

  private static func isHeavier(_ left: User, _ right: User, _ ids: Text) -> Bool {
    if left.taps != right.taps { return left.taps > right.taps }
    if left.performed != right.performed { return left.performed > right.performed }
    return ids[left.start..<left.start + left.length]
      .lexicographicallyPrecedes(ids[right.start..<right.start + right.length])
  }

  private mutating func user(_ id: Text) -> Int {
    let hash = Self.hash(id)
    var place = Int(hash) & (places.count - 1)
    while places[place] >= 0 {
      let user = Int(places[place])
      if users[user].hash == hash, isNamed(user, id) { return user }
      place = (place + 1) & (places.count - 1)
    }
    users.append(User(hash: hash, start: ids.count, length: id.count))
    ids.append(contentsOf: id)
    places[place] = Int32(users.count - 1)
    if 2 * users.count > places.count { makeRoom() }
    return users.count - 1
  }

  private func isNamed(_ user: Int, _ id: Text) -> Bool {
    guard users[user].length == id.count, let other = id.baseAddress else { return false }
    return ids.withUnsafeBytes { ids in
      ids.baseAddress.map { memcmp($0 + users[user].start, other, id.count) == 0 } ?? false
    }
  }

  private mutating func makeRoom() {
    places = [Int32](repeating: -1, count: 2 * places.count)
    for (index, user) in users.enumerated() {
      var place = Int(user.hash) & (places.count - 1)
      while places[place] >= 0 { place = (place + 1) & (places.count - 1) }
      places[place] = Int32(index)
    }
  }

  /// 64-bit FNV-1a, folded so that the low bits depend on every byte.
  private static func hash(_ id: Text) -> UInt32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
