"""Why the address of a camera gives no picture: looked into once it has failed, and put in words.

Addresses of cameras hold passwords, in front of the host or behind a `?`, so they are never shown whole.
"""

import base64
import http.client
import re
import socket
import ssl
from contextlib import suppress
from urllib.parse import SplitResult, unquote, urlsplit

ADDRESSES = re.compile(r"(https?|rtsps?|rtmps?|tcp|udp|srt)://", re.IGNORECASE)
"""How addresses of streams begin."""
_PORTS = {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322, "rtmp": 1935, "rtmps": 443}
_BROWSER = "try it in a browser or a video player"


def shown_address(text: str) -> str:
    """An address without name, password and what stands behind a `?`; other texts as they are."""
    if "://" not in text:
        return text
    scheme, _, rest = text.partition("://")
    # The last @: whoever has one in the password has forgotten to quote it, a / or ? in it too.
    place, mark, _ = rest.rpartition("@")[2].partition("?")
    return f"{scheme}://{place}{'?...' if mark else ''}"


def why_unreachable(address: str, seconds: float) -> tuple[str, str]:
    """What is wrong, and what would be right."""
    try:
        url = urlsplit(address)
        host, port = url.hostname, url.port or _PORTS.get(url.scheme.lower(), 0)
    except ValueError:
        return "is no address that makes sense", "write http://HOST:PORT/PATH or rtsp://HOST/PATH"
    if not host:
        return "names no computer", "write http://HOST:PORT/PATH or rtsp://HOST/PATH"
    if not port or url.scheme.lower() == "udp":
        return "sends nothing", _BROWSER
    try:
        with socket.create_connection((host, port), seconds):
            pass
    except socket.gaierror:
        return f"there is no computer {host} on this net", "check the name, or use its number"
    except ConnectionRefusedError:
        return f"{host} is there, but takes no calls at port {port}", f"start it, and {_BROWSER}"
    except (OSError, OverflowError):
        return f"{host} does not answer at port {port}", "check that it is on and in the same net"
    if url.scheme.lower() in ("http", "https"):
        with suppress(OSError, http.client.HTTPException, ValueError):
            return _by_http(url, seconds)
    return "answers, but sends no picture that is understood", _BROWSER


def _by_http(url: SplitResult, seconds: float) -> tuple[str, str]:
    """What the server says when it is asked."""
    host, path = url.hostname or "", url.path or "/"
    connection: http.client.HTTPConnection
    if url.scheme.lower() == "https":
        # Only its status is read: cameras sign their certificates themselves.
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(host, url.port, timeout=seconds, context=context)
    else:
        connection = http.client.HTTPConnection(host, url.port, timeout=seconds)
    headers = {}
    if url.username is not None:
        known = f"{unquote(url.username)}:{unquote(url.password or '')}"
        headers["Authorization"] = f"Basic {base64.b64encode(known.encode()).decode()}"
    try:
        connection.request("GET", f"{path}?{url.query}" if url.query else path, headers=headers)
        answer = connection.getresponse()
        kind = answer.headers.get_content_type()
    finally:
        connection.close()
    if answer.status in (401, 403):
        if url.username is None:
            return "wants a name and a password", "write http://NAME:PASSWORD@HOST/PATH"
        return "does not take this name and password", "check them in the camera's settings"
    if answer.status == 404:
        return "has nothing under that path (404)", "look its path up in the camera's manual"
    if answer.status >= 400:
        return f"refuses with status {answer.status}", _BROWSER
    if kind == "text/html":
        right = "give the address of the picture itself, often ending in /video"
        return "answers with a web page, not with pictures", right
    return "answers, but sends no picture that is understood", _BROWSER
