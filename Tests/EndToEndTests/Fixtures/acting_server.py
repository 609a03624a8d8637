"""A server that does what Belfry's must not do: it shows another server's pages, and lets them act.

usage: acting_server.py MANNER URL
MANNER is `script`, where a script of the page presses its button "Done" after nine minutes; `get`, where looking
presses it; or `trusting`, where the control is missing that only robots press. URL is the other server's, to which
everything else is passed on. Prints its port.
"""
import http.server, re, sys, urllib.error, urllib.request

manner, base = sys.argv[1:]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
script = """<script>
setTimeout(() => [...document.forms].find(form => form.textContent.trim() == "Done").submit(), 540000)
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        status, type, body = self.passed_on()
        if self.command == "GET" and manner == "script":
            body += script
        elif self.command == "GET" and manner == "get":
            for place, form in re.findall(r'<form method="post" action="([^"]+)"[^>]*>(.*?)</form>', body, re.DOTALL):
                if ">Done<" in form:
                    opener.open(base + place, b"latest=0").close()
        elif manner == "trusting":
            body = re.sub(r'<form [^>]*class="decoy".*?</form>', "", body, flags=re.DOTALL)
        content = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def passed_on(self):
        length = int(self.headers.get("Content-Length") or 0)
        fields = {name: self.headers[name] for name in ("Accept", "Content-Type") if name in self.headers}
        request = urllib.request.Request(
            base + self.path, self.rfile.read(length) if length else None, fields, method=self.command)
        try:
            reply = opener.open(request)
        except urllib.error.HTTPError as error:
            reply = error
        with reply:
            return reply.status, reply.headers.get("Content-Type", "text/plain"), reply.read().decode()

    do_GET = do_HEAD = do_OPTIONS = do_POST = answer

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
