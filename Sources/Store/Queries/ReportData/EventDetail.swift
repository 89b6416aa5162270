import Model

/// What is read of an event whose parameters are told of.
struct EventDetail {
  /// An event's parameters, by their names without the platform.
  struct Parameters {
    private let values: [String: EventValue]
    private let platform: String

    /// Reads the column `parameters`.
    init(_ text: UnsafeRawBufferPointer, platform: String) throws(UnreadableCell) {
      guard let values = ParameterText.parameters(text.assumingMemoryBound(to: UInt8.self)) else {
        throw UnreadableCell(
          table: "events", column: "parameters", value: String(decoding: text, as: UTF8.self))
      }
      self.values = values
      self.platform = platform
    }

    /// The whole number of a parameter, as a number or in digits; nil for none.
    func integer(_ name: String) -> Int? {
      switch values["\(platform)_\(name)"] {
      case .integer(let number): Int(number)
      case .double(let number): Int(exactly: number)
      case .string(let text): Int(text)
      case nil: nil
      }
    }

    /// The text of a parameter; empty for none, and for numbers.
    func string(_ name: String) -> String {
      guard case .string(let text) = values["\(platform)_\(name)"] else { return "" }
      return text
    }
  }

  let at: Int64
  let person: Int
  let event: BucketCounter.EventKey
  let country: String
  let parameters: Parameters

  var isFree: Bool { event.userType == .freeUser }
}

extension EventDetail.Parameters {
  /// Those that the event names in words, or by a parameter of their own.
  var criteria: [FilterCriterion] {
    let words = string("filter_criteria").lowercased()
      .split(separator: ",").map { $0.drop { $0 == " " } }
    return FilterCriterion.allCases.filter { criterion in
      let isNamed = words.contains { word in
        word == criterion.rawValue || word.hasPrefix("\(criterion.rawValue) ")
      }
      return switch criterion {
      case .gender: isNamed || !string("filter_gender").isEmpty
      case .country: isNamed || !string("filter_country").isEmpty
      case .language: isNamed || !string("filter_language").isEmpty
      case .age, .nearby: isNamed
      }
    }
  }
}
