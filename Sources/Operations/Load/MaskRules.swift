package import CollectionMapping
import Firestore
package import Jobs
import Model

/// The mask actions of all jobs of a workspace, by collection id.
package struct MaskRules: Hashable, Sendable {
  private var collections: [String: [FieldPath: MaskAction]] = [:]

  package init(_ masks: [CollectionMasks]) {
    for mask in masks {
      // If two jobs declare the same field, the stricter action wins.
      collections[mask.collectionId, default: [:]].merge(mask.actions) { left, right in
        [MaskAction.drop, .mask].first { $0 == left || $0 == right } ?? .keep
      }
    }
  }

  package init(_ catalog: JobCatalog) {
    self.init(catalog.jobs.compactMap(\.definition.masks))
  }

  /// Whether the ids of a collection's documents are masked.
  func masksIds(of collection: String) -> Bool {
    collections[collection]?[.documentName] ?? .keep != .keep
  }

  /// Returns the action declared for exactly this path; nil for none.
  func action(for path: [String], in collection: String) -> MaskAction? {
    path.isEmpty ? nil : collections[collection]?[FieldPath(segments: path)]
  }
}

/// A kind of undeclared value that may show who or where somebody is.
enum PersonalLook: String {
  case mail = "mail address"
  case phone = "phone number"
  case coordinates

  private static let pairs = [("lat", "lng"), ("lat", "lon"), ("latitude", "longitude")]
  private static let phoneNames = ["phone", "mobile", "tel", "whatsapp"]

  /// `name` is the name of the field.
  init?(_ value: Value, named name: String) {
    switch value {
    case .geoPoint: self = .coordinates
    case .map(let fields):
      let isPair = Self.pairs.contains { pair in
        fields[pair.0]?.isNumber == true && fields[pair.1]?.isNumber == true
      }
      guard isPair else { return nil }
      self = .coordinates
    case .string(let text):
      if Self.isMail(text) {
        self = .mail
      } else if Self.isPhone(text, named: name) {
        self = .phone
      } else {
        return nil
      }
    default: return nil
    }
  }

  private static func isMail(_ text: String) -> Bool {
    text.split { $0.isWhitespace || "<>,;()\"".contains($0) }.contains { word in
      let parts = word.split(separator: "@", omittingEmptySubsequences: false)
      return parts.count == 2 && !parts[0].isEmpty && parts[1].dropFirst().contains(".")
    }
  }

  private static func isPhone(_ text: String, named name: String) -> Bool {
    let digits = text.utf8.count { (48...57).contains($0) }
    guard (7...15).contains(digits), text.utf8.count <= 25,
      text.utf8.allSatisfy({ (48...57).contains($0) || "+ ()-./".utf8.contains($0) })
    else { return false }
    let name = name.lowercased()
    if text.hasPrefix("+") || phoneNames.contains(where: name.contains) { return true }
    // Dates, IP addresses, versions and plain numbers contain such characters as well.
    let isDate = text.wholeMatch(of: #/\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/#) != nil
    let isAddress = text.wholeMatch(of: #/\d+(\.\d+)+/#) != nil
    return !isDate && !isAddress && text.utf8.contains { " ()-/".utf8.contains($0) }
  }
}

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .double: true
    default: false
    }
  }
}
