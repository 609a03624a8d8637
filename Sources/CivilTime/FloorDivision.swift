/// The quotient rounded towards negative infinity; the divisor is positive.
@inline(__always)
package func floorQuotient(_ dividend: Int, _ divisor: Int) -> Int {
  let quotient = dividend / divisor
  return dividend % divisor < 0 ? quotient - 1 : quotient
}

/// The remainder of `floorQuotient`, never negative; the divisor is positive.
@inline(__always)
package func floorRemainder(_ dividend: Int, _ divisor: Int) -> Int {
  let remainder = dividend % divisor
  return remainder < 0 ? remainder + divisor : remainder
}

/// The greatest common divisor of two positive numbers.
package func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
  var (larger, smaller) = (first, second)
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return larger
}
