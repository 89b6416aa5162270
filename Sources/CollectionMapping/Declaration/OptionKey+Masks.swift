package import Firestore
package import Workspace

extension OptionKey {
  /// The key `masks`: the mask actions by field path; see `docs/load.md#masks`.
  package static func masks(_ property: PropertyPath<Options, [FieldPath: MaskAction]>) -> OptionKey
  {
    .custom(
      ConfigurationKey("masks", .object([ConfigurationKey("*", .choice(of: MaskAction.self))]))
    ) { reader, options in
      guard reader.entry("masks") != nil else { return }
      let masks = reader.mapping("masks")
      for entry in masks.entries where entry.scalar != .null {
        guard let word = masks.text(of: entry) else { continue }
        guard let action = MaskAction(rawValue: word) else {
          masks.wrongType(entry, wanted: "mask, drop or keep")
          continue
        }
        do throws(WireError) {
          let path = try FieldPath(parsing: entry.name)
          options[keyPath: property][path] = action
        } catch {
          masks.problem(entry, error.problem)
        }
      }
    }
  }
}
