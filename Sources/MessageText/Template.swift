import BelfryCore
import Foundation
import Mustache
import OrderedJSON

/// A text of the user's with names in it (Mustache), which stand for what a message says.
public struct Template: Sendable {
  /// What the text becomes part of, and so which characters of a value are escaped. `{{{name}}}` escapes nothing.
  public enum Syntax: String, CaseIterable, Hashable, Sendable {
    /// Plain text: nothing is escaped.
    case text = "TEXT"
    /// HTML or XML.
    case html = "HTML"
    /// The inside of a string of JSON.
    case json = "BELFRY_JSON"
    /// A value of `application/x-www-form-urlencoded`.
    case form = "BELFRY_FORM"
  }

  /// The text as the user wrote it.
  public let text: String
  private let template: MustacheTemplate

  /// A template.
  ///
  /// - Throws: ``ConfigProblem`` with the line and column in the template where it does not parse.
  public init(_ text: String, syntax: Syntax) throws(ConfigProblem) {
    _ = Self.syntaxes
    self.text = text
    try TemplateScan.check(text)
    let pragma = "{{% CONTENT_TYPE:\(syntax.rawValue)}}"
    do {
      template = try MustacheTemplate(string: pragma + text)
    } catch let error as MustacheTemplate.ParserError {
      let column = error.context.columnNumber - (error.context.lineNumber == 1 ? pragma.count : 0)
      throw ConfigProblem(
        "the template does not parse, line \(error.context.lineNumber), column \(max(1, column)): \(Self.words(error))")
    } catch {
      throw ConfigProblem("the template does not parse")
    }
  }

  /// The text with what the names stand for. A name that nothing has stands for nothing.
  public func render(_ values: TemplateValues) -> String { template.render(values.root) }

  private static func words(_ error: MustacheTemplate.ParserError) -> String {
    switch error.error as? MustacheTemplate.Error {
    case .sectionCloseNameIncorrect: "a section ends under another name than it began"
    case .unfinishedName: "a tag is not complete"
    case .expectedSectionEnd: "a section has no end"
    case .invalidConfigVariableSyntax, .unrecognisedConfigVariable: "the pragma is not known"
    default: "a tag is not complete"
    }
  }

  // The library knows them by name, for the whole process: said once, when the first template is read.
  private static let syntaxes: Void = {
    MustacheContentTypes.register(JSONText(), named: Syntax.json.rawValue)
    MustacheContentTypes.register(FormText(), named: Syntax.form.rawValue)
  }()
}

/// The inside of a string of JSON.
private struct JSONText: MustacheContentType {
  func escapeText(_ text: String) -> String { String(JSONValue.string(text).serialized().dropFirst().dropLast()) }
}

/// A value of `application/x-www-form-urlencoded`.
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

extension ConfigType where Value == Template {
  /// A template in Mustache; where it does not parse, the message has the line and column in it.
  public static func template(_ syntax: Template.Syntax) -> ConfigType {
    .scalar(.text, write: { _ in nil }) { scalar, _ throws(ConfigProblem) in
      guard scalar.kind == .text else { return nil }
      return try Template(scalar.text, syntax: syntax)
    }
  }
}
