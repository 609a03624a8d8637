import Foundation

/// The reader under test, named by `BELFRY_FUZZ`.
private let reader = ProcessInfo.processInfo.environment["BELFRY_FUZZ"].flatMap(Reader.init(rawValue:)) ?? .json

/// The function that libFuzzer calls with each input (https://llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  reader.read(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}
