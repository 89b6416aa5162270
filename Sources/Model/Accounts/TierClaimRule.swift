/// Which tier a custom claim gives a user; docs/jobs/sync-auth.md#tiers.
package enum TierClaimRule {
  /// The value of the claim, as far as the rule looks at it.
  package enum Claim: Hashable, Sendable {
    case absent
    case text(String)
    /// Any other type of JSON, such as `a number`.
    case other(String)
  }

  package enum Decision: Hashable, Sendable {
    case tier(Tier)
    /// The user has no such claim, so nobody said that they subscribe.
    case none
    /// The claim is no text; the type in words.
    case wrongType(String)
    /// The text stands for no tier.
    case unknownWord(String)
  }

  /// `words` gives texts of the app's own a tier and wins over the tiers' own names.
  package static func decide(_ claim: Claim, words: [String: Tier] = [:]) -> Decision {
    switch claim {
    case .absent: .none
    case .other(let type): .wrongType(type)
    case .text(let text):
      if let tier = words[text] ?? Tier(rawValue: text) { .tier(tier) } else { .unknownWord(text) }
    }
  }
}

/// How the texts of contacts become hashes; docs/privacy.md#contacts.
package struct ContactHash: Sendable {
  private let hash: KeyedHash

  package init(_ hash: KeyedHash) {
    self.hash = hash
  }

  /// The same for all spellings of an address that differ in case or in white space around it.
  package func email(_ address: String) -> String {
    code("email", address.trimmed.lowercased())
  }

  package func phone(_ number: String) -> String { code("phone", number.trimmed) }

  /// 16 hexadecimal digits; an address and a number of one text differ.
  private func code(_ kind: String, _ text: String) -> String {
    let digits = String(hash.of(Array(kind.utf8) + [0xff] + Array(text.utf8)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
