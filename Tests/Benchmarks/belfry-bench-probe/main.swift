import Foundation

do {
  print(try Probe.run(Array(CommandLine.arguments.dropFirst())))
} catch {
  FileHandle.standardError.write(Data("belfry-bench-probe: \((error as? Probe.Failure)?.message ?? "\(error)")\n".utf8))
  exit(1)
}
