package import CollectionMapping
package import Firestore
import Sync

extension MappedColumn {
  /// A column of a field without a form.
  package init(name: String, path: FieldPath, kind: Kind) {
    self.init(name: name, source: .field(ValuePath(path)), kind: kind)
  }
}
