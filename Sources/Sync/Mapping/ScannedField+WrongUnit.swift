package import Firestore
import Model

extension ScannedField {
  /// A hint to append to the name of a field whose number is not a time in seconds:
  /// ` (looks like milliseconds)`; empty for any other value.
  package var wrongUnit: String {
    let number: Int64? =
      switch self {
      case .integer(let number): number
      case .double(let number): Int64(exactly: number.rounded())
      default: nil
      }
    guard let unit = number.flatMap(TimeUnit.init), unit != .seconds else { return "" }
    return " (looks like \(unit))"
  }
}
