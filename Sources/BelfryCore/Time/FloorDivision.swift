/// The quotient rounded towards minus infinity; `divisor` is positive.
func floorQuotient(_ value: Int, _ divisor: Int) -> Int {
  value / divisor - (value % divisor < 0 ? 1 : 0)
}

/// The remainder that belongs to `floorQuotient`, 0 to `divisor` - 1.
func floorModulo(_ value: Int, _ divisor: Int) -> Int {
  let remainder = value % divisor
  return remainder < 0 ? remainder + divisor : remainder
}
