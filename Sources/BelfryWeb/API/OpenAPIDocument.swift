import BelfryEngine
import BelfryModel
import BelfryRuntime
import HTTPTypes
import OrderedJSON

/// The description of the API (OpenAPI 3.1), which follows from its operations.
struct OpenAPIDocument {
  private let operations: [APIOperation]

  init(_ operations: [APIOperation]) { self.operations = operations }

  var json: JSONValue {
    [
      "openapi": "3.1.0",
      "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
      "info": [
        "title": "Belfry", "version": .string(BelfryVersion.current),
        "description": "Lists, items and their reminders, as the commands' --json shows them.",
      ],
      "servers": [["url": .string(APIOperation.base)]],
      "security": [["token": []], ["session": []]],
      "paths": .object(paths),
      "components": [
        "schemas": .object(JSONObject((Self.replies + EntrySchemas.all).map { ($0.name, $0.schema.json) })),
        "responses": ["Problem": Self.problem],
        "securitySchemes": [
          "token": ["type": "http", "scheme": "bearer", "description": "a token of 'belfry access add'"],
          "session": [
            "type": "apiKey", "in": "cookie", "name": "belfry", "description": "the session of a browser",
          ],
        ],
      ],
    ]
  }

  /// The schemas of the API's replies, derived from the forms that write them.
  private static var replies: [(name: String, schema: JSONSchema)] {
    let others = [
      ("Sink", SinkState.form.shape), ("SinkTest", SinkTestResult.form.shape), ("Problem", Problem.form.shape),
    ]
    return (ShownForms.shapes + others).map { ($0.0, JSONSchema($0.1)) }
  }

  private static let problem: JSONValue = [
    "description": "the request was not carried out, or not all of it (RFC 9457)",
    "content": ["application/problem+json": ["schema": JSONSchema.named("Problem").json]],
  ]

  private var paths: JSONObject {
    var paths = JSONObject()
    for operation in operations {
      var item = paths[operation.path]?.objectValue ?? [:]
      item.append(operation.method.rawValue.lowercased(), describe(operation))
      if operation.base != APIOperation.base { item["servers"] = [["url": .string(operation.base)]] }
      paths[operation.path] = .object(item)
    }
    return paths
  }

  private func describe(_ operation: APIOperation) -> JSONValue {
    var object: JSONObject = [
      "operationId": .string(operation.id), "summary": .string(operation.summary),
      "description": .string(Self.words(operation.right)),
    ]
    let parameters = parameters(of: operation)
    if !parameters.isEmpty { object.append("parameters", .array(parameters)) }
    if let body = Self.body(of: operation.body) { object.append("requestBody", body) }
    object.append("responses", .object(responses(of: operation)))
    return .object(object)
  }

  private static func words(_ right: RouteRight) -> String {
    switch right {
    case .none: "Needs no access."
    case .scope(let scope): "Needs the scope \(scope.rawValue), for the lists of the access."
    case .allLists(let scope): "Needs the scope \(scope.rawValue), for all lists."
    }
  }

  // MARK: Requests

  private func parameters(of operation: APIOperation) -> [JSONValue] {
    let path = operation.pathParameters.map { name -> JSONValue in
      let schema: JSONSchema = name == "id" ? .number : name == "reminder" ? .identity : .words
      return ["name": .string(name), "in": "path", "required": true, "schema": schema.json]
    }
    let query = operation.query.map { parameter -> JSONValue in
      [
        "name": .string(parameter.name), "in": "query", "description": .string(parameter.words),
        "schema": parameter.schema.json,
      ]
    }
    return path + query + headers(of: operation)
  }

  private func headers(of operation: APIOperation) -> [JSONValue] {
    if operation.isConditional {
      return [Self.header("If-Match", "the ETag of the version that was read, or *", isRequired: true)]
    }
    if operation.method == .post {
      let key: JSONValue = ["type": "string", "minLength": 1, "maxLength": .integer(Int64(OnceRequests.longestKey))]
      return [
        [
          "name": .string(OnceRequests.field), "in": "header", "schema": key,
          "description": "a key of this request: requests with the same key are carried out once within a day",
        ]
      ]
    }
    guard operation.method == .get, case .json = operation.form else { return [] }
    return [Self.header("If-None-Match", "the ETag of a version that was read before", isRequired: false)]
  }

  private static func header(_ name: String, _ words: String, isRequired: Bool) -> JSONValue {
    [
      "name": .string(name), "in": "header", "required": .bool(isRequired), "description": .string(words),
      "schema": JSONSchema.text.json,
    ]
  }

  private static func body(of body: APIOperation.Body) -> JSONValue? {
    switch body {
    case .none: nil
    case .object(let schema, let isRequired):
      ["required": .bool(isRequired), "content": ["application/json": ["schema": schema.json]]]
    case .array(let schema):
      ["required": true, "content": ["application/json": ["schema": JSONSchema.array(of: schema).json]]]
    case .objectOrText(let schema, _):
      [
        "required": true,
        "content": [
          "application/json": ["schema": schema.json], "text/plain": ["schema": JSONSchema.words.json],
        ],
      ]
    case .patch(let schema):
      [
        "required": true,
        "content": [
          "application/merge-patch+json": ["schema": schema.json], "application/json": ["schema": schema.json],
        ],
      ]
    case .file: ["required": true, "content": ["application/octet-stream": [:]]]
    }
  }

  // MARK: Replies

  private func responses(of operation: APIOperation) -> JSONObject {
    var responses: JSONObject = ["\(operation.status.code)": success(of: operation)]
    if operation.method == .get { responses.append("304", ["description": "unchanged since then"]) }
    for status in errors(of: operation) { responses.append("\(status)", Self.problemReference) }
    responses.append("default", Self.problemReference)
    return responses
  }

  private static let problemReference: JSONValue = ["$ref": "#/components/responses/Problem"]

  private func success(of operation: APIOperation) -> JSONValue {
    var response: JSONObject = ["description": .string(operation.summary)]
    var headers = JSONObject()
    switch operation.form {
    case .json(let schema):
      headers.append("ETag", Self.textHeader("the tag of this reply"))
      if operation.status == .created { headers.append("Location", Self.textHeader("the path of what was created")) }
      response.append("content", ["application/json": ["schema": schema.json]])
    case .page(let schema):
      headers.append("ETag", Self.textHeader("the tag of this reply"))
      headers.append("Link", Self.textHeader("the next page, as rel=\"next\""))
      response.append("content", ["application/json": ["schema": JSONSchema.array(of: schema).json]])
    case .file(let types):
      response.append("content", .object(JSONObject(types.map { ($0, [:]) })))
    }
    if headers.count > 0 { response.append("headers", .object(headers)) }
    return .object(response)
  }

  private static func textHeader(_ words: String) -> JSONValue {
    ["description": .string(words), "schema": JSONSchema.text.json]
  }

  private func errors(of operation: APIOperation) -> [Int] {
    var codes = [400, 401, 403, 429, 503]
    if !operation.pathParameters.isEmpty { codes.append(404) }
    if operation.isConditional { codes += [412, 428] }
    if operation.method != .get { codes += [415, 422] }
    if operation.method == .post { codes.append(409) }
    return codes.sorted()
  }
}
