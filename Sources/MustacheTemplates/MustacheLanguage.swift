import ConfigKeys
import Mustache
import OrderedJSON

/// Mustache templates, by swift-mustache.
package struct MustacheLanguage: TemplateLanguage {
  /// The language, with content types for JSON and forms registered.
  package init() { _ = Self.contentTypes }

  /// Parses a template; `{{{name}}}` escapes nothing. See ``TemplateLanguage``.
  package func parse(_ text: String, escaping: TemplateEscaping) throws(ConfigProblem) -> any ParsedTemplate {
    let pragma = "{{% CONTENT_TYPE:\(escaping.contentType)}}"
    do {
      return ParsedMustache(template: try MustacheTemplate(string: pragma + text))
    } catch let error as MustacheTemplate.ParserError {
      let column = error.context.columnNumber - (error.context.lineNumber == 1 ? pragma.count : 0)
      throw ConfigProblem(
        "the template does not parse, line \(error.context.lineNumber), column \(max(1, column)): \(Self.words(error))")
    } catch {
      throw ConfigProblem("the template does not parse")
    }
  }

  private static func words(_ error: MustacheTemplate.ParserError) -> String {
    switch error.error as? MustacheTemplate.Error {
    case .sectionCloseNameIncorrect: "a section ends under another name than it began"
    case .unfinishedName: "a tag is not complete"
    case .expectedSectionEnd: "a section has no end"
    case .invalidConfigVariableSyntax, .unrecognisedConfigVariable: "the pragma is not known"
    default: "a tag is not complete"
    }
  }

  // The library registers content types for the whole process, so this runs once.
  private static let contentTypes: Void = {
    MustacheContentTypes.register(JSONText(), named: TemplateEscaping.json.contentType)
    MustacheContentTypes.register(FormText(), named: TemplateEscaping.form.contentType)
  }()
}

private struct ParsedMustache: ParsedTemplate {
  let template: MustacheTemplate

  func render(_ values: TemplateObject) -> String { template.render(MustacheObject(object: values)) }
}

extension TemplateEscaping {
  fileprivate var contentType: String {
    switch self {
    case .text: "TEXT"
    case .html: "HTML"
    case .json: "BELFRY_JSON"
    case .form: "BELFRY_FORM"
    }
  }
}

/// Escapes for the inside of a JSON string.
private struct JSONText: MustacheContentType {
  func escapeText(_ text: String) -> String { String(JSONValue.string(text).serialized().dropFirst().dropLast()) }
}

/// Escapes for a value of `application/x-www-form-urlencoded`.
private struct FormText: MustacheContentType {
  private static let digits = Array("0123456789ABCDEF".utf8)

  func escapeText(_ text: String) -> String {
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        escaped.append(byte)
      case UInt8(ascii: " "): escaped.append(UInt8(ascii: "+"))
      default: escaped += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
