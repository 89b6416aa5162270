package import Firestore

/// The kind of a sampled value, with vectors separate from other maps; see `docs/inspect.md#types`.
package enum SampledKind: String, CaseIterable, Hashable, Sendable {
  case null, boolean, integer, double, timestamp, string, bytes, reference
  case geoPoint = "geo point"
  case vector, array, map
  /// A kind that this program does not know.
  case unknown

  package init(of value: Value) {
    if case .map(let fields) = value, fields.vector != nil {
      self = .vector
    } else {
      self = SampledKind(rawValue: value.kind.rawValue) ?? .unknown
    }
  }
}

/// The place of a value in a document: `address.city`, `items[].sku`, `scores.*`.
package struct SampledPath: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case key(String)
    /// Any key of a map whose keys are data.
    case anyKey
    /// Any element of an array.
    case element
  }

  package var steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }

  func appending(_ step: Step) -> SampledPath { SampledPath(steps + [step]) }

  /// The path as Firestore writes it; nil when it has a step for array elements or for any key.
  package var fieldPath: FieldPath? {
    let keys = steps.compactMap { step -> String? in
      guard case .key(let key) = step, !key.isEmpty else { return nil }
      return key
    }
    return keys.count == steps.count && !keys.isEmpty ? FieldPath(segments: keys) : nil
  }
}

extension SampledPath: CustomStringConvertible {
  package var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let key): text += (text.isEmpty ? "" : ".") + FieldPath(segments: [key]).description
      case .anyKey: text += (text.isEmpty ? "" : ".") + "*"
      case .element: text += "[]"
      }
    }
    return text
  }
}

/// The statistics of the sampled values at one path.
package struct SampledField: Hashable, Sendable {
  package struct KindCount: Hashable, Sendable {
    package var kind: SampledKind
    package var count: Int
  }

  package var path: SampledPath
  /// The kinds by frequency, the most frequent first; ties in the order of `SampledKind`.
  package var kinds: [KindCount]
  /// The number of documents that could hold the field; of elements or entries for `[]` and `*`.
  package var of: Int
  /// The smallest and the largest number of elements of arrays; nil when there was no array.
  package var lengths: ClosedRange<Int>?
  /// Whether a number was NaN, infinite, or an integer that a double cannot hold.
  package var hasUnusualNumber: Bool = false
  /// Timestamps at most a minute away from the `updateTime` of their document.
  package var followsWriteCount: Int = 0

  /// The number of values of any kind, null included.
  package var present: Int { kinds.map(\.count).reduce(0, +) }
  package var missing: Int { max(0, of - present) }

  /// The kinds other than null.
  package var kindsBesidesNull: Set<SampledKind> {
    Set(kinds.map(\.kind)).subtracting([.null])
  }
}
