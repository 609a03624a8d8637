import ConfigKeys
import FoundationEssentials
import SystemFiles

/// The secrets of the environment's proxies, since libcurl quotes their URLs, and sends their passwords in Basic.
enum ProxySecrets {
  private static let names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

  /// The secrets of all proxies that the variables name.
  static func all(in environment: [String: String]) -> [Secret] {
    names.compactMap { environment[$0] }.flatMap(secrets)
  }

  // `http://user:password@host:1`, with or without the scheme. The URL may be invalid, so all text before the last `@`
  // counts.
  private static func secrets(of proxy: String) -> [Secret] {
    let start = proxy.firstRange(of: "://")?.upperBound ?? proxy.startIndex
    guard let end = proxy[start...].lastIndex(of: "@") else { return [] }
    let raw = String(proxy[start..<end])
    let forms = [raw, PercentCoding.decoded(raw)].flatMap { info -> [String] in
      let colon = info.firstIndex(of: ":")
      let password = colon.map { String(info[info.index(after: $0)...]) } ?? info
      // Without a password libcurl sends an empty one.
      return [info, password, Data((colon == nil ? "\(info):" : info).utf8).base64EncodedString()]
    }
    return Set(forms).map { Secret($0) }
  }
}
