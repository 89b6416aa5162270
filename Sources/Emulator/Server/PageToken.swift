import Firestore

/// Where the next page of a list begins: after the last document of this one.
struct PageToken {
  let scope: String
  let values: [Value]

  init(scope: String, values: [Value]) {
    self.scope = scope
    self.values = values
  }

  /// Refuses a token that was not made for the same collection and order.
  init(_ text: String, scope: String) throws(RefusedRequest) {
    do {
      let members = try JSON(parsing: PageToken.bytes(text)).members()
      guard members["scope"] == .string(scope), let values = members["values"] else {
        throw RefusedRequest.invalid("")
      }
      self.init(scope: scope, values: try values.elements().map(Value.init(json:)))
    } catch {
      throw .invalid("Invalid page token: it belongs to another request, or to none.")
    }
  }

  /// Letters and digits only.
  var text: String {
    let json = JSON.object(["scope": .string(scope), "values": .array(values.map(\.json))])
    return json.serialized().map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }
}
