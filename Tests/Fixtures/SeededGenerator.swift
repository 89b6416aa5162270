import Foundation
import Model

/// The random numbers of a seed, which a failing property prints.
package struct SeededGenerator: RandomNumberGenerator {
  private var random: SeededRandom

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  package mutating func next() -> UInt64 { random.next() }

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
