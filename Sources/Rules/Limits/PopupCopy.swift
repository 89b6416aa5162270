import Model

/// The words of one feature's popup; docs/rules.md#popup.
struct PopupCopy {
  /// Title and action button alike.
  let action: String
  private let invitation: String
  /// What is counted, in the plural: "You've used your 2 free ...".
  private let uses: String

  init(_ feature: Feature) {
    switch feature {
    case .refresh:
      action = "Refresh Users"
      invitation = "Refresh the user list to see new online users."
      uses = "refreshes"
    case .filter:
      action = "Apply Filters"
      invitation = "Apply advanced filters to find your perfect match."
      uses = "filter applications"
    case .search:
      action = "Search Users"
      invitation = "Search the user list to find people by name."
      uses = "searches"
    case .message:
      action = "Send Message"
      invitation = "Send messages to the people you like."
      uses = "messages"
    case .conversation:
      action = "Start Conversation"
      invitation = "Start conversations with new people."
      uses = "conversations"
    }
  }

  func available(appName: String) -> String {
    "\(invitation) Upgrade to \(appName) Lite subscription to unlock unlimited \(uses)."
  }

  func coolingDown(limit: Int, appName: String) -> String {
    "You've used your \(limit) free \(uses). Subscribe to \(appName) Lite for unlimited access "
      + "or wait for the timer to reset."
  }
}
