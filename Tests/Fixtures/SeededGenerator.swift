import Foundation

/// A deterministic random number generator (SplitMix64); a failing property prints its seed.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  package mutating func integer(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  package mutating func flip() -> Bool { Bool.random(using: &self) }

  package mutating func pick<Element>(_ first: Element, _ others: Element...) -> Element {
    pick([first] + others, or: first)
  }

  package mutating func pick<Element>(_ elements: [Element], or fallback: Element) -> Element {
    elements.randomElement(using: &self) ?? fallback
  }
}

/// How often the properties are tried; see `docs/testing.md#fuzz`.
package enum FuzzCases {
  /// The value of `FIRETALLY_FUZZ_CASES`; nil in an ordinary run.
  package static let wanted = setting("FIRETALLY_FUZZ_CASES")

  /// A whole number in the environment; nil when it is none.
  package static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// The seeds of a property: `few` in an ordinary run, `many` when `FIRETALLY_FUZZ_CASES` is set.
  package static func seeds(_ few: Int, orMany many: Int) -> ClosedRange<UInt64> {
    1...UInt64(wanted == nil ? few : many)
  }
}
