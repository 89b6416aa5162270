@main
enum Firetally {
  static func main() {}
}
