import Model

extension Feature {
  /// The feature at the start of a line.
  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension UserType {
  /// The segment in words; nil is what the events did not say.
  static func title(of type: UserType?) -> String {
    switch type {
    case .freeUser: "Free user"
    case .newUser: "New user"
    case .liteSubscriber: "Subscriber"
    case nil: "Not told"
    }
  }
}
