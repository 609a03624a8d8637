import Foundation

/// The reader that this run is about, by its name in `BELFRY_FUZZ`.
private let reader = ProcessInfo.processInfo.environment["BELFRY_FUZZ"].flatMap(Reader.init(rawValue:)) ?? .json

/// What libFuzzer calls with each input (https://llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  reader.read(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}
