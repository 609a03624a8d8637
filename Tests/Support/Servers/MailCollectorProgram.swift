/// The program behind ``MailCollector``, for Debian's aiosmtpd.
let mailCollectorProgram = #"""
  import asyncio, base64, email, email.policy, itertools, json, re, ssl, sys
  from aiosmtpd.smtp import SMTP, AuthResult

  configuration = json.load(open("configuration.json"))
  records = open("records.jsonl", "a")
  numbers = itertools.count(1)

  def text(data):
      return data.decode() if isinstance(data, bytes) else data

  def authenticate(server, session, envelope, mechanism, data):
      login, password = text(data.login), text(data.password)
      if configuration["passwords"].get(login) == password:
          return AuthResult(success=True, auth_data=login)
      return AuthResult(success=False, handled=False)

  class Handler:
      async def auth_XOAUTH2(self, server, words):
          blob = words[1] if len(words) > 1 else await server.challenge_auth("", encode_to_b64=False)
          blob = base64.b64decode(blob) if len(words) > 1 else blob
          user, bearer = re.fullmatch(r"user=(.*?)\x01auth=Bearer (.*?)\x01\x01", text(blob)).groups()
          if configuration["tokens"].get(user) == bearer:
              return AuthResult(success=True, auth_data=user)
          return AuthResult(success=False, handled=False)

      async def handle_RCPT(self, server, session, envelope, address, options):
          reply = configuration["refused"].get(address)
          if reply is None:
              envelope.rcpt_tos.append(address)
          return reply or "250 2.1.5 OK"

      async def handle_DATA(self, server, session, envelope):
          if not hasattr(session, "number"):
              session.number = next(numbers)
          raw = envelope.original_content
          mail = email.message_from_bytes(raw, policy=email.policy.SMTP)
          leaves = [part for part in mail.walk() if not part.is_multipart()]
          record = dict(
              sender=envelope.mail_from, recipients=envelope.rcpt_tos, connection=session.number,
              isEncrypted=session.ssl is not None or sys.argv[1] == "implicit",
              login=text(session.auth_data) if session.authenticated else None,
              raw=base64.b64encode(raw).decode(), fields=[[name, str(value)] for name, value in mail.items()],
              structure=[part.get_content_type() for part in mail.walk()],
              parts=[dict(type=part.get_content_type(), name=part.get_filename(),
                          content=base64.b64encode(part.get_payload(decode=True)).decode()) for part in leaves],
              defects=[type(defect).__name__ for part in mail.walk() for defect in part.defects],
              hasOnlyCRLF=b"\r" not in raw.replace(b"\r\n", b"") and b"\n" not in raw.replace(b"\r\n", b""),
              longestLine=max(map(len, raw.split(b"\r\n"))))
          records.write(json.dumps(record) + "\n")
          records.flush()
          return "250 2.0.0 OK"

  def make():
      excluded = [name for name in ("PLAIN", "LOGIN", "XOAUTH2") if name not in configuration["mechanisms"]]
      needs_login = bool(configuration["passwords"] or configuration["tokens"])
      starts_tls = sys.argv[1] == "starttls" and configuration["offersSTARTTLS"]
      return SMTP(
          Handler(), hostname="collector", data_size_limit=67_108_864, enable_SMTPUTF8=True,
          tls_context=context if starts_tls else None, require_starttls=configuration["requiresSTARTTLS"],
          authenticator=authenticate, auth_required=needs_login, auth_exclude_mechanism=excluded,
          auth_require_tls=configuration["requiresSTARTTLS"], timeout=600)

  async def main():
      server = await asyncio.get_running_loop().create_server(
          make, "127.0.0.1", 0, ssl=context if sys.argv[1] == "implicit" else None, backlog=128)
      print(server.sockets[0].getsockname()[1], flush=True)
      await server.serve_forever()

  context = None
  if sys.argv[1] != "plain":
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain(sys.argv[2], sys.argv[3])
  asyncio.run(main())
  """#
