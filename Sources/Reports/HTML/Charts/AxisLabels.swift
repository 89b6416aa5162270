/// Which labels of a long axis are written: at most so many, evenly, the first always.
struct AxisLabels: Sendable {
  /// Every how many labels one is written.
  let stride: Int

  init(count: Int, most: Int = 8) {
    stride = max(1, (count + most - 1) / most)
  }

  func isWritten(_ index: Int) -> Bool { index % stride == 0 }

  /// Every second written label gives way on a narrow page.
  func isMinor(_ index: Int) -> Bool { index / stride % 2 == 1 }
}
