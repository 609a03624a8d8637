# Makes items of the alerts that Alertmanager posts to it: python3 alertmanager.py 9099
import http.server, json, subprocess, sys

def belfry(*words):
    return subprocess.run(["belfry", *words]).returncode

def take(alert):
    if alert["status"] == "resolved":
        return belfry("check", "--key", alert["fingerprint"]) in (0, 66)       # 66: there is none any more
    text = f'Alert {alert["labels"].get("alertname", "")}: {alert["annotations"].get("summary", "")}'
    text = "".join(c if c.isprintable() else " " for c in text)
    return belfry("add", "--key", alert["fingerprint"], text, "--due", "in 1 minute", "--time-zone", "UTC",
                  "-l", "On-call", "--create", "--category", "alert") == 0

class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        alerts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["alerts"]
        taken = [take(alert) for alert in alerts]
        self.send_response(200 if all(taken) else 500)                         # after 500 they are posted again
        self.end_headers()

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
