/// An attribute of an element; a link can only point into the reports.
struct Attribute: Hashable, Sendable {
  let name: String
  let value: String

  private init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Any attribute that neither loads nor runs anything.
  static func plain(_ name: StaticString, _ value: String) -> Attribute {
    Attribute("\(name)", value)
  }

  /// A length or position in SVG.
  static func plain(_ name: StaticString, _ number: Double) -> Attribute {
    Attribute("\(name)", SVGNumber.text(number))
  }

  /// A length or position in SVG, as a percentage of the drawing's width.
  static func percent(_ name: StaticString, _ share: Double) -> Attribute {
    Attribute("\(name)", SVGNumber.text(share * 100) + "%")
  }

  static func `class`(_ names: String) -> Attribute { Attribute("class", names) }

  static func id(_ id: String) -> Attribute { Attribute("id", id) }

  static func href(anchor: String) -> Attribute { Attribute("href", "#\(anchor)") }

  static func href(
    _ report: Report.Name, _ format: ReportFormat = .html, anchor: String? = nil
  ) -> Attribute {
    let fragment = anchor.map { "#\($0)" } ?? ""
    return Attribute("href", "\(report.rawValue).\(format.rawValue)\(fragment)")
  }

  static let hiddenFromReaders = Attribute("aria-hidden", "true")
}

/// Coordinates with at most two decimals, so that equal drawings are equal bytes.
enum SVGNumber {
  static func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    let fraction = rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)"
    return "\(sign)\(whole).\(fraction)"
  }
}
