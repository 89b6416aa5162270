import Firestore
import Testing

@Suite struct ValueOrderTests {
  /// Each value comes before the next one, whatever stands between them.
  static let ascending: [Value] = [
    .null,
    .boolean(false), .boolean(true),
    .double(.nan), .double(-.infinity), .double(-1e300), .integer(.min), .integer(-1),
    .double(-0.5), .double(0), .double(.leastNonzeroMagnitude), .integer(1), .double(1.5),
    .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .integer(.max),
    .double(9_223_372_036_854_775_808), .double(.infinity),
    .timestamp(Timestamp(microseconds: -1)), .timestamp(Timestamp(microseconds: 0)),
    .string(""), .string("A"), .string("a"), .string("aa"), .string("b"), .string("e\u{301}"),
    .string("z"), .string("é"), .string("中"), .string("\u{FFFD}"), .string("😀"),
    .bytes([]), .bytes([0]), .bytes([0, 0]), .bytes([127]), .bytes([128]),
    .reference("projects/p/databases/d/documents/a/__id2__"),
    .reference("projects/p/databases/d/documents/a/__id10__"),
    .reference("projects/p/databases/d/documents/a/b"),
    .reference("projects/p/databases/d/documents/a/b/c/d"),
    .reference("projects/p/databases/d/documents/a/b c"),
    .reference("projects/p/databases/d/documents/a!/b"),
    .geoPoint(latitude: -90, longitude: 10), .geoPoint(latitude: 0, longitude: -10),
    .geoPoint(latitude: 0, longitude: 10),
    .array([]), .array([.null]), .array([.integer(1)]), .array([.integer(1), .null]),
    .array([.string("a")]),
    .map(["__type__": .string("__vector__"), "value": .array([.double(9)])]),
    .map(["__type__": .string("__vector__"), "value": .array([.double(1), .double(2)])]),
    .map([:]), .map(["a": .integer(1)]), .map(["a": .integer(1), "b": .null]),
    .map(["a": .integer(2)]), .map(["b": .null]),
  ]

  @Test func `values come in the documented order of types and of values`() {
    for (left, leftValue) in Self.ascending.enumerated() {
      for (right, rightValue) in Self.ascending.enumerated() {
        let order = ValueOrder.compare(leftValue, rightValue)
        #expect(order.signum() == (left - right).signum(), "\(leftValue) and \(rightValue)")
      }
    }
  }

  static let equals: [(Value, Value)] = [
    (.integer(1), .double(1)), (.double(-0.0), .integer(0)), (.double(.nan), .double(.nan)),
    (.integer(.min), .double(-9_223_372_036_854_775_808)),
    (.array([.integer(2)]), .array([.double(2)])),
    (.map(["a": .integer(2)]), .map(["a": .double(2)])),
  ]

  @Test(arguments: equals) func `numbers are equal across their types`(pair: (Value, Value)) {
    #expect(ValueOrder.areEqual(pair.0, pair.1))
    #expect(ValueOrder.areEqual(pair.1, pair.0))
  }

  static let neighbours: [(Int64, Double, Int)] = [
    (9_007_199_254_740_993, 9_007_199_254_740_992, 1),
    (9_007_199_254_740_991, 9_007_199_254_740_992, -1),
    (.max, 9_223_372_036_854_775_808, -1),
    (.max, 9_223_372_036_854_774_784, 1),
    (.min, -9_223_372_036_854_777_856, 1),
    (-1, -0.5, -1), (0, -0.5, 1), (0, 0.5, -1), (1, 0.5, 1),
    (0, .infinity, -1), (0, -.infinity, 1), (.min, .nan, 1),
  ]

  @Test(arguments: neighbours)
  func `an integer and a double compare exactly`(row: (Int64, Double, Int)) {
    let (integer, double, order) = row
    #expect(ValueOrder.compare(.integer(integer), .double(double)).signum() == order)
    #expect(ValueOrder.compare(.double(double), .integer(integer)).signum() == -order)
  }
}
