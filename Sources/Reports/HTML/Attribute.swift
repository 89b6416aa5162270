/// An attribute of an element; links can only point into the reports.
struct Attribute: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case text(String)
    /// Ids of elements of the same report.
    case ids([String])
    /// A link to an element of the same report.
    case anchor(String)
    case address(PageAddress)
  }

  let name: String
  let value: Value

  private init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }

  private init(_ name: String, _ text: String) {
    self.init(name, .text(text))
  }

  /// Attributes whose values are ids of elements.
  private static let naming: Set<String> = [
    "aria-labelledby", "aria-describedby", "aria-controls", "for",
  ]

  /// An attribute that neither loads nor runs anything.
  static func plain(_ name: StaticString, _ value: String) -> Attribute {
    let name = "\(name)"
    guard naming.contains(name) else { return Attribute(name, value) }
    return Attribute(name, .ids(value.split(separator: " ").map(String.init)))
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

  static func id(_ id: String) -> Attribute { Attribute("id", .ids([id])) }

  static func href(anchor: String) -> Attribute { Attribute("href", .anchor(anchor)) }

  /// Omitted when the report is not written: an `a` without it is text.
  static func href(
    _ report: Report.Name, _ format: ReportFormat = .html, anchor: String? = nil
  ) -> Attribute {
    href(.report(report, format, anchor: anchor))
  }

  static func href(_ address: PageAddress) -> Attribute { Attribute("href", .address(address)) }

  static let hiddenFromReaders = Attribute("aria-hidden", "true")

  /// The text of the value on a page of the layout; nil for a link to a file that is not written.
  ///
  /// Ids begin with the prefix, so that they are unique when several reports share a page.
  func text(in layout: PageLayout, prefix: String) -> String? {
    switch value {
    case .text(let text): text
    case .ids(let ids): ids.map { prefix + $0 }.joined(separator: " ")
    case .anchor(let anchor): "#\(prefix)\(anchor)"
    case .address(let address): layout.address(of: address)
    }
  }
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
