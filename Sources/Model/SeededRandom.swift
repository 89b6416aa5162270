/// A deterministic random number generator, Vigna's SplitMix64.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// The streams of one seed are independent.
  package init(seed: UInt64, stream: UInt64 = 0) {
    state = seed &+ stream &* 0xD134_2543_DE82_EF95
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True with the given probability in percent.
  package mutating func chance(_ percent: Double) -> Bool {
    Double.random(in: 0..<100, using: &self) < percent
  }

  package mutating func integer(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// One of the elements; `fallback` when there are none.
  package mutating func pick<Element>(_ elements: [Element], or fallback: Element) -> Element {
    elements.randomElement(using: &self) ?? fallback
  }

  /// A random index, as likely as its weight; 0 when all weights are 0.
  package mutating func index(weights: [Int]) -> Int {
    index(in: SeededRandom.shares(of: weights))
  }

  /// Where the share of each weight ends in the sum of all: what `index(in:)` looks through.
  package static func shares(of weights: [Int]) -> [Int] {
    var sum = 0
    return weights.map { weight in
      sum += weight
      return sum
    }
  }

  /// A random index, as likely as its share; 0 when all are empty.
  package mutating func index(in shares: [Int]) -> Int {
    guard let total = shares.last, total > 0 else { return 0 }
    let ticket = integer(0...(total - 1))
    var (low, high) = (0, shares.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if shares[middle] > ticket { high = middle } else { low = middle + 1 }
    }
    return low
  }

  package mutating func token(_ length: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<length).map { _ in pick(alphabet, or: "a") })
  }
}
