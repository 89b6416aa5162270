@testable import Reports

extension Datum {
  /// The value as CSV should say it.
  var csv: String {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .decimal(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
    case .integers(let numbers): numbers.map { "\($0)" }.joined(separator: " ")
    case .boolean(let flag): "\(flag)"
    case .null: ""
    }
  }
}
