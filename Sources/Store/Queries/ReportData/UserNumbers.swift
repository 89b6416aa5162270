import Glibc

/// Numbers users from 0 in the order in which they are met.
///
/// Users are told apart by the bytes of their ids, which are copied once into one array: a hundred
/// thousand users cost a few megabytes, and no text is made but for those that are asked for.
struct UserNumbers {
  typealias Text = UnsafeRawBufferPointer

  private struct User {
    let hash: UInt32
    let start: Int
    let length: Int
  }

  private var users: [User] = []
  private var ids: ContiguousArray<UInt8> = []
  /// A hash table of indices into `users`, at most half full; -1 when there is none.
  private var places = [Int32](repeating: -1, count: 1 << 10)

  /// Distinct users so far.
  var count: Int { users.count }

  mutating func number(of id: Text) -> Int {
    let hash = Self.hash(id)
    let place = place(of: id, hash)
    if places[place] >= 0 { return Int(places[place]) }
    users.append(User(hash: hash, start: ids.count, length: id.count))
    ids.append(contentsOf: id)
    places[place] = Int32(users.count - 1)
    if 2 * users.count > places.count { makeRoom() }
    return users.count - 1
  }

  /// The number of a user who was met before; nil for others.
  func known(_ id: Text) -> Int? {
    let user = Int(places[place(of: id, Self.hash(id))])
    return user >= 0 ? user : nil
  }

  /// Where an id is in the table of places, or the free place where it belongs.
  private func place(of id: Text, _ hash: UInt32) -> Int {
    var place = Int(hash) & (places.count - 1)
    while places[place] >= 0 {
      let user = Int(places[place])
      if users[user].hash == hash, isNamed(user, id) { break }
      place = (place + 1) & (places.count - 1)
    }
    return place
  }

  func id(of user: Int) -> String {
    String(decoding: ids[range(user)], as: UTF8.self)
  }

  /// A number that is the same for an id in every run, and spreads evenly.
  func hash(of user: Int) -> UInt32 { users[user].hash }

  /// Whether the bytes of one user's id come before those of another's.
  func precedes(_ left: Int, _ right: Int) -> Bool {
    ids[range(left)].lexicographicallyPrecedes(ids[range(right)])
  }

  private func range(_ user: Int) -> Range<Int> {
    users[user].start..<users[user].start + users[user].length
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
