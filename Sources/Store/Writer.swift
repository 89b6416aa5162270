import GRDB

/// A transaction, valid inside the closure of `Store.write`.
///
/// The changes are extensions of this type, in `Changes/`.
package struct Writer: Readable {
  let database: Database

  package var reader: Reader { Reader(database: database) }
}
