import Digests

@testable import Passkeys

/// A passkey that was made and used once for http://localhost:8787 with the challenge of every vector, by the Python
/// package cryptography.
struct Vector {
  let name: String
  let key: String
  let attestation: String
  let authenticator: String
  let signature: String
  let credential: String

  static let challenge = "Y2hhbGxlbmdl"
  static let site = "localhost"
  static let origin = "http://localhost:8787"

  static let es256 = Vector(
    name: "es256",
    key:
      "pQECAyYgASFYIPnr5GQUfMEC2SMk0JnZJ8GlDkLVegihFv_sCimBnYxlIlggcLr30SiIkCpqDB1nrdEDEjyFmrab-O"
      + "lDHJOEkw1Lfu4",
    attestation:
      "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAQ"
      + "AAAAAAAAAAAAAAAAAAAAAAEBlAw7dXcFSO0d-xXYWDMialAQIDJiABIVgg-evkZBR8wQLZIyTQmdknwaUOQtV6CKEW"
      + "_-wKKYGdjGUiWCBwuvfRKIiQKmoMHWet0QMSPIWatpv46UMck4STDUt-7g",
    authenticator: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg",
    signature:
      "MEUCIQCQW96ion-A_-DrdxkHpCOgDq_ti_2Xfsv099UlfXQ1nQIgaK4oKEKUR65ucrq3vAIDHSl63sSy-b9u52qeFm"
      + "1QjkU",
    credential: "GUDDt1dwVI7R37FdhYMyJg")
  static let rs256 = Vector(
    name: "rs256",
    key:
      "pAEDAzkBACBZAQCZ7Na2TCTPaqmnijBqqpV2yvPIBcMKfCtFisMVbav0dVKFRzA-YAbayDm8MBdyT6hNRxZLSspEd4"
      + "lVD1PmfhvLHxXGQ5FsCoPj1biPrTLk0uG2HYu5tGHSoSxA78kjSbUAoxV6BP4Lq4zXAm_5uFxKCxzG6WZsNdTelidW"
      + "0-dlu_69Loy9cO9PyihAFdAgWi6xQcfI3NWmFAF8gbK0H4ED1lScoaWtDkvD7nMsf6ISTc56s3683YlmO1gEzNUi2t"
      + "XuXguiSxgfLXk19idPlBBKa9Oo9XSLGjo66t-mHsnF7KY0nshh3IqtGJHkxkunxMd5XYMWuyzP2TAwRn3AA-yZIUMB"
      + "AAE",
    attestation:
      "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVkBV0mWDeWIDoxodDQXD2R2YFuP5K65ooYyx5lc87qDHZdjRQAAAA"
      + "EAAAAAAAAAAAAAAAAAAAAAABCZEJw1XyFB6iLWQ_kaZtsmpAEDAzkBACBZAQCZ7Na2TCTPaqmnijBqqpV2yvPIBcMK"
      + "fCtFisMVbav0dVKFRzA-YAbayDm8MBdyT6hNRxZLSspEd4lVD1PmfhvLHxXGQ5FsCoPj1biPrTLk0uG2HYu5tGHSoS"
      + "xA78kjSbUAoxV6BP4Lq4zXAm_5uFxKCxzG6WZsNdTelidW0-dlu_69Loy9cO9PyihAFdAgWi6xQcfI3NWmFAF8gbK0"
      + "H4ED1lScoaWtDkvD7nMsf6ISTc56s3683YlmO1gEzNUi2tXuXguiSxgfLXk19idPlBBKa9Oo9XSLGjo66t-mHsnF7K"
      + "Y0nshh3IqtGJHkxkunxMd5XYMWuyzP2TAwRn3AA-yZIUMBAAE",
    authenticator: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg",
    signature:
      "Immmv4LOU1nabv-_lngLuwU_WFKU4Xwo_C9MTa_YoKVLZyMmvvfxKhbpLDCPUMicxzvgVRjFij6eV6j_NF9y1zZBGC"
      + "wNluXjitNp44nbuPyc45zm2PZc8PcKrVFZWIU7wASJpGTuMTrI5JhFa2Qvi1Q5AgFXgbynkSJeHXF8AMwTCVvY8HMg"
      + "Dzo16EmdQ84SurF-JH7rWs0budDxDhpQDduKQK_XDYZqipyuzMEA_YV2Q6HwbEsxGaiFRhgjODNHkX7-Y1SH-n3g1v"
      + "0Rme1syD-R9HGO3zIQqudniXG6eafIuDDDYcM2QMCxY4M-qyyblY6lceZnqNRuMsD6pDJEUw",
    credential: "mRCcNV8hQeoi1kP5GmbbJg")
  static let eddsa = Vector(
    name: "eddsa",
    key: "pAEBAycgBiFYIAOhB7_zzhC-HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4",
    attestation:
      "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVhxSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAQ"
      + "AAAAAAAAAAAAAAAAAAAAAAEDwvnPcVg9MdQjwNa700lPWkAQEDJyAGIVggA6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1f"
      + "HdyGZBJVMbg",
    authenticator: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg",
    signature: "AEJqdrFxO0g1TE95RSvX3Kp7Spbs0u895CddX1gtLYfBtY4ONMOlHJ7gfKFpO2-OTZmtGOWNiH9pORe3f8hDBA",
    credential: "PC-c9xWD0x1CPA1rvTSU9Q")
  static let all = [es256, eddsa, rs256]

  /// The client data of a ceremony.
  static func client(
    _ type: String, challenge: String = challenge, origin: String = origin, more: String = #","crossOrigin":false"#
  ) -> [UInt8] {
    Array(#"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)"\#(more)}"#.utf8)
  }

  static func bytes(_ text: String) -> [UInt8] { Base64URL.decode(text, count: text.utf8.count * 3 / 4) ?? [] }
}
