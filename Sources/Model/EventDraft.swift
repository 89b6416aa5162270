/// Writes one event after the other into `EventRows`, in the form that the ledger stores.
///
/// Begin, set the texts, add the parameters in any order, finish. The parameters become JSON with
/// sorted keys, so that equal ones make equal bytes. A double always has a point or an exponent, so
/// that it is not read back as an integer. JSON has no NaN and no infinity; those are written as the
/// texts `NaN`, `inf` and `-inf`.
package struct EventDraft: ~Copyable {
  /// UTF-8, valid for the length of a call.
  package typealias Text = UnsafeBufferPointer<UInt8>

  /// A parameter that an event has twice.
  package struct DuplicateParameter: Error, Hashable {
    package let name: String
  }

  package enum Field: Int, CaseIterable {
    case name, userId, country, appVersion
  }

  /// `"key":value` as it stands in `scratch`.
  struct Parameter {
    let key: Range<Int>
    let end: Int
    let isText: Bool
    /// The key's first eight bytes, as a number that sorts as they do.
    let prefix: UInt64
  }

  var scratch = ByteScratch(capacity: 1 << 16)
  var parameters: [Parameter] = []
  /// Whether the keys' bytes sort as their texts do.
  var hasPlainKeys = true
  /// The texts and parameters in the order in which they are stored.
  var row = ByteScratch(capacity: 1 << 16)
  var names = EventNames()
  private var fields = [Range<Int>?](repeating: nil, count: Field.allCases.count)

  package init() {}

  /// Forgets the event before.
  package mutating func begin() {
    scratch.clear()
    for index in fields.indices { fields[index] = nil }
    parameters.removeAll(keepingCapacity: true)
    hasPlainKeys = true
  }

  /// Sets a text; the last one counts.
  ///
  /// A name is needed, an absent user is the empty one.
  package mutating func set(_ field: Field, to text: Text) {
    fields[field.rawValue] = scratch.append(text)
  }

  package func isSet(_ field: Field) -> Bool {
    fields[field.rawValue] != nil
  }

  /// Where the text stands in `scratch`; nil when none is set.
  func range(of field: Field) -> Range<Int>? {
    fields[field.rawValue]
  }

  package mutating func add(_ key: Text, text: Text) {
    let key = begin(key)
    scratch.appendQuoted(text)
    end(key, isText: true)
  }

  /// Adds an integer whose digits are written as `Int64` writes them.
  package mutating func add(_ key: Text, digits: Text) {
    let key = begin(key)
    _ = scratch.append(digits)
    end(key, isText: false)
  }

  package mutating func add(_ key: Text, _ value: EventValue) {
    switch value {
    case .string(var text): text.withUTF8 { add(key, text: $0) }
    case .integer(let number): addDigits(key, "\(number)")
    case .double(let number) where number.isFinite: addDigits(key, "\(number)")
    case .double(let number):
      var text = number.isNaN ? "NaN" : "\(number)"
      text.withUTF8 { add(key, text: $0) }
    }
  }

  private mutating func addDigits(_ key: Text, _ digits: String) {
    var digits = digits
    digits.withUTF8 { add(key, digits: $0) }
  }

  private mutating func begin(_ key: Text) -> Range<Int> {
    let start = scratch.count + 1
    if !scratch.appendQuoted(key) { hasPlainKeys = false }
    let end = scratch.count - 1
    // The key's first eight bytes are read at once, also where it is shorter.
    scratch.reserve(8)
    scratch.put(UInt8(ascii: ":"))
    return start..<end
  }

  private mutating func end(_ key: Range<Int>, isText: Bool) {
    let first = UnsafeRawPointer(scratch.start + key.lowerBound).loadUnaligned(as: UInt64.self)
    let isWhole = key.count >= 8
    let prefix = UInt64(bigEndian: first) & (isWhole ? .max : ~(.max >> (8 * UInt64(key.count))))
    parameters.append(
      Parameter(key: key, end: scratch.count, isText: isText, prefix: prefix))
  }
}
