# pyright: basic, reportMissingImports=false
"""The weather agent as a server, whose exporter sends to a fixed port. Each request's trace is
continued, as instrumented web frameworks do.

    python server.py PORT_OF_THE_RECEIVER
"""

import asyncio
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry import propagate, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic_agent import run

exporter = OTLPSpanExporter(f"http://127.0.0.1:{sys.argv[1]}/v1/traces")
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=300))
trace.set_tracer_provider(provider)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        context = propagate.extract({key.lower(): value for key, value in self.headers.items()})
        with trace.get_tracer("server").start_as_current_span("POST /", context):
            body = json.dumps({"output": asyncio.run(run(asked))}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
