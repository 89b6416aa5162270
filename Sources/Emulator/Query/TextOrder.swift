/// The order of strings by their UTF-8 bytes, which is also that of their code points.
enum TextOrder {
  static func compare(_ left: String, _ right: String) -> Int {
    for (left, right) in zip(left.utf8, right.utf8) where left != right {
      return left < right ? -1 : 1
    }
    return left.utf8.count - right.utf8.count
  }
}
