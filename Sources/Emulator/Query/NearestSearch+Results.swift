import Firestore
import Model

/// Vector search by comparing all documents of a query.
extension NearestSearch {
  /// The allowed limits of a search; `docs/firestore.md#limits`.
  static let limits = 1...1000

  /// The nearest documents first; documents at the same distance keep their order.
  ///
  /// Omits documents without a vector of the same dimension.
  func results(of documents: [Document]) -> [Document] {
    guard let target = vector.coordinates else { return [] }
    let found = documents.compactMap { document -> (document: Document, distance: Double)? in
      guard let vector = document[field]?.coordinates, vector.count == target.count else {
        return nil
      }
      let distance = measure.distance(from: vector, to: target)
      return isNear(distance) ? (document, distance) : nil
    }
    return found.enumerated().sorted { left, right in
      let (nearer, farther) = (left.element.distance, right.element.distance)
      if measure.precedes(nearer, farther) { return true }
      return !measure.precedes(farther, nearer) && left.offset < right.offset
    }.prefix(limit).map { named($0.element.distance, in: $0.element.document) }
  }

  /// Throws when Firestore would refuse a query with this search.
  func check(
    in query: StructuredQuery, _ rules: EditionRules
  ) throws(RefusedRequest) {
    guard query.limit == nil, query.offset == 0, query.startAt == nil, query.endAt == nil else {
      throw .invalid("findNearest goes with no limit, offset or cursor of the query.")
    }
    guard NearestSearch.limits.contains(limit) else {
      throw .invalid("FindNearest limit must be a positive integer of no more than 1000.")
    }
    try field.requireUnreserved(.compared)
    try ValueCheck.check(vector, rules)
    guard vector.coordinates?.isEmpty == false else {
      throw .invalid("FindNearest query_vector must be a vector with at least one dimension.")
    }
    if let resultField { try FieldCheck.check([resultField: .null], rules) }
  }

  private func isNear(_ distance: Double) -> Bool {
    guard let threshold else { return true }
    return measure == .dotProduct ? distance >= threshold : distance <= threshold
  }

  private func named(_ distance: Double, in document: Document) -> Document {
    guard let resultField else { return document }
    var document = document
    document.fields[resultField] = .double(distance)
    return document
  }
}

extension NearestSearch.Measure {
  /// Whether distance `left` comes before `right`; NaN comes last.
  fileprivate func precedes(_ left: Double, _ right: Double) -> Bool {
    if left.isNaN || right.isNaN { return !left.isNaN && right.isNaN }
    return self == .dotProduct ? left > right : left < right
  }

  fileprivate func distance(from left: [Double], to right: [Double]) -> Double {
    let product = zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    switch self {
    case .euclidean:
      return zip(left, right).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    case .cosine: return 1 - product / (left.square * right.square).squareRoot()
    case .dotProduct: return product
    }
  }
}

extension [Double] {
  /// The square of the vector's length.
  fileprivate var square: Double { reduce(0) { $0 + $1 * $1 } }
}

extension Value {
  /// The coordinates of a vector; nil for other values.
  fileprivate var coordinates: [Double]? {
    guard case .map(let fields) = self, let values = fields.vector else { return nil }
    return values.compactMap { if case .double(let number) = $0 { number } else { nil } }
  }
}
