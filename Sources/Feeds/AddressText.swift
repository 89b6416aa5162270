extension String {
  /// An address to which a path can be added.
  var withoutSlashesAtEnd: String {
    var text = self[...]
    while text.last == "/" { text.removeLast() }
    return String(text)
  }
}
