/// Random numbers that are the same for the same seed, by Vigna's SplitMix64.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Streams of one seed are independent of each other.
  init(seed: UInt64, stream: UInt64 = 0) {
    state = seed &+ stream &* 0xD134_2543_DE82_EF95
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True in so many of 100 cases.
  mutating func chance(_ percent: Double) -> Bool {
    Double.random(in: 0..<100, using: &self) < percent
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// One of the elements; `fallback` when there are none.
  mutating func pick<Element>(_ elements: [Element], or fallback: Element) -> Element {
    elements.randomElement(using: &self) ?? fallback
  }

  /// The position of one of the weights, each as likely as it is heavy; 0 when all are 0.
  mutating func index(weights: [Int]) -> Int {
    let total = weights.reduce(0, +)
    guard total > 0 else { return 0 }
    var ticket = integer(0...(total - 1))
    for (index, weight) in weights.enumerated() {
      if ticket < weight { return index }
      ticket -= weight
    }
    return 0
  }

  /// So many letters and digits.
  mutating func token(_ length: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<length).map { _ in pick(alphabet, or: "a") })
  }
}
