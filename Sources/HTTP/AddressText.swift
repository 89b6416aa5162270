extension String {
  /// An address to which a path can be added: the slashes at its end do not count.
  package var withoutSlashesAtEnd: String {
    var text = self[...]
    while text.last == "/" { text.removeLast() }
    return String(text)
  }
}
