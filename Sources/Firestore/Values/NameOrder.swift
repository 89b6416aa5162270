/// The order of document names: segment by segment, a parent before its children.
package enum NameOrder {
  /// Negative, 0 or positive, as `left` comes before, is, or comes after `right`.
  ///
  /// Segments of the form `__id7__` come first and compare as numbers, all others by their bytes.
  package static func compare(_ left: String, _ right: String) -> Int {
    let (left, right) = (left.utf8, right.utf8)
    var (leftStart, rightStart) = (left.startIndex, right.startIndex)
    var (leftIndex, rightIndex) = (leftStart, rightStart)
    while leftIndex < left.endIndex, rightIndex < right.endIndex,
      left[leftIndex] == right[rightIndex]
    {
      let isSlash = left[leftIndex] == UInt8(ascii: "/")
      left.formIndex(after: &leftIndex)
      right.formIndex(after: &rightIndex)
      if isSlash { (leftStart, rightStart) = (leftIndex, rightIndex) }
    }
    let order = compareSegments(segment(left, from: leftStart), segment(right, from: rightStart))
    return order == 0 ? left.count - right.count : order
  }

  private typealias Bytes = Substring.UTF8View

  private static func segment(_ name: String.UTF8View, from start: String.Index) -> Bytes {
    name[start...].prefix { $0 != UInt8(ascii: "/") }
  }

  private static func compareSegments(_ left: Bytes, _ right: Bytes) -> Int {
    switch (number(left), number(right)) {
    case (let left?, let right?): return left < right ? -1 : left > right ? 1 : 0
    case (.some, nil): return -1
    case (nil, .some): return 1
    case (nil, nil):
      if left.elementsEqual(right) { return 0 }
      return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
  }

  private static func number(_ segment: Bytes) -> Int64? {
    guard segment.starts(with: "__id".utf8) else { return nil }
    let text = Substring(segment)
    return text.hasSuffix("__") ? Int64(text.dropFirst(4).dropLast(2)) : nil
  }
}
