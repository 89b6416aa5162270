/// Encodes events, one after the other, into `EventRows`.
///
/// For each event: `begin`, `set` the texts, `add` the parameters in any order, `finish`.
/// Parameters become JSON with sorted keys, so that equal parameters make equal bytes. A double
/// always has a point or an exponent, so that it is not read back as an integer. JSON has no NaN
/// and no infinity: they become the texts `NaN`, `inf` and `-inf`.
package struct EventRowEncoder: ~Copyable {
  /// UTF-8; valid only during the call.
  package typealias Text = UnsafeBufferPointer<UInt8>

  /// An event has two parameters of this name.
  package struct DuplicateParameter: Error, Hashable {
    package let name: String
  }

  package enum Field: Int, CaseIterable {
    case name, userId, country, appVersion
    /// Counts only for an event whose name does not begin with one.
    case platform
  }

  /// One `"key":value` in `scratch`.
  struct Parameter {
    let key: Range<Int>
    let end: Int
    let isText: Bool
    /// The key's first eight bytes as a big-endian number, which sorts as they do.
    let prefix: UInt64
  }

  var scratch = ByteScratch(capacity: 1 << 16)
  var parameters: [Parameter] = []
  /// Whether all keys are ASCII without escapes, so that their bytes sort as their texts do.
  var hasPlainKeys = true
  /// The texts and parameters in the order in which the row stores them.
  var row = ByteScratch(capacity: 1 << 16)
  var names = EventNames()
  private var fields = [Range<Int>?](repeating: nil, count: Field.allCases.count)

  package init() {}

  package mutating func begin() {
    scratch.clear()
    for index in fields.indices { fields[index] = nil }
    parameters.removeAll(keepingCapacity: true)
    hasPlainKeys = true
  }

  /// Sets a text; a second call replaces the first.
  ///
  /// Only the name is required. Without a user the row has an empty user id.
  package mutating func set(_ field: Field, to text: Text) {
    fields[field.rawValue] = scratch.append(text)
  }

  package func isSet(_ field: Field) -> Bool {
    fields[field.rawValue] != nil
  }

  /// The text's place in `scratch`; nil when it is not set.
  func range(of field: Field) -> Range<Int>? {
    fields[field.rawValue]
  }

  package mutating func add(_ key: Text, text: Text) {
    let key = begin(key)
    scratch.appendQuoted(text)
    end(key, isText: true)
  }

  /// Adds an integer by its digits, which must be those that `Int64` writes.
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
    // `end` reads eight bytes of the key at once, even of a shorter one.
    scratch.reserve(8)
    scratch.put(UInt8(ascii: ":"))
    return start..<end
  }

  private mutating func end(_ key: Range<Int>, isText: Bool) {
    let first = UnsafeRawPointer(scratch.start + key.lowerBound).loadUnaligned(as: UInt64.self)
    let isWhole = key.count >= 8
    let prefix = UInt64(bigEndian: first) & (isWhole ? .max : ~(.max >> (8 * UInt64(key.count))))
    parameters.append(Parameter(key: key, end: scratch.count, isText: isText, prefix: prefix))
  }

  package mutating func append(_ event: Event, to rows: inout EventRows) {
    begin()
    set(.name, to: event.name)
    set(.userId, to: event.userId)
    if let country = event.country { set(.country, to: country) }
    if let version = event.appVersion { set(.appVersion, to: version) }
    if let platform = event.platform { set(.platform, to: platform) }
    for (key, value) in event.parameters {
      var key = key
      key.withUTF8 { add($0, value) }
    }
    do {
      try finish(at: event.at, into: &rows)
    } catch {
      preconditionFailure("a dictionary holds no key twice")
    }
  }

  private mutating func set(_ field: Field, to text: String) {
    var text = text
    text.withUTF8 { set(field, to: $0) }
  }
}

/// A growing byte buffer whose memory is reused.
struct ByteScratch: ~Copyable {
  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    start.deallocate()
  }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  mutating func clear() {
    count = 0
  }

  /// Makes room for `more` bytes, which `put` then needs no check for.
  mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(2 * capacity, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  /// - Precondition: there is room.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    start[count] = byte
    count &+= 1
  }

  /// - Precondition: there is room.
  @inline(__always)
  mutating func put(_ from: UnsafePointer<UInt8>, count more: Int) {
    (start + count).update(from: from, count: more)
    count &+= more
  }

  /// Makes the letters of ASCII small.
  mutating func lowercase(_ range: Range<Int>) {
    for index in range where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(start[index]) {
      start[index] |= 0x20
    }
  }

  /// Appends the text, reserving its room, and returns its place.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let begin = count
    reserve(text.count)
    if let base = text.baseAddress { put(base, count: text.count) }
    return begin..<count
  }
}

/// JSON strings in the one form that is stored.
extension ByteScratch {
  /// Appends the text between quotes; true when it is ASCII without escapes.
  @discardableResult
  mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    reserve(6 * text.count + 2)
    put(UInt8(ascii: "\""))
    defer { put(UInt8(ascii: "\"")) }
    guard let base = text.baseAddress else { return true }
    switch PlainText.check(UnsafeRawBufferPointer(text)) {
    case .ascii:
      put(base, count: text.count)
      return true
    case .withoutEscapes: put(base, count: text.count)
    case .other: for byte in text { JSONText.escape(byte, .none) { put($0) } }
    }
    return false
  }
}
