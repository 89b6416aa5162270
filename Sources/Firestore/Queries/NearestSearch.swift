/// A search for the documents with the nearest vectors; see `docs/firestore.md#queries`.
package struct NearestSearch: Hashable, Sendable {
  package enum Measure: String, CaseIterable, Sendable {
    case euclidean = "EUCLIDEAN"
    case cosine = "COSINE"
    /// The only measure whose largest numbers are the nearest.
    case dotProduct = "DOT_PRODUCT"
  }

  package var field: FieldPath
  /// The REST form of a vector: a map with `__type__` and `value`.
  package var vector: Value
  package var measure: Measure
  package var limit: Int
  /// The field of the results that receives the distance; nil for none.
  package var resultField: String?
  /// The farthest distance of a result, inclusive; nil for no limit.
  package var threshold: Double?
}

extension NearestSearch {
  init(json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly(
      "vectorField", "queryVector", "distanceMeasure", "limit", "distanceResultField",
      "distanceThreshold")
    let resultField = try members.text("distanceResultField")
    self.init(
      field: try members.required("vectorField", FieldPath.init(reference:)),
      vector: try members.required("queryVector", Value.init(json:)),
      measure: try members.required("distanceMeasure", Measure.init(json:)),
      limit: try members.required("limit", StructuredQuery.count(json:)),
      resultField: resultField == "" ? nil : resultField,
      threshold: try members.double("distanceThreshold"))
  }

  var json: JSON {
    var members: [String: JSON] = [
      "vectorField": field.referenceJSON, "queryVector": vector.json,
      "distanceMeasure": measure.json, "limit": .integer(limit),
    ]
    members["distanceResultField"] = resultField.map { .string($0) }
    members["distanceThreshold"] = threshold.map { .double($0) }
    return .object(members)
  }
}
