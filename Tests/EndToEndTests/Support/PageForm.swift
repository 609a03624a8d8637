import Foundation

/// A form of one button on a page of the web face.
struct PageForm {
  /// The path to which it posts.
  let path: String
  /// The hidden fields, as a post carries them.
  let fields: String

  /// The form whose button has a label; `nil` if the page has none.
  init?(_ label: String, on page: WebReply) {
    let forms = page.body.matches(
      of: #/<form method="post" action="([^"]+)">((?:<input[^>]*>)*)<button[^>]*>([^<]*)<\/button>/#)
    guard let form = forms.first(where: { $0.3 == label }) else { return nil }
    path = String(form.1)
    fields = form.2.matches(of: #/name="([^"]+)" value="([^"]+)"/#).map { "\($0.1)=\($0.2)" }.joined(separator: "&")
  }
}
