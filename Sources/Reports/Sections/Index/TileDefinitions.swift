
/// How the tiles of the index are counted; the pages that they lead to say it at length.
enum TileDefinitions {
  private static let texts = [
    "online": "Users seen in the 5 minutes before the last load of all users.",
    "active": "People with an event of a limited feature on that day, each once.",
    "limit":
      "People with an attempt on that day that a limit or its cooldown blocked, each once, of "
      + "those who were active.",
    "sub-taps": "Events subscription_button_tapped of that day.",
    "new-subs":
      "People whom events called free or new before, and on that day a subscriber for the "
      + "first time.",
    "stars": "The mean of the ratings that were given in the app on that day.",
    "reads": "Document reads that Google bills, of the runs that began on that day.",
  ]

  /// The same tiles with what they count.
  static func added(to tiles: [Figure]) -> [Figure] {
    tiles.map { tile in
      var tile = tile
      tile.definition = tile.definition ?? texts[tile.id]
      return tile
    }
  }
}
