/// Which users are left out of the table; docs/rules.md#skipped-users.
package enum SkipRule {
  /// An id with fewer characters is corrupt; docs/rules.md#skipped-users.
  package static let shortestIdLength = 3

  /// `_ad_` in UTF-8.
  private static let adMark: (UInt8, UInt8, UInt8, UInt8) = (0x5F, 0x61, 0x64, 0x5F)

  /// The first reason that applies, in the order of `SkipReason`; nil for a user that stays.
  package static func reason(id: String, name: String, ownId: String?) -> SkipReason? {
    var id = id
    var name = name
    var ownId = ownId ?? ""
    return id.withUTF8 { id in
      name.withUTF8 { name in
        ownId.withUTF8 { ownId in
          reason(
            id: UnsafeRawBufferPointer(id), name: UnsafeRawBufferPointer(name),
            ownId: UnsafeRawBufferPointer(ownId))
        }
      }
    }
  }

  /// The same over texts in UTF-8, without allocating; an empty `ownId` means none is known.
  ///
  /// Takes time in the length of the id.
  package static func reason(
    id: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, ownId: UnsafeRawBufferPointer
  ) -> SkipReason? {
    if !ownId.isEmpty, id.elementsEqual(ownId) { return .ownUser }
    if name.isEmpty { return .emptyName }
    if isShort(id) { return .shortId }
    if isAd(id) { return .adId }
    return nil
  }

  /// Counts Unicode scalars up to a NUL, which is where SQLite's `length()` stops.
  private static func isShort(_ id: UnsafeRawBufferPointer) -> Bool {
    var length = 0
    for byte in id {
      if byte == 0 { return true }
      let continuesAScalar = byte & 0xC0 == 0x80
      guard !continuesAScalar else { continue }
      length += 1
      if length == shortestIdLength { return false }
    }
    return true
  }

  private static func isAd(_ id: UnsafeRawBufferPointer) -> Bool {
    guard id.count >= 4 else { return false }
    for start in 0...(id.count - 4)
    where id[start] == adMark.0 && id[start + 1] == adMark.1 && id[start + 2] == adMark.2
      && id[start + 3] == adMark.3
    {
      return true
    }
    return false
  }
}
