/// The age bands of the users report: docs/reports.md#users.
enum AgeBand: String, CaseIterable {
  case under18 = "Under 18"
  case to24 = "18–24"
  case to34 = "25–34"
  case to44 = "35–44"
  case to54 = "45–54"
  case to64 = "55–64"
  case over64 = "65 and over"

  init(years: Int) {
    switch years {
    case ..<18: self = .under18
    case ..<25: self = .to24
    case ..<35: self = .to34
    case ..<45: self = .to44
    case ..<55: self = .to54
    case ..<65: self = .to64
    default: self = .over64
    }
  }
}
